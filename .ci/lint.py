#!/usr/bin/env python3
"""Checks the sources as text: widths, links, dependencies, unsafe code, imports, cycles."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_COLUMNS = 100

# Licences that are compatible with the project's own, Apache-2.0, in a distributed program.
LICENCES = {
    "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0",
    "CC0-1.0", "CDLA-Permissive-2.0",  # webpki-roots: Mozilla's list of certificates, which is data
    "ISC", "MIT", "Unicode-3.0", "Unlicense", "Zlib"}

# Crates of which several versions are built, and why.
DUPLICATES = {
    "base64": "sfv is a version behind",
    "embedded-io": "postcard's writers, in the lock file only",
    "getrandom": "hash maps of arrow, proptest and tempfile at build or test time",
    "num-bigint": "rcgen's reader of certificates, in the lock file only",
    "syn": "macros that run at build time only",
    "synstructure": "rcgen's reader of certificates, in the lock file only"}

# The only files with unsafe code. The head of each has the reason why it is sound.
UNSAFE = {
    "crates/robots-dialects/tests/allocations.rs", "crates/warc-recovery/src/container/inflate.rs",
    "crates/warc-recovery/src/input/mapped.rs", "src/allocator.rs"}

# Crates that no library may be built from, and libraries that may not be built from each other.
NOT_IN_LIBRARIES = re.compile(r"arrow|clap|parquet$|robostat$|serde$")
LIBRARIES = ["page-directives", "robots-dialects", "warc-recovery"]

# The modules of the application, and the modules below that each may use.
MODULES = {
    "cli": "analysis ingest remote dataset threads error escape whole_file byte_order_mark",
    "analysis": "dataset threads error escape url_parts whole_file",
    "ingest": "remote dataset threads error escape url_parts byte_order_mark",
    "remote": "threads error escape byte_order_mark",
    "whole_file": "dataset error",
    "dataset": "threads error escape url_parts",
    "threads": "error",
    "error": "escape",
    "escape": "",
    "url_parts": "",
    "byte_order_mark": ""}
ANYWHERE = {"lib", "main", "limits", "allocator", "tests"}

# Files of a folder that use others in a cycle. The list should become shorter, never longer.
CYCLES = {"src/ingest/run": "mod network work"}

problems = []


def files(*patterns):
    """The files of the project with such names, as path and text."""
    found = subprocess.check_output(["git", "ls-files", "-z", *patterns], cwd=ROOT, text=True)
    paths = [path for path in found.split("\0") if (ROOT / path).is_file()]
    assert paths, patterns
    return [(path, (ROOT / path).read_text("utf-8")) for path in paths]


def check_widths():
    """Rustfmt checks code. Tables, links by reference, headings, fenced text and lines without a
    space may be longer."""
    for path, text in files("*.rs", "*.md"):
        is_rust, is_fenced = path.endswith(".rs"), False
        for number, line in enumerate(text.splitlines(), 1):
            prose = line.strip()
            if is_rust:
                if not prose.startswith("//"):
                    is_fenced = False
                    continue
                prose = prose.lstrip("/!").strip()
            if prose.startswith("```"):
                is_fenced = not is_fenced
            may_be_long = is_fenced or prose.startswith(("|", "#", "<")) or " " not in prose
            if len(line) > MAX_COLUMNS and not may_be_long:
                problems.append(f"{path}:{number}: over {MAX_COLUMNS} columns")


def check_readme():
    text = (ROOT / "README.md").read_text()
    if len(text.splitlines()) > 120:
        problems.append("README.md: over 120 lines; details belong in docs/")
    if not re.search(r"^cargo test\s*(#|$)", text, re.M):
        problems.append("README.md: no line `cargo test`, which .ci/run runs")


def check_links():
    """Links lead to files that exist, and to headings in them."""
    for path, text in files("*.md"):
        for link in re.findall(r"\]\(([^)]*)\)", re.sub(r"```.*?```", "", text, flags=re.S)):
            if "://" in link:
                continue
            file, _, heading = link.partition("#")
            target = (ROOT / path).parent / file if file else ROOT / path
            if not target.exists():
                problems.append(f"{path}: {link} leads nowhere")
            elif heading:
                lines = target.read_text().splitlines()
                headings = (line.lstrip("#").strip() for line in lines if line.startswith("#"))
                if heading not in [each.lower().replace(" ", "-") for each in headings]:
                    problems.append(f"{path}: {link} leads to no heading")


def is_allowed(licence):
    """Whether an expression (SPDX, one level of brackets) can be satisfied by the list."""
    parts = (licence or "").replace("/", " OR ").split(" AND ")
    return all(any(one.strip() in LICENCES for one in part.strip("()").split(" OR "))
               for part in parts)


def check_dependencies():
    metadata = json.loads(subprocess.check_output(
        ["cargo", "metadata", "--format-version=1", "--locked",
         # Crates for other systems are not downloaded.
         "--filter-platform=x86_64-unknown-linux-gnu"], cwd=ROOT))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {each["id"]: each for each in metadata["packages"] if each["id"] in nodes}
    ids = {each["name"]: each["id"] for each in packages.values()}

    def release(package):
        return tuple(map(int, (package["rust_version"] or "0.0").split(".")[:2]))

    own, versions = release(packages[ids["robostat"]]), {}
    for package in packages.values():
        versions.setdefault(package["name"], set()).add(package["version"])
        if not is_allowed(package["license"]):
            problems.append(f"{package['name']}: the licence {package['license']} is not listed")
        if release(package) > own:
            problems.append(f"{package['name']} needs Rust {package['rust_version']}")
    duplicates = {name for name, all_of_it in versions.items() if len(all_of_it) > 1}
    for name in duplicates ^ DUPLICATES.keys():
        problems.append(f"{name}: versions {versions.get(name)}, against the list of duplicates")

    def built_from(name):
        found, waiting = set(), [ids[name]]
        # Crates that only a feature adds, which the program may enable, are not in the library.
        optional = {each["name"] for each in packages[ids[name]]["dependencies"] if each["optional"]}
        while waiting:
            for each in nodes[waiting.pop()]["deps"]:
                is_built = any(kind["kind"] is None for kind in each["dep_kinds"])
                if is_built and each["pkg"] not in found and each["name"] not in optional:
                    found.add(each["pkg"])
                    waiting.append(each["pkg"])
        return {packages[each]["name"] for each in found}

    unwanted = {name: {each for each in built_from(name)
                       if NOT_IN_LIBRARIES.match(each) or each in LIBRARIES} for name in LIBRARIES}
    unwanted["robots-dialects"] |= built_from("robots-dialects") & {"memmap2", "zstd", "libc"}
    domains = built_from("registrable-domain")
    unwanted["registrable-domain"] = {each for each in domains if not each.startswith("psl")}
    for name, found in unwanted.items():
        if found:
            problems.append(f"{name} is built from {', '.join(sorted(found))}")


def check_unsafe():
    if 'unsafe_code = "deny"' not in (ROOT / "Cargo.toml").read_text():
        problems.append('Cargo.toml: unsafe_code is not "deny"')
    found = {path for path, text in files("src/*.rs", "crates/*.rs", "python/*.rs") if "(unsafe_code" in text}
    for path in found ^ UNSAFE:
        problems.append(f"{path}: unsafe code, against the list")


def check_imports():
    order = list(MODULES)
    for place, (module, known) in enumerate(MODULES.items()):
        for each in known.split():
            if order.index(each) <= place:
                problems.append(f"{module} is not above {each}")
    for path, text in files("src/*.rs"):
        module = path.split("/")[1].removesuffix(".rs")
        if module in ANYWHERE:
            continue
        if module not in MODULES:
            problems.append(f"{path}: a module that is not listed")
            continue
        code = re.sub(r"^\s*//.*$", "", text, flags=re.M)
        # Tests in every module use the helpers of the root's tests.
        known = {module, "tests", *MODULES[module].split()}
        for used in set(re.findall(r"crate::(\w+)", code)) - known:
            problems.append(f"{path}: {module} may not use {used}")


def check_cycles():
    """A file uses the files that define what its `use` lines and paths name. Tests do not count,
    nor do `mod` and `pub use`."""
    paths, codes, uses, scopes, below = {}, {}, {}, {}, {}
    not_code = re.compile(r"""//[^\n]*|r(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'""", re.S)
    for path, text in files("src/*.rs", "crates/*.rs"):
        parts = re.sub(r"(/mod|/lib)?\.rs$", "", path).split("/")
        if "src" in parts and not {"tests", "fuzz"} & {*parts}:
            module = ("/".join(parts[:parts.index("src") + 1]), *parts[parts.index("src") + 1:])
            paths[module], codes[module] = path, not_code.sub(" ", text)

    def is_local(module, part):
        return part in ("crate", "self", "super") or (*module, part) in paths

    def home(module, parts):
        """The module that defines the item `parts` of `module`; None if it is a module itself."""
        for place, part in enumerate(parts):
            if part in ("crate", "super"):
                module = module[:1] if part == "crate" else module[:-1]
            elif (*module, part) in paths:
                module = (*module, part)
            elif part in scopes[module]:
                return home(module, scopes[module][part] + parts[place + 1:])
            elif part != "self":
                return module if place else None
        return None

    use = re.compile(r"^\s*(pub\b.*)?\buse ([^;]+);", re.M)
    for module, code in codes.items():
        uses[module], scopes[module] = [], {}
        for visibility, tree in use.findall(code):
            while "{" in tree:
                tree = re.sub(r"([\w:]*){([^{}]*)}", lambda it: ",".join(
                    it[1] + each.strip() for each in it[2].split(",") if each.strip()), tree)
            for each in tree.split(","):
                name, _, alias = each.strip().removesuffix("::self").partition(" as ")
                parts = name.split("::")
                if is_local(module, parts[0]):
                    scopes[module][alias or parts[-1]] = parts
                    uses[module] += [] if visibility else [parts]
    for module, code in codes.items():
        in_code = re.findall(r"(?<![\w:])[a-z_]\w*(?:::\w+)+", use.sub("", code))
        found = (home(module, parts) for parts in uses[module] + [it.split("::") for it in in_code])
        below[module] = {each for each in found if each} - {module}
    for between in below:
        for module in below:
            if between in below[module]:
                below[module] |= below[between]
    cycles = {paths[each]: [paths[it] for it in below[each] if each in below[it]]
              for each in below if each in below[each]}
    listed = {f"{at}/{each}.rs" for at, names in CYCLES.items() for each in names.split()}
    for path in cycles.keys() ^ listed:
        problems.append(f"{path}: in a cycle with {cycles.get(path)}, against the list")


for check in [check_widths, check_readme, check_links, check_dependencies, check_unsafe,
              check_imports, check_cycles]:
    check()
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(bool(problems))
