#!/bin/sh
# Checks the arrows between the layers: layers.sh ROOT. Every #include of src/ must be one that
# layers.txt or the rules below allow, and layers.txt must name every file of core and runtime.
#
#   core     core headers as layers.txt orders them, clreshape/core.h, the C library
#   runtime  the same for runtime; any core header; clreshape/*.h, CL/cl.h, the C library, pthread
#   cli      headers of its own folder (NAME.c or its helpers), clreshape/*.h, and any system
#            header; nothing private to core or runtime
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1
rules=$(cd "$(dirname "$0")" && pwd)/layers.txt

cd "$root"
for folder in src/*/; do
  case $folder in
  src/core/ | src/runtime/ | src/cli/) ;;
  *) echo "$folder: not a layer that layers.sh knows" && exit 1 ;;
  esac
done
if [ -n "$(find src -type f ! -path 'src/*/*.[ch]')" ]; then
  echo "src: holds a file that is not src/LAYER/NAME.c or .h:"
  find src -type f ! -path 'src/*/*.[ch]'
  exit 1
fi

find src -type f | LC_ALL=C sort | awk -v rules="$rules" '
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

  function is_standard(target) {
    return target ~ /^(assert|ctype|errno|inttypes|limits|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string)\.h$/
  }

  function check_core(name, target, quoted) {
    if (quoted && target == "clreshape/core.h") return
    if (quoted && target !~ /\//) return check_own("core", name, target)
    if (!quoted && is_standard(target)) return
    complain("core must not include " target)
  }

  function check_runtime(name, target, quoted) {
    if (quoted && target ~ /^clreshape\/[a-z]+\.h$/) return
    if (quoted && target ~ /^\.\.\/core\/[a-z_]+\.h$/) return
    if (quoted && target !~ /\//) return check_own("runtime", name, target)
    if (!quoted && (is_standard(target) || target == "CL/cl.h" || target == "pthread.h")) return
    complain("runtime must not include " target)
  }

  function check_cli(target, quoted) {
    if (target ~ /^clreshape\/[a-z]+\.h$/) return
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
    if (folder == "core") check_core(name, target, quoted)
    else if (folder == "runtime") check_runtime(name, target, quoted)
    else check_cli(target, quoted)
  }

  function check_file(    parts, name, text) {
    split(file, parts, "/")
    name = parts[3]
    sub(/\.[ch]$/, "", name)
    line = 0
    if (parts[2] != "cli" && !place(parts[2], name)) return complain("layers.txt does not name it")
    while ((getline text < file) > 0) {
      line++
      if (text ~ /^[ \t]*#[ \t]*include/) check_include(parts[2], name, text)
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
        module[words[1] "/" words[i]] = words[2]
      }
    }
  }
  { exists[$0] = 1; files[NR] = $0 }
  END {
    for (i = 1; i <= NR; i++) { file = files[i]; check_file() }
    line = 0
    for (key in order) {
      if (!(("src/" key ".c") in exists) && !(("src/" key ".h") in exists)) {
        file = "layers.txt"
        complain("names " key ", which is not there")
      }
    }
    if (NR == 0) { print "src is empty"; failed = 1 }
    if (!failed) print NR " files keep to the layers"
    exit failed
  }'
