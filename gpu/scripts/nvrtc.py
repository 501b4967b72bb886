#!/usr/bin/env python3
"""Compiles CUDA C++ by the NVRTC of PyPI's package `nvidia-cuda-nvrtc`, without a GPU.

    nvrtc.py [--arch sm_80,sm_90,sm_100] [--before FILE.cuh]... [--option=-DN=4]... FILE.cu...

The library is that of this Python or of the environment in VIRTUAL_ENV, or else of a virtual environment in
`$CARGO_TARGET_DIR/venv-nvrtc` (`target/venv-nvrtc`), which is made if it is not there. `-` in the place of a file reads
several sources from standard input, each behind a line `//// NAME`. The exit code is 1 if one does not compile, and 77 if
there is no NVRTC to be had.
"""
import argparse
import ctypes as c
import glob
import os
import site
import subprocess
import sys
import time
import venv

PACKAGE = "nvidia-cuda-nvrtc"


def folders(root):
    return glob.glob(os.path.join(root, "nvidia", "cu*", "lib")) + glob.glob(os.path.join(root, "nvidia", "cuda_nvrtc", "lib"))


def find():
    """The folder with the library."""
    roots = site.getsitepackages() + [site.getusersitepackages()]
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    own = os.path.join(target, "venv-nvrtc")
    for environment in [os.environ.get("VIRTUAL_ENV"), own]:
        if environment:
            roots += glob.glob(os.path.join(environment, "lib", "python*", "site-packages"))

    def first():
        for root in roots:
            for folder in folders(root):
                if glob.glob(os.path.join(folder, "libnvrtc.so*")):
                    return folder
        return None

    if first() is None:
        try:
            venv.create(own, with_pip=True)
            subprocess.run([os.path.join(own, "bin", "pip"), "install", "-q", PACKAGE], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"no NVRTC, and {PACKAGE} cannot be installed: {error}", file=sys.stderr)
            return None
        roots += glob.glob(os.path.join(own, "lib", "python*", "site-packages"))
    return first()


class Nvrtc:
    def __init__(self, folder):
        c.CDLL(glob.glob(os.path.join(folder, "libnvrtc-builtins.so*"))[0], mode=c.RTLD_GLOBAL)
        self.library = c.CDLL(glob.glob(os.path.join(folder, "libnvrtc.so*"))[0])

    def version(self):
        major, minor = c.c_int(), c.c_int()
        self.library.nvrtcVersion(c.byref(major), c.byref(minor))
        return f"{major.value}.{minor.value}"

    def compile(self, name, text, options):
        """The size of the CUBIN, or None, and the log."""
        n, program, size = self.library, c.c_void_p(), c.c_size_t()
        n.nvrtcCreateProgram(c.byref(program), text.encode(), name.encode(), 0, None, None)
        given = (c.c_char_p * len(options))(*[option.encode() for option in options])
        code = n.nvrtcCompileProgram(program, len(options), given)
        n.nvrtcGetProgramLogSize(program, c.byref(size))
        log = c.create_string_buffer(size.value)
        n.nvrtcGetProgramLog(program, log)
        if code == 0:
            n.nvrtcGetCUBINSize(program, c.byref(size))
        n.nvrtcDestroyProgram(c.byref(program))
        return (size.value if code == 0 else None), log.value.decode(errors="replace").strip()


def sources(files):
    """Names and texts."""
    for file in files:
        if file != "-":
            with open(file, encoding="utf-8") as text:
                yield os.path.basename(file), text.read()
            continue
        name, lines = None, []
        for line in sys.stdin:
            if line.startswith("//// "):
                if name is not None:
                    yield name, "".join(lines)
                name, lines = line[5:].strip(), []
            else:
                lines.append(line)
        if name is not None:
            yield name, "".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--arch", default="sm_80,sm_90,sm_100")
    parser.add_argument("--before", action="append", default=[], help="a file that stands in front of each source")
    parser.add_argument("--option", action="append", default=[], help="an option of NVRTC")
    arguments = parser.parse_args()
    folder = find()
    if folder is None:
        return 77
    nvrtc = Nvrtc(folder)
    before = "".join(open(file, encoding="utf-8").read() for file in arguments.before)
    failed = count = 0
    begin = time.time()
    for name, text in sources(arguments.files):
        for arch in arguments.arch.split(","):
            # The options of `compile.rs`.
            options = [f"--gpu-architecture={arch}", "--std=c++17", "--diag-suppress=177", *arguments.option]
            start = time.time()
            size, log = nvrtc.compile(name, before + text, options)
            result = f"{size} bytes" if size else "FAILED"
            print(f"{name} {arch}: {result}, {(time.time() - start) * 1e3:.0f} ms")
            if log:
                print(log)
            count += 1
            failed += size is None
    print(f"NVRTC {nvrtc.version()}: {count - failed} passed, {failed} failed, {time.time() - begin:.1f} s")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
