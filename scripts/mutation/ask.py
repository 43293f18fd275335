"""Which test reaches which mutant, and who notices it."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

from .draw import PLACES
from .place import BUILD, HOME, TREE, load, store
from .tree import PROGRAMS

SLOW = 30  # seconds of a processor: tests that take longer are not asked


def run(program, tests, seconds, **environment):
    """(test at fault or None, what it wrote, the seconds of a processor it took). A program that takes more than `seconds`, or waits far longer than
    that on a busy machine, is at fault, too."""
    place = HOME / "tmp" / f"{os.getpid()}.{time.monotonic_ns()}"
    place.mkdir(parents=True)
    command = ["prlimit", f"--cpu={int(seconds) + 1}", "--as=12000000000", "--fsize=2000000000", "--core=0", f"{BUILD}/tests/{program}_test",
               "--gtest_fail_fast", "--gtest_color=no", "--gtest_filter=" + ":".join(tests)]
    variables = dict(os.environ, RC_PARAMS="seed=1", TMPDIR=str(place), TEST_TMPDIR=f"{place}/", **environment)
    with open(place / "log", "w+b") as log:
        process = subprocess.Popen(command, cwd=TREE, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        stop = threading.Timer(60 + 10 * seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
        stop.start()
        _, status, used = os.wait4(process.pid, 0)
        stop.cancel()
        process.returncode = status
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it has started and left
        except ProcessLookupError:
            pass
        log.seek(0)
        said = log.read(4000000).decode(errors="replace")
    shutil.rmtree(place, ignore_errors=True)
    begun = re.findall(r"^\[ RUN      \] (\S+)", said, re.M)
    return (None if status == 0 else begun[-1] if begun else tests[0]), said, used.ru_utime + used.ru_stime


def listed():
    """The tests: {program.test: what it is called in the program, a sum over the file it stands in}."""
    found = {}
    for program in PROGRAMS:
        out = HOME / "tests.json"
        subprocess.run([f"{BUILD}/tests/{program}_test", "--gtest_list_tests", f"--gtest_output=json:{out}"], check=True, stdout=subprocess.DEVNULL)
        for suite in json.loads(out.read_text())["testsuites"]:
            for test in suite["testsuite"]:
                name = f"{suite['name']}.{test['name']}"
                if "DISABLED_" in name:
                    continue
                file = pathlib.Path(test.get("file", ""))
                text = (TREE / file).read_bytes() if file.name and (TREE / file).is_file() else b""
                found[f"{program}.{name}"] = {"program": program, "test": name, "sum": hashlib.sha1(text).hexdigest()[:12]}
    return found


def reach(tests, mutants, jobs):
    """Adds to each test its time and the mutants it reaches; gives those that pass. A test is run anew when its file has changed."""
    names = {m["k"]: m["name"] for m in mutants}
    mix = hashlib.sha1("\n".join(sorted(names.values())).encode()).hexdigest()[:12]
    known = load("reach.json", {})
    known = known if known.get("mutants") == mix else {"mutants": mix}

    def map_one(key):
        test = tests[key]
        file = HOME / f"reached.{hashlib.sha1(key.encode()).hexdigest()[:16]}"
        file.write_bytes(bytes(PLACES))
        fault, said, seconds = run(test["program"], [test["test"]], SLOW, DENOC_MUTANTS_REACHED=str(file))
        marks = file.read_bytes()
        file.unlink()
        return {"sum": test["sum"], "seconds": round(seconds, 3), "passes": fault is None and "[  SKIPPED ]" not in said,
                "reached": [name for k, name in names.items() if marks[k]]}

    todo = [key for key in tests if known.get(key, {}).get("sum") != tests[key]["sum"]]
    print(f"{len(tests)} tests, {len(todo)} of them to be run once", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(map_one, key): key for key in todo}
        last = time.time()
        for done in concurrent.futures.as_completed(running):
            known[running[done]] = done.result()
            if time.time() - last > 20:
                store("reach.json", known)
                last = time.time()
    store("reach.json", known)
    fail = [key for key in tests if not known[key]["passes"]]
    if fail:
        print(f"{len(fail)} tests fail or are left out without a mutant and are not asked: {' '.join(fail)}")
    return {key: dict(tests[key], **known[key]) for key in tests if known[key]["passes"]}


def noticed(k, keys, tests, patience):
    """(the test that notices mutant k or None, those asked). Quick ones first, in groups that take ever longer,
    until they have taken `patience` seconds of a processor; who notices must do so alone, too."""
    asked, spent, group = [], 0, 1.0
    keys = sorted(keys, key=lambda key: tests[key]["seconds"])
    while keys and spent < patience:
        taken, seconds = [], 0
        while keys and (not taken or seconds < group):
            seconds += tests[keys[0]]["seconds"]
            taken.append(keys.pop(0))
        for program in PROGRAMS:
            own = [key for key in taken if tests[key]["program"] == program]
            while own:
                limit = lambda some: 5 + 10 * sum(tests[key]["seconds"] for key in some)
                fault, _, _ = run(program, [tests[key]["test"] for key in own], limit(own), DENOC_MUTANT=str(k))
                if fault is None:
                    break
                key = f"{program}.{fault}"
                if key in tests and run(program, [fault], limit([key]), DENOC_MUTANT=str(k))[0]:
                    return key, asked
                own = [o for o in own if o != key]  # noticed in company only: that is no notice
        asked += taken
        spent += seconds
        group *= 2
    return None, asked
