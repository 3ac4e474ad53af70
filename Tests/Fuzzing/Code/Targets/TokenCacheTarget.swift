import SwitchyardCrypto
import SwitchyardJSON

@testable import SwitchyardClient

/// The token cache, as another program of the same person may have written it.
enum TokenCacheTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let document: TokenCacheDocument
        do throws(TokenCacheDocument.ReadingError) {
            document = try TokenCacheDocument(serialized: bytes)
        } catch {
            guard error == .newerVersion else { return }
            let version = (try? JSONValue.parse(bytes))?.object?["version"]?.integer ?? 0
            return try require(version > 1, "only a newer version is a newer version")
        }
        try checkWrittenBack(document)
        for key in keys(document).prefix(8) { try checkRemoval(of: key, document) }
        for token in document.refreshTokens.prefix(8) { try checkSaving(token, document) }
        for token in document.accessTokens.prefix(8) { try checkSaving(token, document) }
        try checkExpiry(document)
    }

    private static func checkWrittenBack(_ document: TokenCacheDocument) throws(BrokenInvariant) {
        let written = document.serialized
        guard let again = try? TokenCacheDocument(serialized: written) else {
            throw BrokenInvariant(description: "broken: a cache that is written can be read")
        }
        try require(again.serialized == written, "one cache has one text")
        try require(again.families == document.families, "families that are written back are the same")
        try require(again.leases == document.leases, "leases that are written back are the same")
        try require(isSame(again.accounts, document.accounts) { $0.key == $1.key }, "accounts stay")
        try require(
            isSame(again.accessTokens, document.accessTokens) { $0.secret == $1.secret && $0.target == $1.target },
            "access tokens stay")
        try require(
            isSame(again.refreshTokens, document.refreshTokens) {
                $0.secret == $1.secret && $0.account == $1.account && $0.familyID == $1.familyID
            }, "refresh tokens stay")
    }

    private static func checkRemoval(of key: AccountKey, _ document: TokenCacheDocument) throws(BrokenInvariant) {
        var removed = document
        removed.removeEverything(of: key)
        try require(!keys(removed).contains(key) && removed.leases[key] == nil, "nothing is left of who is removed")
        let others = { (document: TokenCacheDocument) in document.refreshTokens.count { $0.account != key } }
        try require(others(removed) == others(document), "others stay")
        for clientID in Set(document.accessTokens.map(\.clientID)).prefix(4) {
            var out = document
            out.signOut(key, of: clientID)
            let isLeft = out.accessTokens.contains { $0.account == key && $0.clientID == clientID }
            try require(!isLeft, "no access token is left of who signed out")
            try require(
                out.account(key).map { $0.signedOutOf.contains(clientID) } ?? true, "who signed out is known to have")
        }
    }

    private static func checkSaving(
        _ token: CachedRefreshToken, _ document: TokenCacheDocument
    ) throws(BrokenInvariant) {
        var changed = document
        changed.save(token)
        let found = changed.refreshToken(for: token.account, clientID: token.clientID)
        try require(found?.secret == token.secret, "the refresh token that was saved is the one that is found")
        try checkWrittenBack(changed)
    }

    private static func checkSaving(_ token: CachedAccessToken, _ document: TokenCacheDocument) throws(BrokenInvariant)
    {
        var changed = document
        changed.save(token)
        try require(changed.accessTokens.last?.secret == token.secret, "the newest access token is the last")
        changed.remove(token)
        let isLeft = changed.accessTokens.contains { $0.target == token.target && $0.secret == token.secret }
        try require(!isLeft, "a token that is removed is gone")
    }

    private static func checkExpiry(_ document: TokenCacheDocument) throws(BrokenInvariant) {
        for seconds: Int64 in [.min, 0, .max] {
            let now = UnixTime(secondsSince1970: seconds)
            var left = document
            left.dropExpired(at: now)
            for token in document.accessTokens where token.freshness(at: now, buffer: 300) != .expired {
                let isLeft = left.accessTokens.contains { $0.secret == token.secret && $0.target == token.target }
                try require(isLeft, "a token that holds is kept")
            }
        }
    }

    private static func keys(_ document: TokenCacheDocument) -> Set<AccountKey> {
        Set(document.accounts.map(\.key))
            .union(document.accessTokens.map(\.account)).union(document.refreshTokens.map(\.account))
    }

    private static func isSame<Element>(
        _ left: [Element], _ right: [Element], _ areEqual: (Element, Element) -> Bool
    ) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy(areEqual)
    }
}
