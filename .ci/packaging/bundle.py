"""Packs a ready `metricc` as an artifact bundle, for binary targets of SwiftPM and the plugins: bundle.py METRICC FOLDER TRIPLE

Times and permissions are fixed, so that equal binaries make equal bundles.
"""

import json
import pathlib
import sys
import zipfile

from project import VERSION


def main(binary, folder, triple):
    variant = {"path": f"metricc-{VERSION}-{triple}/bin/metricc", "supportedTriples": [triple]}
    info = {
        "schemaVersion": "1.0",
        "artifacts": {"metricc": {"type": "executable", "version": VERSION, "variants": [variant]}},
    }
    files = [
        ("info.json", 0o644, json.dumps(info, indent=2).encode() + b"\n"),
        (variant["path"], 0o755, pathlib.Path(binary).read_bytes()),
    ]
    with zipfile.ZipFile(pathlib.Path(folder) / "metricc.artifactbundle.zip", "w", zipfile.ZIP_DEFLATED) as bundle:
        for path, mode, content in files:
            entry = zipfile.ZipInfo(f"metricc.artifactbundle/{path}", (1980, 1, 1, 0, 0, 0))
            entry.external_attr = mode << 16
            bundle.writestr(entry, content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main(*sys.argv[1:])
