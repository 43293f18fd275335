"""Warnings, given where people called."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable

_PACKAGE = os.path.dirname(__file__) + os.sep


def tell(category: type[Warning], texts: Iterable[str]) -> None:
    """Each text once, as from the line outside of this package that led here."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    for text in dict.fromkeys(texts):
        warnings.warn(text, category, stacklevel=level)
