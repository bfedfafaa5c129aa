# Completion of clreshape for bash. The options of a command are read from the command's own help.
#
# SPDX-License-Identifier: Apache-2.0
_clreshape() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local program=${COMP_WORDS[0]} said
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    said=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$said --help --version" -- "$current")
  elif [ "$before" = --device ]; then
    said=$("$program" devices --json 2>/dev/null | grep -o '"id": *"[0-9:]*"' | grep -o '[0-9]*:[0-9]*')
    mapfile -t COMPREPLY < <(compgen -W "$said" -- "$current")
  elif [ "${current#-}" != "$current" ]; then
    said=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -e '--[a-z-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$said --help" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _clreshape clreshape
