internal import Glibc

/// Texts as C has them, with a null pointer at the end.
@safe final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
