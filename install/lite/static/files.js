// A file system in memory for Go programs: the part of Node's module fs that package syscall
// calls. It downloads other files that a cell reads from the site, from the folder of the
// notebook, if `remote` has its address. It downloads files that the program itself needs from the
// folder lib next to the program.
"use strict";

(() => {
  const S_IFDIR = 0o040000, S_IFREG = 0o100000, S_IFCHR = 0o020000;
  const constants = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const home = "/home", lib = "/lib/gokernel";
  let cwd = home, inodes = 0;

  const node = (mode) => ({ ino: ++inodes, mode, data: new Uint8Array(0), size: 0, entries: new Map(), time: Date.now() });
  const isDir = (n) => (n.mode & S_IFDIR) !== 0 && (n.mode & S_IFREG) === 0;
  const root = node(S_IFDIR | 0o755);

  function failure(code, path) {
    const e = new Error(`${code}: ${path}`);
    e.code = code;
    return e;
  }

  function resolve(...parts) {
    const out = [];
    let path = "";
    for (const p of parts) path = p.startsWith("/") ? p : `${path}/${p}`;
    if (!path.startsWith("/")) path = `${cwd}/${path}`;
    for (const p of path.split("/")) {
      if (p === "..") out.pop();
      else if (p !== "" && p !== ".") out.push(p);
    }
    return "/" + out.join("/");
  }

  const absolute = (path) => (path.startsWith("/") ? resolve(path) : resolve(cwd, path));

  // parent returns the directory of a path and the name in it.
  function parent(path) {
    const parts = absolute(path).split("/").filter(Boolean);
    const name = parts.pop() ?? "";
    let n = root;
    for (const p of parts) {
      n = n.entries.get(p);
      if (!n) throw failure("ENOENT", path);
      if (!isDir(n)) throw failure("ENOTDIR", path);
    }
    return [n, name];
  }

  function find(path) {
    const [dir, name] = parent(path);
    return name === "" ? root : dir.entries.get(name);
  }

  function lookup(path) {
    let n;
    try {
      n = find(path);
    } catch (e) {
      if (e.code !== "ENOENT") throw e;
    }
    n ??= download(absolute(path));
    if (!n) throw failure("ENOENT", path);
    return n;
  }

  // address returns the address to download a file from, if there is one.
  function address(path) {
    const below = (folder) => path.slice(folder.length + 1).split("/").map(encodeURIComponent).join("/");
    if (path.startsWith(lib + "/")) return new URL(`lib/${below(lib)}`, self.location).href;
    if (files.remote && path.startsWith(home + "/")) return files.remote + below(home);
    return undefined;
  }

  // download gets a file from the site. A worker may wait for it. It does not ask again for a file
  // that the site does not have.
  const absent = new Set();
  function download(path) {
    const from = address(path);
    if (!from || absent.has(path)) return undefined;
    const request = new XMLHttpRequest();
    request.open("GET", from, false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch {
      if (path.startsWith(lib + "/")) throw failure("ENETUNREACH", path);
      return undefined;
    }
    // A server returns a page for a folder.
    if (request.status !== 200 || request.responseURL.endsWith("/")) {
      absent.add(path);
      return undefined;
    }
    return files.put(path, new Uint8Array(request.response));
  }

  function write(n, from, at) {
    const end = at + from.length;
    if (end > n.data.length) {
      const grown = new Uint8Array(Math.max(end, 2 * n.data.length));
      grown.set(n.data.subarray(0, n.size));
      n.data = grown;
    }
    n.data.set(from, at);
    n.size = Math.max(n.size, end);
    n.time = Date.now();
  }

  function resize(n, size) {
    if (size > n.size) write(n, new Uint8Array(size - n.size), n.size);
    n.size = size;
    n.time = Date.now();
  }

  function stat(n) {
    return {
      dev: 1, ino: n.ino, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: isDir(n) ? 4096 : n.size,
      blksize: 4096, blocks: Math.ceil(n.size / 512), atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time,
      isDirectory: () => isDir(n),
    };
  }

  const open = new Map();
  let next = 3;
  function opened(fd) {
    const f = open.get(fd);
    if (!f) throw failure("EBADF", `file ${fd}`);
    return f;
  }

  const calls = {
    open(path, flags, mode) {
      let n;
      try {
        n = lookup(path);
      } catch (e) {
        if (e.code !== "ENOENT" || !(flags & constants.O_CREAT)) throw e;
        const [dir, name] = parent(path);
        n = node(S_IFREG | (mode & 0o777));
        dir.entries.set(name, n);
        flags &= ~constants.O_EXCL;
      }
      if (flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST", path);
      if (isDir(n) && flags & 3) throw failure("EISDIR", path);
      if (flags & constants.O_DIRECTORY && !isDir(n)) throw failure("ENOTDIR", path);
      if (flags & constants.O_TRUNC) resize(n, 0);
      open.set(next, { node: n, at: 0, append: (flags & constants.O_APPEND) !== 0 });
      return next++;
    },
    close(fd) {
      if (fd > 2) opened(fd);
      open.delete(fd);
    },
    read(fd, buffer, offset, length, position) {
      if (fd === 0) return 0;
      const f = opened(fd);
      if (isDir(f.node)) throw failure("EISDIR", `file ${fd}`);
      const at = position ?? f.at;
      const n = Math.max(0, Math.min(length, f.node.size - at));
      buffer.set(f.node.data.subarray(at, at + n), offset);
      if (position === null || position === undefined) f.at += n;
      return n;
    },
    write(fd, buffer, offset, length, position) {
      const from = buffer.subarray(offset, offset + length);
      if (fd === 1 || fd === 2) {
        files.print(fd, from.slice());
        return length;
      }
      const f = opened(fd);
      const at = position ?? (f.append ? f.node.size : f.at);
      write(f.node, from, at);
      if (position === null || position === undefined) f.at = at + length;
      return length;
    },
    fstat: (fd) => stat(fd < 3 ? node(S_IFCHR | 0o600) : opened(fd).node),
    stat: (path) => stat(lookup(path)),
    lstat: (path) => stat(lookup(path)),
    mkdir(path, mode) {
      const [dir, name] = parent(path);
      if (name === "" || dir.entries.has(name)) throw failure("EEXIST", path);
      dir.entries.set(name, node(S_IFDIR | (mode & 0o777)));
    },
    readdir(path) {
      const n = lookup(path);
      if (!isDir(n)) throw failure("ENOTDIR", path);
      return [...n.entries.keys()].sort();
    },
    unlink(path) {
      const [dir, name] = parent(path);
      const n = dir.entries.get(name);
      if (!n) throw failure("ENOENT", path);
      if (isDir(n)) throw failure("EISDIR", path);
      dir.entries.delete(name);
    },
    rmdir(path) {
      const [dir, name] = parent(path);
      const n = dir.entries.get(name);
      if (!n) throw failure("ENOENT", path);
      if (!isDir(n)) throw failure("ENOTDIR", path);
      if (n.entries.size > 0) throw failure("ENOTEMPTY", path);
      dir.entries.delete(name);
    },
    rename(from, to) {
      const [dir, name] = parent(from);
      const n = dir.entries.get(name);
      if (!n) throw failure("ENOENT", from);
      const [target, as] = parent(to);
      const old = target.entries.get(as);
      if (old && isDir(old) && old.entries.size > 0) throw failure("ENOTEMPTY", to);
      dir.entries.delete(name);
      target.entries.set(as, n);
    },
    truncate: (path, size) => resize(lookup(path), size),
    ftruncate: (fd, size) => resize(opened(fd).node, size),
    chmod(path, mode) {
      const n = lookup(path);
      n.mode = (n.mode & ~0o777) | (mode & 0o777);
    },
    fchmod(fd, mode) {
      const n = opened(fd).node;
      n.mode = (n.mode & ~0o777) | (mode & 0o777);
    },
    utimes(path, _, mtime) {
      lookup(path).time = mtime * 1000;
    },
    fsync() {},
    chown() {},
    fchown() {},
    lchown() {},
    readlink(path) {
      lookup(path);
      throw failure("EINVAL", path);
    },
    link: (path) => { throw failure("ENOSYS", path); },
    symlink: (path) => { throw failure("ENOSYS", path); },
  };

  const fs = { constants, writeSync: (fd, buffer) => calls.write(fd, buffer, 0, buffer.length, null) };
  for (const [name, call] of Object.entries(calls)) {
    fs[name] = (...args) => {
      const done = args.pop();
      let result;
      try {
        result = call(...args);
      } catch (e) {
        done(e.code ? e : failure("EIO", e.message));
        return;
      }
      done(null, result);
    };
  }

  const files = {
    remote: "", // the address of the folder of the notebook, ending in /
    print(fd, bytes) {}, // takes what is written to 1 and 2
    home,
    // put makes a file and its folders.
    put(path, data) {
      let n = root;
      const parts = absolute(path).split("/").filter(Boolean);
      const name = parts.pop();
      for (const p of parts) {
        if (!n.entries.has(p)) n.entries.set(p, node(S_IFDIR | 0o755));
        n = n.entries.get(p);
      }
      const file = node(S_IFREG | 0o644);
      write(file, data, 0);
      n.entries.set(name, file);
      return file;
    },
  };
  for (const dir of [home, "/tmp"]) calls.mkdir(dir, 0o755);

  globalThis.gokernelFiles = files;
  globalThis.fs = fs;
  globalThis.path = { resolve };
  globalThis.process = {
    pid: 1, ppid: 0, argv: ["gokernel"],
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0o022,
    cwd: () => cwd,
    chdir(path) {
      if (!isDir(lookup(path))) throw failure("ENOTDIR", path);
      cwd = absolute(path);
    },
  };
})();
