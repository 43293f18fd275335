"""The shipped robots travel with the package: the library is told where."""

from pathlib import Path

from . import _core

_core.use_models(str(Path(__file__).parent / "models"))
version: str = _core.version
