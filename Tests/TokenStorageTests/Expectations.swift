import Dispatch
import SwitchyardTokenStorage
import Testing

/// Expects an error of `kind` with a message and a remedy, and returns it.
@discardableResult
func expectError(
    _ kind: TokenStorageError.Kind, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> TokenStorageError? {
    let error = #expect(throws: TokenStorageError.self, comment, sourceLocation: sourceLocation, performing: body)
    #expect(error?.kind == kind, comment, sourceLocation: sourceLocation)
    #expect(error?.message.isEmpty == false && error?.remedy.isEmpty == false, comment, sourceLocation: sourceLocation)
    return error
}

/// Runs blocking work away from the threads that run tests; the error, if there was one.
func offPool(_ body: @escaping @Sendable () throws -> Void) async -> (any Error)? {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            do {
                try body()
                continuation.resume(returning: nil)
            } catch {
                continuation.resume(returning: error)
            }
        }
    }
}
