internal import SwitchyardConfiguration
internal import SwitchyardPhrases
internal import SwitchyardReactor
internal import Synchronization

/// Shows one desktop notification when the agent leaves a file of apps out, because people rarely read the log of an
/// agent.
final class LeftOutNotice: Sendable {
    private let told = Mutex(Set<String>())

    /// Only from a loop.
    /// - Parameter warnings: all warnings of a configuration that was taken.
    func look(at warnings: [String]) {
        let faults = Set(warnings.filter { $0.contains(Diagnostic.leftOutWords) })
        let isNew = told.withLock { told in
            defer { told = faults }
            return !faults.isSubset(of: told)
        }
        guard isNew, let loop = EventLoop.current else { return }
        loop.start {
            let words = Language.ofPerson.phrases.desktop.appsLeftOut
            _ = await DesktopNotification.show(words.heading, words.text)
        }
    }
}
