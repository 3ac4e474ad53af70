internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardPendingRequests

/// The stored content of a callback that is being handed over, for a gateway that continues the delivery.
struct DeliveryContent: Sendable {
    /// The id by which the receiver recognizes a repeated message.
    var messageID: String
    /// The redirect URI on which the callback came.
    var redirectURI: String
    /// The callback's URL for the app.
    var url: String
    var query: [UInt8]
    /// The body of a POST.
    var body: [UInt8]?
    /// The digest of the callback's whole content and of its redirect URI.
    var digest: SHA256Digest
    /// The end of the store's entry that this callback was handed over. Until then, the same callback is recognized when it
    /// comes again.
    var markedUntil: Timestamp
    /// The digest of the cookie of the browser that brought the callback; nil if a program brought it.
    var browser: SHA256Digest?
    /// The user of the program that brought it.
    var uid: UInt32?
    /// Whether the reference is that of a request that waits for it.
    var isOfRequest: Bool
    /// The keys under which limits count the caller, and its network.
    var caller: String
    var network: String

    var packed: [UInt8] {
        var object: JSONObject = [
            "id": .string(messageID), "redirect_uri": .string(redirectURI), "url": .string(url),
            "query": .string(Base64URL.encode(query)), "digest": .string(Base64URL.encode(digest.bytes)),
            "marked_until": .integer(markedUntil.milliseconds),
            "is_of_request": .bool(isOfRequest), "caller": .string(caller), "network": .string(network),
        ]
        object["body"] = body.map { .string(Base64URL.encode($0)) }
        object["browser"] = browser.map { .string(Base64URL.encode($0.bytes)) }
        object["uid"] = uid.map { .integer(Int64($0)) }
        return JSONValue.object(object).serialized
    }
}

extension DeliveryContent {
    /// Reads ``packed`` back; nil for a form that this version does not know.
    init?(packed: [UInt8]) {
        func bytes(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64URL.decode(Array($0.utf8)) } }
        func digest(_ value: JSONValue?) -> SHA256Digest? { bytes(value).flatMap { SHA256Digest(bytes: $0) } }
        guard let object = (try? JSONValue.parse(packed))?.object, let messageID = object["id"]?.string,
            let redirectURI = object["redirect_uri"]?.string, let url = object["url"]?.string,
            let query = bytes(object["query"]), let whole = digest(object["digest"]),
            let markedUntil = object["marked_until"]?.integer,
            let isOfRequest = object["is_of_request"]?.bool, let caller = object["caller"]?.string,
            let network = object["network"]?.string
        else { return nil }
        self.init(
            messageID: messageID, redirectURI: redirectURI, url: url, query: query, body: bytes(object["body"]),
            digest: whole, markedUntil: Timestamp(milliseconds: markedUntil),
            browser: digest(object["browser"]), uid: object["uid"]?.integer.flatMap { UInt32(exactly: $0) },
            isOfRequest: isOfRequest, caller: caller, network: network)
    }
}
