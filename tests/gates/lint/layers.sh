#!/bin/sh
# Checks the dependencies between the folders and within the folders: layers.sh ROOT. Every #include
# of include/ and src/ must be allowed by layers.txt, which must name every file. A header is
# included by name alone, so no two headers share a name with each other or with a system header.
# <...> is for public and system headers. src/python is exempt, because the package sees the public
# headers through a generated layout.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1
rules=$(cd "$(dirname "$0")" && pwd)/layers.txt

cd "$root"
find include src -type f ! -name '*.md' ! -path 'src/python/*' | LC_ALL=C sort | awk -v rules="$rules" '
  function complain(text) { print file (line ? ":" line : "") ": " text; failed = 1 }

  # The arrow from NAME in FOLDER to the header NAME.h of TARGET: within a folder by order.
  function check_arrow(folder, name, target, header) {
    if (target == "") return complain("there is no header " header ".h in src, or the one folder it is in is not named")
    if (target != folder) {
      if ((folder, target) in allowed) return
      return complain(folder " must not include " header ".h of " target)
    }
    if (order[target, header] > order[folder, name])
      complain(folder " " module[folder, name] " must not know " module[target, header] " (\"" header ".h\")")
  }

  function is_standard(target) {
    return target ~ /^(assert|ctype|errno|inttypes|limits|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string)\.h$/
  }

  function check_public(name, target, quoted) {
    if (quoted && target !~ /\//) {
      sub(/\.h$/, "", target)
      return check_arrow("public", name, ("public", target) in order ? "public" : "", target)
    }
    if (!quoted && target ~ /^std(bool|def|int)\.h$/) return
    if (!quoted && target ~ /^(CL|OpenCL)\/cl\.h$/ && name == "device") return
    if (!quoted && name ~ /\.hpp$/ && target !~ /\./) return # those of C++
    complain("a public header must not include " target)
  }

  function check_private(folder, name, target, quoted) {
    if (("include/" target) in exists) {
      if ((folder, "all") in allowed || target ~ /^clreshape\/(core|map|plan)\.h$/) return
    } else if (quoted && target !~ /\//) {
      if (target == "onnx.pb-c.h" && folder == "onnx") return # made at build time
      if (target ~ /^(shared|numbers|mapped)\.h$/ && (folder, target) in allowed) return # of kernels
      sub(/\.h$/, "", target)
      return check_arrow(folder, name, home[target], target)
    } else if (!quoted && target !~ /^\./ && !(target in home)) {
      if (is_standard(target) || (folder, "<" target ">") in allowed) return
      if ((folder, "<any>") in allowed && target !~ /^src\//) return
      if (name == "poison" && target ~ /^sanitizer\/[al]san_interface\.h$/) return
    }
    complain(folder " must not include " target)
  }

  function check_include(folder, name, text,    quoted, target) {
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
    quoted = text ~ /^"/
    if (text !~ /^"[^"]+"|^<[^>]+>/) return complain("an #include whose file is not spelled out")
    target = text
    sub(/^["<]/, "", target)
    sub(/[">].*$/, "", target)
    if (folder == "public") check_public(name, target, quoted)
    else check_private(folder, name, target, quoted)
  }

  function check_file(    folder, name, text) {
    line = 0
    folder = folder_of[file]
    if (folder == "") return complain("is in no folder that layers.txt names")
    name = name_of[file]
    if (!((folder, name) in order)) return complain("layers.txt does not name it")
    while ((getline text < file) > 0) {
      line++
      if (text ~ /^[ \t]*#[ \t]*include/) check_include(folder, name, text)
    }
    close(file)
  }

  # For each file the folder and the name. For each private header the folder of the header.
  function find_homes(    i, path, parts, count, folder, base) {
    for (i = 1; i <= NR; i++) {
      path = file = files[i]
      sub(/^include\/clreshape\//, "src/public/", path)
      count = split(path, parts, "/")
      base = parts[count]
      folder = substr(path, 5, length(path) - length(base) - 5) # without src/
      if (!(folder in folders) || base !~ /^[a-z0-9_]+\.([ch]|hpp)$/) continue
      folder_of[file] = folder
      name_of[file] = base
      sub(/\.[ch]$/, "", name_of[file])
      if (base !~ /\.h$/ || folder == "public") continue
      if (name_of[file] in home) complain("src/" home[name_of[file]] " has a header of that name too")
      if (base in of_system) complain("the system has a header of that name")
      home[name_of[file]] = folder
    }
  }

  BEGIN {
    while (("ls /usr/include" | getline text) > 0) of_system[text] = 1
    while ((getline text < rules) > 0) {
      if (text ~ /^#|^$/) continue
      count = split(text, words, " ")
      first = 1
      if (text !~ /^ /) { # FOLDER: what it may include
        folder = substr(words[1], 1, length(words[1]) - 1)
        folders[folder] = 1
        for (i = 2; i <= count; i++) allowed[folder, words[i]] = 1
        continue
      }
      if (text !~ /^   /) { # a module; a deeper line goes on with it
        level++
        title = words[1]
        first = 2
      }
      for (i = first; i <= count; i++) {
        order[folder, words[i]] = level
        module[folder, words[i]] = title
      }
    }
  }
  { exists[$0] = 1; files[NR] = $0 }
  END {
    find_homes()
    for (i = 1; i <= NR; i++) { file = files[i]; check_file() }
    line = 0
    for (key in order) {
      split(key, parts, SUBSEP)
      path = parts[1] == "public" ? "include/clreshape" : "src/" parts[1]
      path = path "/" parts[2]
      if (!((path ".c") in exists) && !((path ".h") in exists) && !(path in exists)) {
        file = "layers.txt"
        complain("names " path ", which is not there")
      }
    }
    if (NR == 0) { print "there is no source"; failed = 1 }
    if (!failed) print NR " files keep to the layers"
    exit failed
  }'
