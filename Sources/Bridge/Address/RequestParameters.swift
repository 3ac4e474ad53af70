internal import SwitchyardOAuth
internal import SwitchyardText

/// The parameters of an authorization request that decide about the access, or that the consent page shows.
///
/// Issuers read queries differently. Some separate at `;` (Rack 1 and 2), and many read names in ways of their own
/// (``ParameterName``). A query that two of them could read differently is refused: the page would show one reading,
/// and the issuer would act on the other.
struct RequestParameters {
    /// The values of each parameter, by its name.
    private var values: [String: [String]] = [:]

    private static let known: Set<String> = [
        "client_id", "response_type", "state", "redirect_uri", "scope", "response_mode", "request", "request_uri",
        "prompt", "authorization_details", "resource", "audience",
    ]
    /// The parameters that may be repeated (RFC 8707 section 2).
    private static let repeatable: Set<String> = ["resource", "audience"]

    /// - Throws: an ``Objection`` where the query is no authorization request, or could be read in two ways.
    init(query: [UInt8]) throws(Objection) {
        guard Self.couldAsk(query) else { throw .notAuthorizationRequest }
        guard !query.contains(UInt8(ascii: ";")), !Self.holdsNUL(query) else { throw .oddSeparator }
        guard let fields = try? FormEncoding.decode(query) else { throw .undecodable }
        var isOdd = false
        for field in fields {
            let name = ParameterName(field.name)
            let readings = name.readings.intersection(Self.known)
            if readings.contains(where: { !field.name.isExactly($0) }) { isOdd = true }
            if readings.contains(name.folded) { values[name.folded, default: []].append(field.value) }
        }
        guard values.allSatisfy({ $0.value.count == 1 || Self.repeatable.contains($0.key) }) else {
            throw .repeatedParameter
        }
        guard !isOdd else { throw .oddSpelling }
    }

    subscript(name: String) -> String? { values[name]?.first }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    func has(_ name: String) -> Bool { !(self[name] ?? "").isEmpty }

    // MARK: Other readings

    /// Whether any issuer could read an authorization request in the query, however it reads queries.
    private static func couldAsk(_ query: [UInt8]) -> Bool {
        let separators = Set("&;".utf8)
        let names = Set(
            query.split(whereSeparator: separators.contains).flatMap { field in
                ParameterName(leniently(decoded: field.prefix { $0 != UInt8(ascii: "=") })).readings
            })
        return names.contains("client_id") && !names.isDisjoint(with: ["response_type", "request_uri", "request"])
    }

    private static func holdsNUL(_ query: [UInt8]) -> Bool {
        query.indices.contains { query[$0...].starts(with: "%00".utf8) }
    }

    /// Decodes what can be decoded, and leaves the rest as it is.
    private static func leniently(decoded bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(ASCII.hexValue)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                out.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                out.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
