"""Packs the extension as `vsce package` does: python3 package.py OUTPUT.vsix

`npm install --omit=dev` in this folder brings `vscode-languageclient`, which is packed too. Without it the extension only
colours files and says what is missing, and this script fails unless `--colours-only` is given. Equal files make equal
bytes.
"""

import fnmatch
import json
import pathlib
import re
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

FOLDER = pathlib.Path(__file__).resolve().parent

CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="png" ContentType="image/png"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def manifest(package):
    asset = '    <Asset Type="Microsoft.VisualStudio.{}" Path="extension/{}" Addressable="true"/>\n'
    assets = "".join(
        asset.format(kind, path)
        for kind, path in (
            ("Code.Manifest", "package.json"), ("Services.Content.Details", "README.md"),
            ("Services.Content.Changelog", "CHANGELOG.md"), ("Services.Content.License", "LICENSE.txt"),
            ("Services.Icons.Default", package["icon"]),
        )
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>{escape(",".join(package["keywords"]))}</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])}/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value={quoteattr(package["repository"]["url"])}/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/{escape(package["icon"])}</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
{assets}  </Assets>
</PackageManifest>
"""


def readme(package):
    """The README with whole addresses of its pictures, as the page of an extension needs them."""
    repository = package["repository"]
    base = f'{repository["url"].removesuffix(".git")}/raw/HEAD/{repository["directory"]}/'
    return re.sub(r"(!\[[^\]]*\]\()(?!https:)", rf"\1{base}", (FOLDER / "README.md").read_text())


def main(output, colours_only):
    package = json.loads((FOLDER / "package.json").read_text())
    if not (FOLDER / "node_modules/vscode-languageclient").exists() and not colours_only:
        sys.exit("vscode-languageclient is missing; run `npm install --omit=dev` here, or give --colours-only")
    ignored = (FOLDER / ".vscodeignore").read_text().split()
    paths = sorted(p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.is_file())
    kept = [p for p in paths if not any(fnmatch.fnmatch(p, pattern) for pattern in ignored)]
    files = {"extension.vsixmanifest": manifest(package).encode(), "[Content_Types].xml": CONTENT_TYPES.encode()}
    for path in kept:
        files["extension/" + ("LICENSE.txt" if path == "LICENSE" else path)] = (FOLDER / path).read_bytes()
    files["extension/README.md"] = readme(package).encode()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    print(f"{output}: {len(files)} files")


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--colours-only"]
    main(arguments[0], "--colours-only" in sys.argv)
