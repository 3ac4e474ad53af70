public import SwitchyardJSON

extension SignInFailure {
    /// Why, more exactly. The apps' API passes on the number that MSAL gives the same failure. A failure that MSAL does not
    /// know has a word.
    public enum InternalCode: Hashable, CaseIterable, Sendable {
        case interactionRequired
        case protectionPoliciesRequired
        case userCanceled
        case serverError
        /// The device does not meet a policy.
        case insufficientDeviceStrength
        /// The person must change the password first.
        case passwordResetRequired
        case invalidRequest
        case invalidClient
        case invalidGrant
        case invalidScope
        case unauthorizedClient
        /// An OAuth error that has no code of its own.
        case authorizationFailed
        /// The person signed in in another way, or longer ago, than the request asked for.
        case stepUpNotMet
        /// The userinfo endpoint failed, or told of another person.
        case userInfo

        private enum Name: Hashable {
            case number(Int)
            case word(String)
        }

        private var name: Name {
            switch self {
            case .interactionRequired: .number(-50002)
            case .protectionPoliciesRequired: .number(-50004)
            case .userCanceled: .number(-50005)
            case .serverError: .number(-50006)
            case .insufficientDeviceStrength: .number(-50007)
            case .passwordResetRequired: .number(-50142)
            case .invalidRequest: .number(-42002)
            case .invalidClient: .number(-42003)
            case .invalidGrant: .number(-42004)
            case .invalidScope: .number(-42005)
            case .unauthorizedClient: .number(-42006)
            case .authorizationFailed: .number(-42104)
            case .stepUpNotMet: .word("step_up_not_met")
            case .userInfo: .word("userinfo")
            }
        }

        /// Its value in the apps' API.
        public var json: JSONValue {
            switch name {
            case .number(let number): .integer(Int64(number))
            case .word(let word): .string(word)
            }
        }

        /// nil for a value that is not known here.
        public init?(json: JSONValue) {
            guard let code = Self.allCases.first(where: { $0.json == json }) else { return nil }
            self = code
        }

        /// By MSAL's number; nil for one that is not known here.
        public init?(_ number: Int) {
            self.init(json: .integer(Int64(number)))
        }
    }
}
