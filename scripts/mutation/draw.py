"""Small wrong changes to the source: what may be changed, and which changes are drawn."""
import collections
import hashlib
import itertools
import re
import sys

from .place import ROOT, sources

PLACES = 1 << 16  # a mutant's number is below
OWN = ROOT / "scripts/mutation"

# What is changed: (name, what is looked for in an expression, what stands there instead).
CHANGES = [
    ("sign", r"(?<=[\w\)\]]) \+ (?=[\w\(\-])", " - "),
    ("sign", r"(?<=[\w\)\]]) - (?=[\w\(])", " + "),
    ("sign", r"(?<=[\(=,] )-(?=[a-z\(])|(?<=\()-(?=[a-z\(])|(?<=^)-(?=[a-z\(])", ""),
    ("sign", r" \+= ", " -= "),
    ("sign", r" -= ", " += "),
    ("factor", r"(?<=[\w\)\]]) \* (?=[\w\(])", " / "),
    ("factor", r"(?<=[\w\)\]]) / (?=[\w\(])", " * "),
    ("axis", r"(?<=\w)\.x\b", ".y"),
    ("axis", r"(?<=\w)\.y\b", ".z"),
    ("axis", r"(?<=\w)\.z\b", ".x"),
    ("comparison", r"(?<=[\w\)\]]) < (?=[\w\(\-])", " <= "),
    ("comparison", r"(?<=[\w\)\]]) > (?=[\w\(\-])", " >= "),
    ("comparison", r" <= ", " < "),
    ("comparison", r" >= ", " > "),
    ("comparison", r" == ", " != "),
    ("comparison", r" != ", " == "),
    ("comparison", r"(?<![\w\)\]])!(?=[\w\(])", ""),
    ("comparison", r" && ", " || "),
    ("comparison", r" \|\| ", " && "),
    ("constant", r"(?<![\w.])2(?![\w.])", "3"),
    ("constant", r"(?<![\w.])1(?![\w.])", "2"),
    ("constant", r"(?<![\w.])0(?![\w.])", "1"),
    ("constant", r"(?<![\w.])0\.5(?![\w.])", "0.25"),
    ("constant", r"(?<![\w.])1e-(?=\d)", "1e-1"),
    ("constant", r"\btrue\b", "false"),
    ("constant", r"\bfalse\b", "true"),
    ("function", r"\bstd::min\(", "std::max("),
    ("function", r"\bstd::max\(", "std::min("),
    ("function", r"\bsin\(", "cos("),
    ("function", r"\bcos\(", "sin("),
]
DECLARED = re.compile(r"^(\s*(?:const )?(?:double|int|bool|T|Wide|std::size_t|size_t|Index|Vec3<\w+>|Eigen::VectorXd) \w+ = )([^;{}]+)(;)(.*)$")
RETURNED = re.compile(r"^(\s*)(return )([^;{}]+)(;)(.*)$")
ASSIGNED = re.compile(r"^(\s*)([\w.\[\]>()*-]+ [-+*/]?= [^;{}]+)(;)(.*)$")
CALLED = re.compile(r"^(\s*)((?!return|throw|delete|using|else|case|break|continue)[\w.>:\[\]-]+\([^;{}]*\))(;)()$")
ASKED = re.compile(r"^(\s*(?:\} else )?(?:if|while) \()([^;{}]+)(\))( (?:\{|return|throw|continue|break|\w).*|)$")
LOOPED = re.compile(r"^(\s*for \([^;{}]*; )([^;{}]+)(; )([^;{}]+\).*)$")
EITHER = "::denoc_mutants::is({k}) ? ({new}) : ({old})"
ONE_OF = "{ if (::denoc_mutants::is({k})) {new} else {old} }"


def balanced(text):
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def is_one(text):
    """No comma outside of brackets: one value, not a list of declarations."""
    depth = 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            return False
    return True


def masked(line):
    """The line with what stands in quotes made blank, and without its comment."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', lambda m: " " * len(m.group()), line)
    return line.split("//")[0].rstrip()


def mutants_of(line, before):
    """(what kind, how the line reads with a mutant of number {k} in it, the changed expression) for each change that the line allows, where it does
    not go on with the line before."""
    code = masked(line)
    if before and not before.endswith((";", "{", "}", ":", ")", "else")):
        return
    if not code or code.endswith("\\") or "constexpr" in code:
        return
    if code.lstrip().startswith(("#", ".", "template", "static_assert", "using", "case", "requires")):
        return
    made = lambda form, begin, end, new: line[:begin] + form.replace("{new}", new).replace("{old}", line[begin:end]) + line[end:]
    asked, looped, returned, declared, assigned, called = (p.match(code) for p in (ASKED, LOOPED, RETURNED, DECLARED, ASSIGNED, CALLED))
    if asked and balanced(asked[2]):
        (begin, end), form = asked.span(2), EITHER
        if re.match(r" (return|throw|continue|break)", asked[4] or ""):
            yield "guard", made(form, begin, end, "false"), "false"
    elif looped and balanced(looped[2]):
        (begin, end), form = looped.span(2), EITHER
        # Its last turn left out; one turn more would mostly be a fault of memory, which is for the sanitizers.
        if found := re.match(r"(\w+)(?= < )", code[begin:end]):
            yield "loop", made(form, begin, end, found[1] + " + 1" + line[begin + found.end() : end]), "its last turn left out"
        return
    elif returned and balanced(returned[3]):
        begin, end, form = returned.start(2), returned.end(4), ONE_OF
    elif declared and balanced(declared[2]) and is_one(declared[2]):
        (begin, end), form = declared.span(2), EITHER
    elif assigned and balanced(assigned[2]):
        begin, end, form = assigned.start(2), assigned.end(3), ONE_OF
    elif called and balanced(called[2]) and "const " not in code and not code.lstrip()[0].isupper():
        begin, end, form = called.start(2), called.end(3), ONE_OF
        yield "call", made(form, begin, end, "{}"), "left out"
    else:
        return
    expression = line[begin:end]
    for kind, pattern, instead in CHANGES:
        for found in re.finditer(pattern, code[begin:end]):
            new = expression[: found.start()] + instead + expression[found.end() :]
            yield kind, made(form, begin, end, new), new


def named():
    """The mutants of scripts/mutation/named.txt."""
    for rule in (OWN / "named.txt").read_text().splitlines():
        if not rule or rule.startswith("#"):
            continue
        name, change = rule.split(": ", 1)
        was, now = change.split(" => ")
        lines = [(i, line) for i, line in enumerate(sources()[name].decode().splitlines(), 1) if was in line]
        if len(lines) != 1:
            sys.exit(f"scripts/mutation/named.txt: {name}: '{was}' stands in {len(lines)} lines, not in one: change or remove the rule")
        number, line = lines[0]
        text = line.replace(was, "(" + EITHER.replace("{new}", now).replace("{old}", was) + ")")
        yield {"name": f"{name}: {was} => {now}", "file": name, "line": number, "kind": "named", "was": was, "now": now, "text": text}


def places(turn):
    """(rank, chance, name, number, line, how often the line stood before, options) for every line that can be changed, in the order of this turn: the
    text of a line decides, so that an edit elsewhere leaves it."""
    for name, content in sources().items():
        if not re.match(r"(include|src|apps)/.*\.[hc]pp$", name):
            continue
        seen = collections.Counter()
        before = ""
        for number, line in enumerate(content.decode().splitlines(), 1):
            options, before = list(mutants_of(line, before)), masked(line) or before
            if not options:
                continue
            nth = seen[line.strip()] = seen[line.strip()] + 1
            chance = int(hashlib.sha1(f"{name} {line.strip()} {nth}{f' {turn}' if turn > 1 else ''}".encode()).hexdigest(), 16)
            if all(kind == "call" for kind, _, _ in options) and chance % 4 != 0:
                continue  # calls are many: one in four
            rank = chance // 2 if name.startswith("include/") else chance  # headers, with the physics in few lines, twice as often
            yield rank, chance, name, number, line, nth, options


def draw(count, where, turns):
    """The mutants: the named ones, and for each turn as many places as asked for, one in a line. Of these the ones in files that match."""
    drawn = list(named())
    taken = {(m["file"], m["line"]) for m in drawn}
    for turn in turns:
        free = (place for place in sorted(places(turn)) if (place[2], place[3]) not in taken)
        for _, chance, name, number, line, n, options in itertools.islice(free, count):
            kinds = sorted({kind for kind, _, _ in options})
            kind = kinds[chance // 7 % len(kinds)]
            of_kind = [o for o in options if o[0] == kind]
            _, text, new = of_kind[chance // 77 % len(of_kind)]
            taken.add((name, number))
            drawn.append({"name": f"{name}: {line.strip()} -> {new}" + (f" ({n})" if n > 1 else ""), "file": name, "line": number, "kind": kind,
                          "was": line.strip(), "now": new, "text": text})
    return [m for m in numbered(drawn) if re.search(where, m["file"])]


def numbered(mutants):
    """Each gets a number that its name decides, and has it in its text."""
    used = set()
    for m in mutants:
        k = int(hashlib.sha1(m["name"].encode()).hexdigest(), 16) % PLACES
        while k in used:
            k = (k + 1) % PLACES
        used.add(k)
        m["k"] = k
        m["text"] = m["text"].replace("{k}", str(k))
    return mutants


def equal():
    """{name: why} of the mutants in equal.txt, which nothing that a program gives tells from the original."""
    lines = (line for line in (OWN / "equal.txt").read_text().splitlines() if line and not line.startswith("#"))
    return {name.strip(): why.strip() for name, why in (line.rsplit(" | ", 1) for line in lines)}
