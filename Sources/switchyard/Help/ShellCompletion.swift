/// A shell that completes the program's commands and options, by a script.
enum ShellCompletion: String, CaseIterable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let ownOptions = [ProgramHelp.help, ProgramHelp.version]

    // MARK: bash

    private static var bashScript: String {
        let names = (Switchyard.commands.map { $0.name } + ownOptions.map { "--" + $0.name }).joined(separator: " ")
        let commands = Switchyard.commands.map(bashCase).joined(separator: "\n")
        return """
            # bash completion for switchyard

            _switchyard() {
                local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words values=none
                # "--config=FILE" comes in three parts.
                if [[ $word == = ]]; then
                    word=
                elif [[ $option == = ]]; then
                    option=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                if ((COMP_CWORD == 1)); then
                    mapfile -t COMPREPLY < <(compgen -W "\(names)" -- "$word")
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(commands)
                *) return ;;
                esac
                case $values in
                none) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
                text) COMPREPLY=() ;;
                file)
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                directory)
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
                *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word") ;;
                esac
            }

            complete -F _switchyard switchyard
            """
    }

    private static func bashCase(_ command: any Command.Type) -> String {
        let words = command.operands.words + command.allOptions.map { "--" + $0.name }
        let values = command.options.compactMap { option in
            bashValues(of: option).map { "        --\(option.name)) \($0) ;;" }
        }
        let lines =
            ["\(command.name))", "    words=\"\(words.joined(separator: " "))\"", "    case $option in"] + values
            + ["    esac ;;"]
        return lines.map { "    " + $0 }.joined(separator: "\n")
    }

    private static func bashValues(of option: Option) -> String? {
        switch option.value?.kind {
        case nil: nil
        case .text: "values=text"
        case .file: "values=file"
        case .directory: "values=directory"
        case .word(let words): "values=\"\(words.joined(separator: " "))\""
        }
    }

    // MARK: zsh

    private static var zshScript: String {
        let commands = Switchyard.commands.map { "'\($0.name):\(escapedForZsh($0.summary))'" }
        let cases = Switchyard.commands.map { command in
            var specifications = command.allOptions.map(zshSpecification)
            switch command.operands {
            case .none, .everything: break
            case .one(let name, let words), .optional(let name, let words):
                let action = words.isEmpty ? " " : "(\(words.joined(separator: " ")))"
                specifications.append("':\(escapedForZsh(name)):\(action)'")
            }
            return "\(command.name))\n    _arguments \\\n"
                + specifications.map { "        \($0)" }.joined(separator: " \\\n") + " ;;"
        }
        return """
            #compdef switchyard
            # zsh completion for switchyard

            _switchyard() {
                local curcontext="$curcontext" state line
                local -A opt_args
                local -a commands=(
            \(commands.joined(separator: "\n").indented(by: 8))
                )
                _arguments -C \\
            \(ownOptions.map { "        '(- *)--\($0.name)[\(escapedForZsh($0.summary))]' \\" }.joined(separator: "\n"))
                    '1:command:->command' \\
                    '*::argument:->argument'
                case $state in
                command) _describe -t commands command commands ;;
                argument)
                    case $words[1] in
            \(cases.joined(separator: "\n").indented(by: 8))
                    esac ;;
                esac
            }

            if [[ $funcstack[1] == _switchyard ]]; then
                _switchyard "$@"
            else
                compdef _switchyard switchyard
            fi
            """
    }

    private static func zshSpecification(_ option: Option) -> String {
        let summary = "[\(escapedForZsh(option.summary))]"
        guard let value = option.value else { return "'--\(option.name)\(summary)'" }
        let action =
            switch value.kind {
            case .text: " "
            case .file: "_files"
            case .directory: "_files -/"
            case .word(let words): "(\(words.joined(separator: " ")))"
            }
        return "'--\(option.name)=\(summary):\(escapedForZsh(value.placeholder)):\(action)'"
    }

    /// For the inside of a specification, and of single quotes.
    private static func escapedForZsh(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "'": escaped += #"'\''"#
            case ":", "[", "]", "\\": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    // MARK: fish

    private static var fishScript: String {
        let commands = Switchyard.commands.flatMap { command in
            let isIt = "-n '__switchyard_runs \(command.name)'"
            let words = command.operands.words
            let operand = words.isEmpty ? [] : ["\(isIt) -a '\(words.joined(separator: " "))'"]
            return ["-n __switchyard_runs -a \(command.name) -d \(quotedForFish(command.summary))"] + operand
                + command.allOptions.map { "\(isIt) \(fishOption($0))" }
        }
        let own = ownOptions.map { "-n __switchyard_runs \(fishOption($0))" }
        return """
            # fish completion for switchyard

            # Whether the command is the given one, or none yet.
            function __switchyard_runs
                set -l words (commandline -opc)
                if set -q argv[1]
                    test (count $words) -gt 1; and test "$words[2]" = $argv[1]
                else
                    test (count $words) -eq 1
                end
            end

            complete -c switchyard -f
            \((own + commands).map { "complete -c switchyard \($0)" }.joined(separator: "\n"))
            """
    }

    private static func fishOption(_ option: Option) -> String {
        let value =
            switch option.value?.kind {
            case nil: ""
            case .text: " -x"
            case .file: " -r -F"
            case .directory: " -x -a '(__fish_complete_directories)'"
            case .word(let words): " -x -a '\(words.joined(separator: " "))'"
            }
        return "-l \(option.name)\(value) -d \(quotedForFish(option.summary))"
    }

    private static func quotedForFish(_ text: String) -> String {
        let escaped = text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "'\(String(escaped))'"
    }
}

extension Operands {
    fileprivate var words: [String] {
        switch self {
        case .none, .everything: []
        case .one(_, let words), .optional(_, let words): words
        }
    }
}

extension String {
    fileprivate func indented(by width: Int) -> String {
        let margin = String(repeating: " ", count: width)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }
}
