"""What travels with the package: the library is told where it is."""

import os
from pathlib import Path

from . import _core

_here = Path(__file__).parent
_core.use_models(str(_here / "models"))
if (_here / "three.min.js").is_file():  # for pages with the robot as bodies
    os.environ.setdefault("DENOC_THREE", str(_here / "three.min.js"))
version: str = _core.version
