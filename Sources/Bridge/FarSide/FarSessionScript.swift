/// The script of the person's session on the far machine: it sets `BROWSER`, and starts the person's shell.
///
/// The shell's start-up files run after that, and may set another `BROWSER`. So ours is set once more behind them: by
/// the first words of a command, and by a file that an interactive shell reads last. If the shell offers neither, one
/// line says so.
enum FarSessionScript {
    /// - Parameter command: of the person; nil for a login shell.
    static func text(command: String?) -> String {
        guard let command else { return beginning + greeting + interactive }
        return beginning + prefix + #"exec "$shell" -c "$first"\#(FarSideScript.quoted(command))"#
    }

    private static let beginning = #"""
        here=${0%/*}
        BROWSER=$here/browse
        # Tools that look for a display before they try a browser find one; no program could draw on it.
        : "${MIR_SOCKET=/dev/null}" "${XDG_CURRENT_DESKTOP=X-Generic}"
        export BROWSER MIR_SOCKET XDG_CURRENT_DESKTOP
        shell=${SHELL:-/bin/sh}

        """#

    /// Shells that read a start-up file before each command. bash does where ssh begins it.
    private static let prefix = #"""

        case ${shell##*/} in
        bash | zsh) first="export BROWSER=$BROWSER; " ;;
        fish) first="set -gx BROWSER $BROWSER; " ;;
        csh | tcsh) first="setenv BROWSER $BROWSER; " ;;
        *) first= ;;
        esac

        """#

    /// The server's greeting (sshd(8), pam_motd(8)), which it omits for a session with a command.
    private static let greeting = #"""

        (
            [ -t 1 ] && [ ! -e "${HOME:-}/.hushlogin" ] || exit
            message=
            for file in /etc/motd /run/motd /usr/lib/motd; do
                if [ -z "$message" ] && [ -f "$file" ]; then message=$file; fi
            done
            for file in /run/motd.dynamic "$message" /etc/motd.d/*; do
                if [ -f "$file" ]; then cat "$file"; fi
            done
        ) 2>/dev/null

        """#

    private static let interactive = #"""

        # Whether a start-up file of the shell sets another BROWSER.
        sets_another() {
            [ -f "$1" ] && [ -r "$1" ] || return 1
            while read -r line || [ -n "$line" ]; do
                case $line in
                '#'*) ;;
                *BROWSER=* | *setenv*BROWSER*) return 0 ;;
                esac
            done <"$1"
            return 1
        }

        is_interactive=
        if [ -t 0 ] && [ -t 2 ]; then is_interactive=yes; fi
        case ${shell##*/}$is_interactive in
        bashyes)
            # In POSIX mode bash reads the file of ENV in the place of its own start-up files, which that file reads then.
            if [ -r "$here/start.bash" ]; then
                if [ -n "${ENV+set}" ]; then SWITCHYARD_ENV=$ENV && export SWITCHYARD_ENV; fi
                ENV=$here/start.bash
                export ENV
                exec "$shell" --posix -l
            fi
            ;;
        zshyes)
            if [ -r "$here/start.zsh/.zshenv" ]; then
                if [ -n "${ZDOTDIR+set}" ]; then SWITCHYARD_ZDOTDIR=$ZDOTDIR && export SWITCHYARD_ZDOTDIR; fi
                ZDOTDIR=$here/start.zsh
                export ZDOTDIR
            fi
            ;;
        fish*) exec "$shell" -l -C "set -gx BROWSER $BROWSER" ;;
        *)
            for file in /etc/profile "${HOME:-}/.profile" "${HOME:-}/.bash_profile" "${HOME:-}/.zprofile" "${HOME:-}/.kshrc" \
                "${HOME:-}/.mkshrc" "${HOME:-}/.yashrc" "${HOME:-}/.cshrc" "${HOME:-}/.tcshrc" "${HOME:-}/.login" \
                "${ENV:-}"; do
                if sets_another "$file"; then
                    echo "switchyard: $file sets another BROWSER, and ${shell##*/} gives no way to set ours after it: what tools" \
                        "open is not seen. Take that line out there, or type: export BROWSER=$BROWSER" >&2
                    break
                fi
            done
            ;;
        esac
        exec "$shell" -l
        """#

    /// The file that bash reads instead of its start-up files (bash(1), INVOCATION).
    static let bash = #"""
        set +o posix
        shopt -u inherit_errexit 2>/dev/null
        if [ -n "${SWITCHYARD_ENV+set}" ]; then ENV=$SWITCHYARD_ENV; else unset ENV; fi
        unset SWITCHYARD_ENV
        # The one of POSIX mode.
        if [ "${HISTFILE:-}" = "${HOME:-}/.sh_history" ]; then HISTFILE=$HOME/.bash_history; fi
        _switchyard_browser=$BROWSER
        if [ -r /etc/profile ]; then . /etc/profile; fi
        if [ -r ~/.bash_profile ]; then
            . ~/.bash_profile
        elif [ -r ~/.bash_login ]; then
            . ~/.bash_login
        elif [ -r ~/.profile ]; then
            . ~/.profile
        fi
        export BROWSER="$_switchyard_browser"
        unset _switchyard_browser
        """#

    /// The file that zsh reads first: it leads back to the person's own files, and sets `BROWSER` before the first
    /// prompt.
    static let zsh = #"""
        if [[ -n ${SWITCHYARD_ZDOTDIR+set} ]]; then
            export ZDOTDIR=$SWITCHYARD_ZDOTDIR
            unset SWITCHYARD_ZDOTDIR
        else
            unset ZDOTDIR
        fi
        typeset -g _switchyard_browser=$BROWSER
        _switchyard_keep() {
            emulate -L zsh
            export BROWSER=$_switchyard_browser
            precmd_functions=(${precmd_functions:#_switchyard_keep})
            unset _switchyard_browser
            unfunction _switchyard_keep
        }
        typeset -ga precmd_functions
        precmd_functions+=(_switchyard_keep)
        if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then source ${ZDOTDIR:-$HOME}/.zshenv; fi
        """#
}
