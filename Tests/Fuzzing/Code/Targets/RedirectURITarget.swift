import SwitchyardOAuth
import SwitchyardRouting

/// Redirect URIs as an operator registers them, and the route table that they go into.
enum RedirectURITarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = MSALForm(of: text, bundleID: "com.contoso.app1")
        if let endpoint = try? EndpointURL(text, allowingLoopbackHTTP: true) {
            try require(
                !endpoint.text.utf8.contains { isInvisible($0) || $0 == UInt8(ascii: "#") }, "an endpoint is visible")
        }
        let uri: RedirectURI
        do throws(RedirectURIError) {
            uri = try RedirectURI(text)
        } catch {
            try require(error.text == text && !error.message.isEmpty && !error.remedy.isEmpty, "a refusal explains")
            return
        }
        try require(uri.text.utf8.elementsEqual(text.utf8), "a redirect URI is kept as it was written")
        try checkForm(uri.form, of: text)
        try checkSplit(uri)
        try checkRoute(uri)
    }

    static func checkForm(_ form: RedirectURI.Form, of text: String) throws(BrokenInvariant) {
        try require(text.utf8.count <= 2048, "a redirect URI is bounded")
        try require(
            !text.utf8.contains { isInvisible($0) || "#?\\*<>\"{}|^`".utf8.contains($0) }, "a redirect URI is plain")
        let written: String
        let path: String
        switch form {
        case .https(let host, let port, let itsPath):
            try require((1...65535).contains(port), "a port is a port")
            try checkHost(host)
            (written, path) = ("https://\(host):\(port)\(itsPath)", itsPath)
        case .loopback(let host, let itsPath):
            try require(["127.0.0.1", "[::1]", "localhost"].contains(host), "http is for loopback")
            (written, path) = ("http://\(host)\(itsPath)", itsPath)
        case .customScheme(let scheme, let rest):
            try require(!["http", "https", "javascript", "data", "file"].contains(scheme), "a scheme is the app's own")
            (written, path) = ("\(scheme):\(rest)", rest)
        }
        try checkPath(path)
        // The written form may be longer than the text: it names the port.
        let again = try? CallbackAddress(relayed: written)
        try require(again?.form == form || written.utf8.count > 2048, "a form that is written back is the same")
    }

    private static func checkHost(_ host: String) throws(BrokenInvariant) {
        let isPlain =
            host == "[::1]"
            || host.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || "-.".utf8.contains($0) }
        try require(isPlain && !host.isEmpty && !host.contains("..") && !host.hasSuffix("."), "a host is a plain name")
    }

    /// A path has no characters that browsers and servers read differently.
    private static func checkPath(_ path: String) throws(BrokenInvariant) {
        let lower = path.lowercased()
        for part in ["%2f", "%5c", "%25", "%00", "%0a", "%0d", "/../", "/./", "/%2e%2e/", "/..;/"] {
            try require(!lower.contains(part), "a path has no \(part)")
        }
    }

    private static func checkSplit(_ uri: RedirectURI) throws(BrokenInvariant) {
        let bare = try? CallbackAddress(relayed: uri.text)
        try require(bare?.form == uri.form && bare?.query == [] && bare?.hasFragment == false, "a URI alone")
        let address = try? CallbackAddress(relayed: uri.text + "?code=a&state=b?#@c")
        try require(
            address?.form == uri.form && address?.query == Array("code=a&state=b?".utf8)
                && address?.hasFragment == true,
            "a callback of a redirect URI belongs to it")
    }

    private static func checkRoute(_ uri: RedirectURI) throws(BrokenInvariant) {
        guard let id = AppID("app") else { return }
        let app = AppRegistration(id: id, name: "", issuer: "", clientID: "", redirectURIs: [uri])
        let table = try? RouteTable([app])
        try require(table?.route(uri.form)?.redirectURI == uri, "a registered form has a route")
        guard case .https(let host, let port, let path) = uri.form else { return }
        let (name, bytes) = (Array(host.uppercased().utf8), Array(path.utf8))
        try require(table?.route(https: name, port: port, path: bytes) != nil, "a host has no case")
        for other in [bytes + "/".utf8, Array(bytes.dropLast()), bytes + "%20".utf8] {
            try require(table?.route(https: name, port: port, path: other) == nil, "another path has no route")
        }
        try require(table?.route(https: name, port: port ^ 1, path: bytes) == nil, "another port has no route")
    }
}
