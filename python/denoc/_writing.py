"""Files that people get."""

from __future__ import annotations

import os
from typing import Union

from . import _core


def write(file: Union[str, os.PathLike[str]], content: bytes) -> None:
    """To a file that is there when all of it is; what was there before stays until then. Raises :class:`WriteError`."""
    _core.write(os.fspath(file), content)
