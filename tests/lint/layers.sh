#!/bin/sh
# Checks the arrows between the layers: layers.sh ROOT. Every #include of include/ and src/ must be
# one that layers.txt or the rules below allow, and layers.txt must name every file but the cli's.
#
#   public   its own headers as layers.txt orders them, the C library; clreshape.h also CL/cl.h
#   core     its own headers as layers.txt orders them, the pure public ones, the C library
#   runtime  the same; also core's headers, clreshape/clreshape.h, CL/cl.h and pthread.h; poison.h
#            also the compiler's sanitizer
#   cli      headers of its own folder, public and system headers; nothing private to the others
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1
rules=$(cd "$(dirname "$0")" && pwd)/layers.txt

cd "$root"
find include src -type f | LC_ALL=C sort | awk -v rules="$rules" '
  function complain(text) { print file (line ? ":" line : "") ": " text; failed = 1 }

  # The place of NAME.c or NAME.h in the order of its folder, or 0.
  function place(folder, name) { return order[folder "/" name] + 0 }

  function check_own(folder, name, target) {
    sub(/\.h$/, "", target)
    if (!place(folder, target)) complain("includes \"" target ".h\", which layers.txt does not name")
    else if (place(folder, target) > place(folder, name))
      complain(module[folder "/" name] " must not know " module[folder "/" target] \
               " (\"" target ".h\")")
  }

  function is_public(target) { return ("include/" target in exists) }

  function is_pure(target) { return is_public(target) && target != "clreshape/clreshape.h" }

  function is_standard(target) {
    return target ~ /^(assert|ctype|errno|inttypes|limits|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string)\.h$/
  }

  function check_public(name, target, quoted) {
    if (quoted && target !~ /\//) return check_own("public", name, target)
    if (!quoted && target ~ /^std(bool|def|int)\.h$/) return
    if (!quoted && target == "CL/cl.h" && name == "clreshape") return
    complain("a public header must not include " target)
  }

  function check_core(name, target, quoted) {
    if (quoted && is_pure(target)) return
    if (quoted && target !~ /\//) return check_own("core", name, target)
    if (!quoted && is_standard(target)) return
    complain("core must not include " target)
  }

  function check_runtime(name, target, quoted) {
    if (quoted && is_public(target)) return
    if (quoted && target ~ /^\.\.\/core\/[a-z_]+\.h$/) return
    if (quoted && target !~ /\//) return check_own("runtime", name, target)
    if (!quoted && (is_standard(target) || target == "CL/cl.h" || target == "pthread.h")) return
    if (name == "poison" && target ~ /^sanitizer\/[al]san_interface\.h$/) return
    complain("runtime must not include " target)
  }

  function check_cli(target, quoted) {
    if (is_public(target)) return
    if (!quoted && target !~ /^\.|^(core|runtime|src)\//) return
    if (quoted && target ~ /^[a-z_]+\.h$/ && ("src/cli/" target in exists)) return
    if (quoted && target == "onnx.pb-c.h") return # made at build time, private to the program
    complain("the program must not include " target)
  }

  function check_include(folder, name, text,    quoted, target) {
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
    quoted = text ~ /^"/
    if (text !~ /^"[^"]+"|^<[^>]+>/) return complain("an #include whose file is not spelled out")
    target = text
    sub(/^["<]/, "", target)
    sub(/[">].*$/, "", target)
    if (folder == "public") check_public(name, target, quoted)
    else if (folder == "core") check_core(name, target, quoted)
    else if (folder == "runtime") check_runtime(name, target, quoted)
    else check_cli(target, quoted)
  }

  # The layer of a file, by where it is; "" for none.
  function folder_of(file) {
    if (file ~ /^include\/clreshape\/[a-z_]+\.h$/) return "public"
    if (file !~ /^src\/(core|runtime|cli)\/[a-z0-9_]+\.[ch]$/) return ""
    sub(/^src\//, "", file)
    sub(/\/.*/, "", file)
    return file
  }

  function check_file(    folder, name, text) {
    line = 0
    folder = folder_of(file)
    if (folder == "") return complain("is in no layer")
    name = file
    sub(/.*\//, "", name)
    sub(/\.[ch]$/, "", name)
    if (folder != "cli" && !place(folder, name)) return complain("layers.txt does not name it")
    while ((getline text < file) > 0) {
      line++
      if (text ~ /^[ \t]*#[ \t]*include/) check_include(folder, name, text)
    }
    close(file)
  }

  BEGIN {
    while ((getline text < rules) > 0) {
      if (text ~ /^#|^$/) continue
      count = split(text, words, " ")
      level++
      for (i = 3; i <= count; i++) {
        order[words[1] "/" words[i]] = level
        module[words[1] "/" words[i]] = words[1] " " words[2]
      }
    }
  }
  { exists[$0] = 1; files[NR] = $0 }
  END {
    for (i = 1; i <= NR; i++) { file = files[i]; check_file() }
    line = 0
    for (key in order) {
      path = "src/" key
      sub(/^src\/public/, "include/clreshape", path)
      if (!((path ".c") in exists) && !((path ".h") in exists)) {
        file = "layers.txt"
        complain("names " key ", which is not there")
      }
    }
    if (NR == 0) { print "there is no source"; failed = 1 }
    if (!failed) print NR " files keep to the layers"
    exit failed
  }'
