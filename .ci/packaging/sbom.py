"""Says in CycloneDX 1.6 what is in a `metricc`: sbom.py METRICC PACKAGE.RESOLVED SWIFT-VERSION FOLDER

Packages come from the file that the build wrote; the libraries of the Swift toolchain are linked into the binary, unless
it asks the machine for them. Equal inputs make equal bytes.
"""

import datetime
import hashlib
import json
import pathlib
import sys
import uuid

import elf
from project import LICENCE, REPOSITORY, SUMMARY, VERSION, dependencies, epoch

SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"
# What Foundation brings is released with the toolchain, under its number.
TOOLCHAIN = [
    ("swift", "The standard library and runtime", SWIFT_LICENCE),
    ("swift-corelibs-libdispatch", "Dispatch", SWIFT_LICENCE),
    ("swift-foundation", "Foundation", SWIFT_LICENCE),
    ("swift-corelibs-foundation", "Foundation", SWIFT_LICENCE),
    ("swift-foundation-icu", "ICU, as Foundation has it", "Unicode-3.0"),
]


def component(name, version, licence, location, description=None):
    address = location.removeprefix("https://").removesuffix(".git")
    found = {
        "type": "library",
        "bom-ref": f"pkg:swift/{address}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"expression": licence}],
        "purl": f"pkg:swift/{address}@{version}",
        "externalReferences": [{"type": "vcs", "url": location}],
    }
    return found | ({"description": description} if description else {})


def bill(binary, resolved, swift):
    components = [
        component(name, version or revision, SWIFT_LICENCE, location)
        for name, version, revision, location in dependencies(resolved)
    ]
    if binary.read_bytes().startswith(b"\x7fELF") and elf.runs_elsewhere(binary):
        components += [
            component(name, swift, licence, f"https://github.com/swiftlang/{name}", description)
            for name, description, licence in TOOLCHAIN
        ]
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch(), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "metricc",
                "name": "metricc",
                "version": VERSION,
                "description": SUMMARY,
                "licenses": [{"expression": LICENCE}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "externalReferences": [{"type": "vcs", "url": REPOSITORY}],
            },
        },
        "components": components,
        "dependencies": [{"ref": "metricc", "dependsOn": [found["bom-ref"] for found in components]}]
        + [{"ref": found["bom-ref"]} for found in components],
    }


if __name__ == "__main__":
    command, packages, toolchain, folder = sys.argv[1:]
    text = json.dumps(bill(pathlib.Path(command), packages, toolchain), indent=2)
    (pathlib.Path(folder) / "metricc.cdx.json").write_text(text + "\n")
