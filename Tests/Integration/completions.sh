#!/usr/bin/env bash
# Completes a command line in each real shell: `completions.sh METRICC`. A shell that is not there is said.
set -uo pipefail
metricc="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
ln -s "$metricc" "$folder/metricc"
export PATH="$folder:$PATH" HOME="$folder"
failed=0

expect() { # shell, wanted word, what was offered
  if grep -qw -- "$2" <<<"$3"; then
    echo "$1 offers $2"
  else
    echo "$1 does not offer $2, but: $3" >&2
    failed=1
  fi
}

if command -v bash >/dev/null; then
  metricc --generate-completion-script bash >"$folder/metricc.bash"
  offered() {
    bash --norc -c '
      source "$1"; shift
      COMP_WORDS=(metricc "$@"); COMP_CWORD=$#; COMP_LINE="metricc $*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
      function="$(complete -p metricc | sed "s/.*-F \([^ ]*\).*/\1/")"
      "$function" metricc "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
      printf "%s\n" "${COMPREPLY[@]}"' -- "$folder/metricc.bash" "$@"
  }
  expect bash watch "$(offered w)"
  expect bash --strict "$(offered check --)"
  expect bash sarif "$(offered check --format '')"
else
  echo "there is no bash on the path"
fi

if command -v fish >/dev/null; then
  metricc --generate-completion-script fish >"$folder/metricc.fish"
  offered() { fish --no-config -c "source $folder/metricc.fish; complete -C '$1'" 2>/dev/null; }
  expect fish watch "$(offered 'metricc w')"
  expect fish --strict "$(offered 'metricc check --')"
  expect fish sarif "$(offered 'metricc check --format ')"
else
  echo "there is no fish on the path"
fi

if command -v zsh >/dev/null; then
  mkdir "$folder/functions"
  metricc --generate-completion-script zsh >"$folder/functions/_metricc"
  # zsh completes only for a terminal: the module zpty gives it one.
  offered() {
    zsh -f -c '
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PROMPT=; fpath=('"$folder"'/functions \$fpath); autoload -Uz compinit; compinit -u -D; zstyle \":completion:*\" list-prompt \"\"; LISTMAX=0; setopt auto_list no_beep; print REA""DY"
      while zpty -r shell line; do [[ $line == *READY* ]] && break; done
      zpty -w -n shell "$1"$'"'\t\t'"'
      sleep 2
      while zpty -r -t shell line; do print -r -- "$line"; done
      zpty -d shell' -- "$1" 2>/dev/null | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | tr '\r' '\n'
  }
  expect zsh watch "$(offered 'metricc wa')"
  expect zsh --strict "$(offered 'metricc check --st')"
  expect zsh sarif "$(offered 'metricc check --format s')"
else
  echo "there is no zsh on the path"
fi
exit "$failed"
