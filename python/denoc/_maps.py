"""Maps of scenarios, as JSON and as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import ArgumentError


class Written(float):
    """A number of a file in a writing of its own (1.50, 1e3, 007), which it keeps where it is the name of something."""

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __str__(self) -> str:
        return self.text


def plain(given: Any, where: str) -> Any:
    """Maps, lists and numbers as JSON has them; NumPy's are made so. ``where``: what messages call the whole."""
    if isinstance(given, Written):
        return str(given)
    if isinstance(given, Mapping):
        return {str(key): plain(value, where) for key, value in given.items()}
    if isinstance(given, str):
        return str(given)
    if isinstance(given, (bool, np.bool_)) or given is None:
        return None if given is None else bool(given)
    if isinstance(given, np.ndarray):
        return plain(given.tolist(), where)
    if isinstance(given, (list, tuple)):
        return [plain(value, where) for value in given]
    if isinstance(given, (int, np.integer)):
        return int(given)
    if isinstance(given, (float, np.floating)):
        if not np.isfinite(given):
            raise ArgumentError(f"{where}: {given} among its values; finite numbers are wanted")
        return float(given)
    raise ArgumentError(f"{where}: {given!r} among its values; numbers, text, lists and maps are wanted")


def as_json(given: Any, indent: int | None = None) -> str:
    """JSON that is YAML, too: characters above U+FFFF stand as they are, as YAML knows no pairs of escapes."""
    text = json.dumps(given, ensure_ascii=False, indent=indent)
    return re.sub("[\x7f-\uffff]", lambda character: f"\\u{ord(character[0]):04x}", text)


def as_number(text: str) -> float:
    """A number of the file: Python's own, if that is written the same."""
    number = float(text)
    for own in (int(number), number):
        if str(own) == text:
            return own
    return Written(text)


# What YAML takes as text without quotes, and would not take for something else; numbers.
_WORD = re.compile(
    r"(?!(?:true|false|null|yes|no|on|off|nan|inf)$)[A-Za-z_/][\w./ -]*(?<! )|[-+]?\d[\d.]*(?:e[-+]?\d+)?", re.IGNORECASE
)


def as_yaml(value: Any) -> str:
    """A value on one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_yaml(key)}: {as_yaml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_yaml, value)) + "]"
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    return as_json(value)
