"""Packs the kernel for JupyterLite as a wheel, of what `make lite` leaves in a folder.

    python install/lite/build.py .build/lite -o dist
    pip install "jupyterlite-core[contents]==0.8.6" dist/gokernel_lite-*.whl
    gokernel site notebooks/ --stored -o site/ --contents contents/
    jupyter lite build --contents contents

The same files give the same bytes.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
STATIC = ["files.js", "gokernel.wasm.xz", "wasm_exec.js", "worker.js", "xz.js", "xz.LICENSE"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="of the compiled kernel")
    parser.add_argument("-o", dest="dist", type=pathlib.Path, default=pathlib.Path("dist"), help="folder for the wheel")
    options = parser.parse_args()
    if missing := [name for name in [*STATIC, "lib"] if not (options.folder / name).exists()]:
        parser.error(f"{options.folder} has no {', '.join(missing)}: run make lite first")
    version = json.loads((HERE / "extension/package.json").read_text())["version"]
    name = f"gokernel_lite-{version}"
    info, data = f"{name}.dist-info", f"{name}.data/data/share/jupyter/labextensions/gokernel-lite"
    files = {
        f"{data}/package.json": HERE / "extension/package.json",
        f"{data}/static/remoteEntry.js": HERE / "extension/remoteEntry.js",
        **{f"{data}/static/{file}": options.folder / file for file in STATIC},
        **{f"{data}/static/{file.relative_to(options.folder).as_posix()}": file for file in sorted((options.folder / "lib").rglob("*")) if file.is_file()},
        f"{info}/licenses/LICENSE": HERE.parents[1] / "LICENSE",
        f"{info}/licenses/xz.LICENSE": options.folder / "xz.LICENSE",
    }
    contents = {path: file.read_bytes() for path, file in files.items()}
    contents[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: gokernel-lite\nVersion: {version}\nSummary: Go in JupyterLite\n"
        "License-Expression: BSD-3-Clause AND MIT\nLicense-File: LICENSE\nLicense-File: xz.LICENSE\nRequires-Python: >=3.10\n"
        "Requires-Dist: jupyterlab_widgets>=3.0\n"  # by which pages show sliders
    ).encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: gokernel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{path},sha256={digest(content)},{len(content)}" for path, content in contents.items()]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    options.dist.mkdir(parents=True, exist_ok=True)
    wheel = options.dist / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, content in contents.items():
            # The kernel and the descriptions of packages are compressed already.
            kind = zipfile.ZIP_STORED if path.endswith((".xz", ".zip", ".docs")) else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(path), content, kind)
    print(wheel)


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
