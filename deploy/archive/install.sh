#!/bin/sh
# Installs Switchyard below a folder, or removes it again: install.sh --prefix DIR [--uninstall]
#
#     ./install.sh --prefix ~/.local          # needs no rights
#     sudo ./install.sh --prefix /usr/local
set -eu
here="$(cd "$(dirname "$0")" && pwd)"

usage() {
    echo "usage: install.sh --prefix DIR [--uninstall], such as: ./install.sh --prefix ~/.local" >&2
    exit 2
}

prefix="" uninstall=""
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix) [ $# -ge 2 ] || usage; prefix="$2"; shift ;;
        --prefix=*) prefix="${1#--prefix=}" ;;
        --uninstall) uninstall=yes ;;
        --help | -h) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) usage ;;
    esac
    shift
done
[ -n "$prefix" ] || usage
# The units name the program by its whole path, with characters escaped that systemd would interpret.
case "$prefix" in *[!A-Za-z0-9/._~+-]*) echo "install.sh: \"$prefix\" has characters that a unit cannot hold: choose another folder" >&2; exit 2 ;; esac

list="share/switchyard/installed-files"
if [ -n "$uninstall" ]; then
    [ -f "$prefix/$list" ] || {
        echo "install.sh: nothing of Switchyard is installed below \"$prefix\": \"$prefix/$list\" is missing" >&2
        exit 1
    }
    # The list itself is removed too, so note its folders first, the deepest in front.
    folders="$(sed -e 's:/[^/]*$::' "$prefix/$list" | awk '{ while ($0 != "") { print; if (!sub(/\/[^\/]*$/, "")) break } }' | sort -ru)"
    files="$(cat "$prefix/$list")"
    printf '%s\n' "$files" | while IFS= read -r file; do rm -f "$prefix/$file"; done
    # Folders with files of others stay.
    printf '%s\n' "$folders" | while IFS= read -r folder; do rmdir "$prefix/$folder" 2>/dev/null || :; done
    echo "removed from $prefix"
    exit 0
fi

mkdir -p "$prefix"
prefix="$(cd "$prefix" && pwd)"
"$here/files/bin/switchyard" --version >/dev/null || {
    echo "install.sh: the program does not start here; install the libraries that are \"not found\" in this list first:" >&2
    ldd "$here/files/bin/switchyard" >&2 || :
    exit 1
}

cd "$here/files"
find . -type f | sed 's:^\./::' | sort | while IFS= read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    # Rename a new file into place, because the program may be running.
    case "$file" in
        */systemd/*) sed "s:/usr/bin/switchyard:$prefix/bin/switchyard:g" "$file" > "$prefix/$file.new" ;;
        *) cp "$file" "$prefix/$file.new" ;;
    esac
    case "$file" in bin/*) chmod 755 "$prefix/$file.new" ;; *) chmod 644 "$prefix/$file.new" ;; esac
    mv "$prefix/$file.new" "$prefix/$file"
done
mkdir -p "$prefix/$(dirname "$list")"
{ find . -type f | sed 's:^\./::'; echo "$list"; } | sort > "$prefix/$list"

echo "installed below $prefix; try: $prefix/bin/switchyard demo"
echo "$prefix/share/doc/switchyard/docs/install.md says how a service is made of it"
