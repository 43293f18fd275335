"""A copy of the tree with all mutants in it, compiled once; DENOC_MUTANT chooses one when a program starts."""
import collections
import os
import re
import shutil
import subprocess
import sys

from .draw import PLACES
from .place import HOME, ROOT, TREE, BUILD, load, sources, store

SWITCH = f"""#pragma once
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
namespace denoc_mutants {{
inline constinit int chosen = -1;
inline constinit char nowhere[{PLACES}] = {{}};
inline constinit char* reached = nowhere;  // the file DENOC_MUTANTS_REACHED, shared with the programs that this one starts
[[gnu::constructor(101)]] static void start() {{
  if (const char* k = std::getenv("DENOC_MUTANT")) chosen = std::atoi(k);
  const char* const name = std::getenv("DENOC_MUTANTS_REACHED");
  if (!name || reached != nowhere) return;
  const int file = ::open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* const map = ::mmap(nullptr, {PLACES}, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) reached = static_cast<char*>(map);
}}
constexpr bool is(int k) {{
  if (__builtin_is_constant_evaluated()) return false;
  reached[k] = 1;
  return k == chosen;
}}
}}
"""
PROGRAMS = ["unit", "analytic", "laws", "papers", "simulation", "peers", "cli"]
# How the copy differs besides: compiled quickly, for any processor only, without what is compiled for others.
CHEAPER = {
    "CMakeLists.txt": [("-Os ", "-O1 "), ("-Os)", "-O1)")],
    "src/scalar/instruction_sets.hpp": [("defined(__x86_64__) && defined(__OPTIMIZE__)", "0")],
    # The command line is started with variables of its own: these are handed on.
    "tests/cli/run.hpp": [("  environment.push_back(nullptr);", "  for (char** each = ::environ; *each != nullptr; ++each)\n"
                                                                "    if (std::string(*each).starts_with(\"DENOC_MUTANT\")) environment.push_back(*each);\n"
                                                                "  environment.push_back(nullptr);")],
}


def write(mutants, is_taken_back=False):
    """The copy of the tree with these in it; files that stay as they are are not touched, so that they are not compiled again. A mutant that is
    taken back leaves the file's date: what was compiled with it is as good, for nobody will choose it."""
    changed = collections.defaultdict(list)
    for m in mutants:
        changed[m["file"]].append(m)
    for name, content in sources().items():
        for was, now in CHEAPER.get(name, []):
            content = content.replace(was.encode(), now.encode())
        if name in changed:
            lines = content.decode().splitlines()
            for m in changed[name]:
                lines[m["line"] - 1] = m["text"]
            content = (f'#include "{HOME}/mutants.hpp"\n#line 1\n' + "\n".join(lines) + "\n").encode()
        to = TREE / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if to.exists() and to.read_bytes() == content:
            continue
        date = to.stat().st_mtime_ns if to.exists() else None
        to.write_bytes(content)
        shutil.copymode(ROOT / name, to)
        if is_taken_back and date:
            os.utime(to, ns=(date, date))
    if not (HOME / "mutants.hpp").exists() or (HOME / "mutants.hpp").read_text() != SWITCH:
        (HOME / "mutants.hpp").write_text(SWITCH)


def build(mutants, jobs):
    """Compiles them all, and gives those that can be compiled."""
    left_out = set(load("left_out.json", []))
    mutants = [m for m in mutants if m["name"] not in left_out]
    write(mutants)
    subprocess.run(["cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -w -DNDEBUG -DDENOC_PLAIN_CALLS",
                    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16", "-DDENOC_BUILD_TESTS=ON", "-DDENOC_BUILD_PYTHON=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    while True:
        log = HOME / "build.log"
        with open(log, "w") as to:
            made = subprocess.run(["cmake", "--build", BUILD, "-j", str(jobs), "--target", "denoc_cli", "failing_calls", "failing_memory", *(f"{p}_test" for p in PROGRAMS), "--", "-k", "0"],
                                  stdout=to, stderr=subprocess.STDOUT)
        if made.returncode == 0:
            return mutants
        said = log.read_text(errors="replace")
        if "interrupted by user" in said:
            sys.exit("stopped")
        places = lambda after: {(name, int(line)) for name, line in re.findall(rf"{re.escape(str(TREE))}/([\w./]+):(\d+)" + after, said)}
        for at_fault in (places(r":\d+: (?:fatal )?error"), places("")):
            left = [m for m in mutants if (m["file"], m["line"]) not in at_fault]
            if len(left) < len(mutants):
                break
        else:
            sys.exit(f"The tree with mutants in it does not compile, and no mutant is the reason: see {log}")
        left_out |= {m["name"] for m in mutants} - {m["name"] for m in left}
        store("left_out.json", sorted(left_out))
        print(f"{len(mutants) - len(left)} do not compile and are left out", flush=True)
        mutants = left
        write(mutants, is_taken_back=True)
