internal import SwitchyardRouting
internal import SwitchyardTLS

/// Trust anchors for the certificates of apps' callers. Apps that name the same files share one set: there may be
/// thousands. Safe from any thread.
struct CallerAnchors: Sendable {
    private let byApp: [ObjectIdentifier: TrustAnchors]

    init(_ apps: [AppRegistration]) {
        var byApp: [ObjectIdentifier: TrustAnchors] = [:]
        var byFiles: [[ClientCertificateFile]: TrustAnchors] = [:]
        for app in apps {
            guard let files = app.beginFrom?.clientCertificates, !files.isEmpty else { continue }
            // Reading the configuration has checked them. Should it fail here, no certificate counts.
            let anchors = byFiles[files] ?? (try? TrustAnchors(pem: files.map(\.pem)))
            byFiles[files] = anchors
            byApp[ObjectIdentifier(app)] = anchors
        }
        self.byApp = byApp
    }

    subscript(app: AppRegistration) -> TrustAnchors? { byApp[ObjectIdentifier(app)] }
}
