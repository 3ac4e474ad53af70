internal import SwitchyardText

/// The scripts for the far machine, for POSIX `sh`: they need only `curl` there.
///
/// The helper makes a folder (0700) with `browse` (for `BROWSER`) and `session` (which the person's session runs),
/// waits for its input to end, and removes the folder. Its input shows that this side is alive: if it is silent for a
/// while, the connection is lost, and the helper removes the folder as well.
public enum FarSideScript {
    /// The helper's reports, one line each, behind a secret word.
    public enum Report: Equatable, Sendable {
        /// The folder is there. Whether addresses can be sent through the socket (curl or `switchyard` is there).
        case folder(String, canSend: Bool)
        /// The socket has its stable path.
        case ready
        /// No folder can be had.
        case noFolder

        public init?(_ line: String, nonce: String) {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 2, words[0] == nonce else { return nil }
            switch (words[1], words.count) {
            case ("folder", 4) where FarSideScript.isUsablePath(String(words[3])):
                self = .folder(String(words[3]), canSend: words[2] == "yes")
            case ("ready", 2): self = .ready
            case ("none", 2): self = .noFolder
            default: return nil
            }
        }
    }

    /// How often the near side shows that it is alive, in seconds. The far side waits for three of them.
    public static let beatInterval: Int64 = 10

    /// The helper, for the standard input of `sh`.
    /// - Parameters:
    ///   - nonce: letters and digits that the far machine could not foresee.
    ///   - command: of the person; nil for a login shell.
    public static func helper(nonce: String, command: String?) -> String {
        helperText
            .replacing("@NONCE@", with: nonce)
            .replacing("@PATIENCE@", with: String(beatInterval * 3))
            .replacing("@BROWSE@", with: browse)
            .replacing("@BASH@", with: FarSessionScript.bash)
            .replacing("@ZSH@", with: FarSessionScript.zsh)
            .replacing("@SESSION@", with: FarSessionScript.text(command: command))
    }

    /// The command for the session's `ssh`.
    public static func sessionCommand(folder: String) -> String { "exec sh \(folder)/session" }

    /// Whether a path needs no quoting in a shell, and is valid in `BROWSER` and in `ssh -R`.
    public static func isUsablePath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= 100
            && path.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "/._+,@=-".utf8.contains($0) }
    }

    /// One word for `sh`.
    public static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The same, without quotes if the text needs no quoting.
    public static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "/._+,:@=-".utf8.contains($0) }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// Ends at once, with 0: tools wait for their browser, or count its status.
    private static let browse = #"""
        #!/bin/sh
        here=${0%/*}
        # Some tools give a browser options of one that they know.
        address=
        for word; do
            case $word in
            [Hh][Tt][Tt][Pp]:* | [Hh][Tt][Tt][Pp][Ss]:*) address=$word && break ;;
            -*) ;;
            *) [ -n "$address" ] || address=$word ;;
            esac
        done
        [ -n "$address" ] || exit 0

        # A multiplexer outlives connections: what was started in it asks whoever is there now.
        newest=${here%/*}/socket
        if [ -n "${TMUX:-}${STY:-}" ]; then places="$newest $here/socket"; else places="$here/socket $newest"; fi

        # A program may have had the address from anywhere: nothing of it moves a cursor.
        show() {
            text=$(printf '%s' "switchyard: $1; open this address in a browser: $address" | LC_ALL=C tr -cd '\040-\176')
            if [ -t 2 ]; then printf '%s\n' "$text" >&2; else { printf '%s\r\n' "$text" >/dev/tty; } 2>/dev/null || printf '%s\n' "$text" >&2; fi
        }

        # Nobody takes it: the person has it on the screen, and `switchyard paste` in its book.
        keep() {
            if [ -z "$own" ]; then
                show 'nobody is connected'
            else
                { "$own" browse "$address" 2>/dev/tty; } 2>/dev/null || "$own" browse "$address"
            fi
        }

        send() {
            for place in $places; do
                [ -S "$place" ] || continue
                if [ -n "$own" ] && SWITCHYARD_BROWSE_SOCKET=$place "$own" browse "$address"; then return 0; fi
                [ -n "$curl" ] || continue
                printf '%s' "$address" | "$curl" -q -s -f --noproxy '*' --max-time 20 --unix-socket "$place" \
                    -H 'Content-Type: text/plain' --data-binary @- http://localhost/browse && return 0
            done
            return 1
        }

        own=$(command -v switchyard) || own=
        curl=$(command -v curl) || curl=
        [ -n "$own$curl" ] || { show 'there is no curl here'; exit 0; }
        found=
        for place in $places; do [ -S "$place" ] && found=yes; done
        if [ -z "$found" ]; then
            if [ -n "$own" ]; then "$own" browse "$address"; else show 'nobody is connected'; fi
            exit 0
        fi
        { send || keep; } </dev/null >/dev/null 2>&1 &
        exit 0
        """#

    private static let helperText = #"""
        umask 077

        # Whether the folder of another session is in use; one that has no number yet is being made.
        is_alive() {
            process=$(cat "$1/pid" 2>/dev/null)
            [ -z "$process" ] || kill -0 "$process" 2>/dev/null
        }

        write_browse() {
            cat >"$1" <<'@NONCE@-browse'
        @BROWSE@
        @NONCE@-browse
            chmod 700 "$1"
        }

        # Makes what the session runs, and what the shell that it begins reads.
        write_session() {
            mkdir "$1/start.zsh" || return 1
            cat >"$1/start.bash" <<'@NONCE@-bash'
        @BASH@
        @NONCE@-bash
            cat >"$1/start.zsh/.zshenv" <<'@NONCE@-zsh'
        @ZSH@
        @NONCE@-zsh
            cat >"$1/session" <<'@NONCE@-session'
        @SESSION@
        @NONCE@-session
        }

        # Says who owns a folder, by number; fails where its group or others may write.
        owner_of() {
            look=$(ls -ldn "$1/." 2>/dev/null) || return 1
            case $look in d????[!w]??[!w]*) ;; *) return 1 ;; esac
            set -- $look
            echo "$3"
        }

        # Whether no other user can put a folder in the place of the one just made: BROWSER lives on in a multiplexer when that
        # is gone.
        is_private() {
            own=$(owner_of "$folder") || return 1
            for place in "$1" "${base%/*}" "$base"; do
                [ "$(owner_of "$place")" = "$own" ] || return 1
            done
        }

        # Makes the first folder below $1/$2 whose number is free.
        make_folder() {
            [ -n "$1" ] || return 1
            base=$1/$2/$name
            case $base in /*) ;; *) return 1 ;; esac
            case $base in *[!A-Za-z0-9._/+,@=-]*) return 1 ;; esac
            # The path of a socket is short (unix(7)): 107 bytes on Linux, less elsewhere.
            most=80
            [ "$(uname -s)" != Linux ] || most=97
            [ "${#base}" -le "$most" ] || return 1
            mkdir -p "$base" 2>/dev/null || return 1
            number=1
            while [ "$number" -le 99 ]; do
                folder=$base/$number
                if mkdir "$folder" 2>/dev/null || { ! is_alive "$folder" && rm -rf "$folder" && mkdir "$folder" 2>/dev/null; }; then
                    is_private "$1" && echo "$$" >"$folder/pid" && write_browse "$folder/browse" && write_session "$folder" || break
                    # Where no program may be run, that is no place.
                    "$folder/browse" 2>/dev/null && return 0
                    break
                fi
                number=$((number + 1))
            done
            rm -rf "$folder"
            rmdir "$base" "${base%/*}" 2>/dev/null
            folder=
            return 1
        }

        # Lets the stable path lead to the newest session that is there, and the folders of those that are over too: what was
        # started in one may outlive it. All that goes with the last.
        lead() {
            newest=
            for place in $(ls -td "$base"/*/socket 2>/dev/null); do
                place=${place%/socket}
                [ ! -L "$place" ] || continue
                if [ -e "$place/pid" ] && is_alive "$place"; then newest=${place##*/} && break; fi
                rm -rf "$place"
            done
            for place in "$base"/* "$folder"; do
                case $place in
                "$base/socket"*) [ -z "$newest" ] || continue ;;
                "$folder") [ ! -d "$folder" ] || [ -L "$folder" ] || continue ;;
                *) [ -L "$place" ] || continue ;;
                esac
                rm -f "$place"
                [ -z "$newest" ] || ln -s "$newest" "$place"
            done
            if [ -z "$newest" ]; then
                rmdir "$base" "${base%/*}" 2>/dev/null
                return 0
            fi
            ln -s "$newest/socket" "$base/socket.$$" && mv -f "$base/socket.$$" "$base/socket"
            # It may have ended meanwhile, and have seen nothing of this.
            [ -e "$base/$newest/pid" ] || lead
        }

        clean() {
            trap '' HUP INT TERM
            [ -z "$watcher" ] || kill "$watcher" 2>/dev/null
            rm -rf "$folder"
            lead
        }

        # Ends everything once nothing has come for a while.
        watch() {
            trap 'kill "$nap" 2>/dev/null; exit 0' TERM
            while :; do
                sleep @PATIENCE@ &
                nap=$!
                wait "$nap"
                [ -e "$folder/beat" ] || break
                rm -f "$folder/beat"
            done
            watcher=
            clean
            kill -9 "$$"
        }

        main() {
            watcher=
            name=$(uname -n | tr -c 'A-Za-z0-9._\n-' '_')
            # No third place, such as /tmp: there another user could make the same path once it is gone.
            make_folder "${HOME:-}" .switchyard || make_folder "${XDG_RUNTIME_DIR:-}" switchyard ||
                { echo '@NONCE@ none'; return; }
            trap 'exit 1' HUP INT TERM
            trap clean EXIT
            can=no
            if command -v curl >/dev/null || command -v switchyard >/dev/null; then can=yes; fi
            : >"$folder/beat"
            watch </dev/null >/dev/null 2>&1 &
            watcher=$!
            echo "@NONCE@ folder $can $folder"
            # The socket is there once the first line comes.
            read -r line || return
            lead
            echo '@NONCE@ ready'
            while read -r line; do : >"$folder/beat"; done
        }

        main

        """#
}
