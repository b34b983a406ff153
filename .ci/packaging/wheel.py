"""Packs a ready `metricc` as a Python wheel: wheel.py METRICC SHARE SBOM FOLDER [TAG]

The binary is a script of the wheel, so `pip install metricc` puts it on the path as it is, and no line of Python runs.
SHARE has completions and the manual page, which go to the prefix's `share`. The tag names the oldest glibc that has
all symbols of the binary; a binary that needs other libraries is tagged for this machine alone, which PyPI refuses.
Equal inputs make equal bytes.
"""

import base64
import hashlib
import pathlib
import platform
import re
import sys
import zipfile

import elf
from project import LICENCE, REPOSITORY, ROOT, SUMMARY, VERSION


def tag(binary):
    if not elf.runs_elsewhere(binary):
        return f"linux_{platform.machine()}"
    return "manylinux_{}_{}_{}".format(*elf.newest("GLIBC", binary)[:2], platform.machine())


def readme():
    """The README with addresses that work on the page of a registry."""
    pages, files = f"{REPOSITORY}/blob/v{VERSION}/", f"{REPOSITORY}/raw/v{VERSION}/"
    text = re.sub(r"!\[([^\]]*)\]\((?!https?:)", rf"![\1]({files}", (ROOT / "README.md").read_text())
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)", rf"[\1]({pages}", text)


def metadata():
    return f"""Metadata-Version: 2.4
Name: metricc
Version: {VERSION}
Summary: {SUMMARY}
License-Expression: {LICENCE}
License-File: LICENSE
License-File: NOTICE
Project-URL: Homepage, {REPOSITORY}
Project-URL: Changelog, {REPOSITORY}/blob/v{VERSION}/CHANGELOG.md
Keywords: metrics,streak,funnel,retention,analytics
Classifier: Environment :: Console
Classifier: Intended Audience :: Developers
Classifier: Programming Language :: SQL
Description-Content-Type: text/markdown

{readme()}"""


def wheel(binary, share, sbom, tag):
    """The files of the wheel in their order, each with its mode; RECORD, with the hashes of all others, is the last."""
    info, data = f"metricc-{VERSION}.dist-info", f"metricc-{VERSION}.data"
    files = {f"{data}/scripts/metricc": (0o755, pathlib.Path(binary).read_bytes())}
    for path in sorted(p for p in pathlib.Path(share).rglob("*") if p.is_file()):
        files[f"{data}/data/share/{path.relative_to(share).as_posix()}"] = (0o644, path.read_bytes())
    texts = {
        "METADATA": metadata().encode(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: metricc\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode(),
        "licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        "licenses/NOTICE": (pathlib.Path(__file__).parent / "NOTICE").read_bytes(),
        "sboms/metricc.cdx.json": pathlib.Path(sbom).read_bytes(),
    }
    files |= {f"{info}/{name}": (0o644, text) for name, text in texts.items()}
    record = "".join(
        "{},sha256={},{}\n".format(
            path, base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(), len(content))
        for path, (_, content) in files.items())
    files[f"{info}/RECORD"] = (0o644, f"{record}{info}/RECORD,,\n".encode())
    return files


def main(binary, share, sbom, folder, given=None):
    chosen = given or tag(binary)
    output = pathlib.Path(folder) / f"metricc-{VERSION}-py3-none-{chosen}.whl"
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, (mode, content) in wheel(binary, share, sbom, chosen).items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    print(output.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
