"""What the object files of a build tree say: which file calls which, and which function which."""

import collections
import pathlib
import re
import subprocess


def find_objects(build, root):
    """{source, as src/base/arena.c: its object file} for the targets of the top folder of a build tree.

    What is in the folder of a target itself is generated. Objects of files that are gone stay in a build tree.
    """
    objects = {}
    for path in sorted(pathlib.Path(build).glob("CMakeFiles/*.dir/*/**/*.o")):
        parts = path.parts
        target = max(place for place, part in enumerate(parts) if part.endswith(".dir"))
        source = "/".join(parts[target + 1 :]).removesuffix(".o")
        if (pathlib.Path(root) / source).is_file():
            objects[source] = path
    return objects


def lines_of(tool, options, objects):
    """Yields (source, line) of what a tool of binutils prints of several object files."""
    sources = {str(path): source for source, path in objects.items()}
    command = [tool, *options, *sources]
    source = None
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        name, _, rest = line.partition(":")
        if name in sources:
            source = sources[name]
            line = "" if "file format" in rest else rest
        if line:
            yield source, line


def find_definitions(objects):
    """{symbol with external linkage: [sources that define it]}; several only for main()."""
    definitions = collections.defaultdict(list)
    options = ["--format=posix", "--extern-only", "--defined-only", "--print-file-name"]
    for source, line in lines_of("nm", options, objects):
        definitions[line.split()[0]].append(source)
    return definitions


def home(definitions, symbol):
    """The one file that defines this symbol; None if none does, or several."""
    sources = definitions.get(symbol, [])
    return sources[0] if len(sources) == 1 else None


class References:
    """Who needs whom: `calls` by code, `lists` by tables of data; {source: {source: [symbols]}}."""

    def __init__(self, objects):
        definitions = find_definitions(objects)
        self.calls = {source: {} for source in objects}
        self.lists = {source: {} for source in objects}
        section = ""
        for source, line in lines_of("objdump", ["--reloc"], objects):
            if line.startswith("RELOCATION RECORDS FOR ["):
                section = line.split("[")[1].split("]")[0]
                continue
            symbol = re.split(r"[-+]0x", line.split()[-1])[0]
            target = home(definitions, symbol)
            if target and target != source:
                self.add(section, source, target, symbol)

    def add(self, section, source, target, symbol):
        if section.startswith(".text"):
            edges = self.calls[source]
        elif section.startswith((".data", ".rodata")):
            edges = self.lists[source]
        else: # what the debugger reads
            return
        symbols = edges.setdefault(target, [])
        if symbol not in symbols:
            symbols.append(symbol)


FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_\S+\s+(\S+)$")
PLACE = re.compile(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>$")


def plain(symbol):
    """Without what the compiler appends to the parts of a function: dcpn_dot.cold, dcpn_dot._omp_fn.0."""
    return re.split(r"[-+]0x", symbol)[0].split(".")[0]


def find_functions(objects):
    """{(source, function): [(source, function) that it calls or hands on, in the order of its code]}.

    Calls through tables of functions are not seen.
    """
    definitions = find_definitions(objects)
    mentions = collections.defaultdict(list)
    function = None
    for source, line in lines_of("objdump", ["--disassemble", "--reloc", "--no-show-raw-insn"], objects):
        heading = FUNCTION.match(line)
        if heading:
            function = (source, plain(heading.group(1)))
            mentions[function] += []
            continue
        mention = RELOCATION.match(line) or PLACE.search(line)
        if mention and function:
            mentions[function].append(plain(mention.group(1)))
    return {function: resolve(function, names, mentions, definitions) for function, names in mentions.items()}


def resolve(function, names, functions, definitions):
    callees = []
    for name in names:
        local = (function[0], name)
        callee = local if local in functions else (home(definitions, name), name)
        if callee in functions and callee != function and callee not in callees:
            callees.append(callee)
    return callees
