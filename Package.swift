// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built with the same strictness: Swift 6 language mode, strict memory safety, no warnings.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A module. Its name begins with `Switchyard`, because an app that links the library shares one name space with our
/// modules: its own `Crypto`, and Apple's, must not collide with ours. Its folder has the short name.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: folder(of: name), exclude: exclude, swiftSettings: strict)
}

func library(_ name: String, links libraries: [String] = [], _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: folder(of: name),
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(of name: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + more,
        path: "Tests/\(name.dropFirst(name == "SwitchyardClient" ? 0 : prefix.count))Tests", exclude: exclude,
        swiftSettings: strict)
}

let prefix = "Switchyard"

func folder(of name: String) -> String {
    "Sources/\(name == "SwitchyardClient" ? name : String(name.dropFirst(prefix.count)))"
}

/// The fuzz targets. A plain build has them in the tests, which replay the corpus. With SWITCHYARD_FUZZ set, as in
/// `make fuzz`, they are a program, which needs libFuzzer to link.
let fuzzing: Target = {
    let dependencies: [Target.Dependency] = [
        "SwitchyardConfiguration", "SwitchyardCrypto", "SwitchyardGateway", "SwitchyardHTTP", "SwitchyardJOSE",
        "SwitchyardJSON",
        "SwitchyardOAuth", "SwitchyardPendingRequests", "SwitchyardReactor", "SwitchyardRouting",
        "SwitchyardClient", "SwitchyardPages", "SwitchyardPhrases", "SwitchyardBridge", "SwitchyardDesktop",
        "SwitchyardTLS", "SwitchyardMCP", "SwitchyardText",
        "SwitchyardRedis", "SwitchyardRedisStore", "SwitchyardSQLiteStore",
    ]
    return Context.environment["SWITCHYARD_FUZZ"] == nil
        ? .testTarget(
            name: "FuzzingTests", dependencies: dependencies, path: "Tests/Fuzzing/Code", exclude: ["Driver"],
            swiftSettings: strict)
        : .executableTarget(
            name: "fuzz", dependencies: dependencies, path: "Tests/Fuzzing/Code", exclude: ["Replay"],
            swiftSettings: strict)
}()

let package = Package(
    name: "switchyard",
    products: [
        .executable(name: "switchyard", targets: ["switchyard"]),
        .library(name: "SwitchyardClient", targets: ["SwitchyardClient"]),
    ],
    targets: [
        // C libraries: only module maps and the shims that Swift needs.
        library("SwitchyardCOpenSSL", links: ["ssl", "crypto"]),
        library("SwitchyardCCurl", links: ["curl"]),
        library("SwitchyardCYAML", links: ["yaml"]),
        // Static, because its soname differs from release to release.
        library("SwitchyardCHiredis", links: [":libhiredis.a"]),
        library("SwitchyardCSQLite", links: ["sqlite3"]),
        library("SwitchyardCSystemd", links: ["systemd"]),
        library("SwitchyardCLinux"),
        library("SwitchyardCSecret"),
        // Files as bytes; no library.
        library("SwitchyardCPresets"),

        // Values and mathematics, no I/O.
        module("SwitchyardText"),
        module("SwitchyardCrypto", ["SwitchyardCOpenSSL"]),
        module("SwitchyardJSON", ["SwitchyardText"]),
        module("SwitchyardMCP", ["SwitchyardCrypto", "SwitchyardJSON", "SwitchyardText"]),
        module("SwitchyardJOSE", ["SwitchyardCrypto", "SwitchyardJSON", "SwitchyardText"]),
        module("SwitchyardOAuth", ["SwitchyardJOSE", "SwitchyardCrypto", "SwitchyardJSON", "SwitchyardText"]),
        module("SwitchyardPages", ["SwitchyardCrypto", "SwitchyardText"]),
        module("SwitchyardRouting", ["SwitchyardPages", "SwitchyardOAuth", "SwitchyardCrypto", "SwitchyardText"]),
        module("SwitchyardPhrases", ["SwitchyardPages"]),
        module(
            "SwitchyardBridge",
            ["SwitchyardPhrases", "SwitchyardPages", "SwitchyardRouting", "SwitchyardOAuth", "SwitchyardText"]),

        module("SwitchyardFiles"),

        // The way of a callback, from the wire inwards.
        module("SwitchyardReactor", ["SwitchyardCLinux", "SwitchyardFiles", "SwitchyardText"]),
        module("SwitchyardTLS", ["SwitchyardReactor", "SwitchyardCrypto", "SwitchyardCOpenSSL"]),
        module("SwitchyardHTTP", ["SwitchyardReactor", "SwitchyardTLS", "SwitchyardText"]),
        module(
            "SwitchyardPendingRequests",
            ["SwitchyardRouting", "SwitchyardOAuth", "SwitchyardCrypto", "SwitchyardReactor", "SwitchyardText"]),
        module("SwitchyardRedis", ["SwitchyardReactor", "SwitchyardTLS", "SwitchyardCrypto", "SwitchyardCHiredis"]),
        module(
            "SwitchyardSQLiteStore",
            [
                "SwitchyardPendingRequests", "SwitchyardCSQLite", "SwitchyardFiles", "SwitchyardReactor",
                "SwitchyardCrypto", "SwitchyardRouting",
            ]),
        module(
            "SwitchyardRedisStore",
            [
                "SwitchyardPendingRequests", "SwitchyardRedis", "SwitchyardRouting", "SwitchyardReactor",
                "SwitchyardCrypto", "SwitchyardText",
            ]),
        module("SwitchyardLifecycle", ["SwitchyardFiles", "SwitchyardReactor", "SwitchyardCSystemd"]),
        module("SwitchyardDBus", ["SwitchyardFiles", "SwitchyardReactor", "SwitchyardCSystemd"]),
        module(
            "SwitchyardHTTPClient",
            [
                "SwitchyardReactor", "SwitchyardCCurl", "SwitchyardFiles", "SwitchyardRouting", "SwitchyardCrypto",
                "SwitchyardText",
            ]),
        module(
            "SwitchyardRedemption",
            [
                "SwitchyardHTTPClient", "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardCrypto", "SwitchyardJSON",
                "SwitchyardReactor", "SwitchyardText",
            ]),
        module(
            "SwitchyardHandlers",
            [
                "SwitchyardDBus", "SwitchyardFiles", "SwitchyardHTTPClient", "SwitchyardPendingRequests",
                "SwitchyardRouting", "SwitchyardOAuth", "SwitchyardReactor", "SwitchyardCrypto", "SwitchyardJSON",
                "SwitchyardText",
            ]),
        module(
            "SwitchyardGatewayClient",
            [
                "SwitchyardHTTPClient", "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardCrypto", "SwitchyardJSON",
                "SwitchyardReactor", "SwitchyardText",
            ]),
        module("SwitchyardPresets", ["SwitchyardCPresets"], exclude: ["Data"]),
        module(
            "SwitchyardConfiguration",
            [
                "SwitchyardCYAML", "SwitchyardFiles", "SwitchyardPresets", "SwitchyardPhrases", "SwitchyardPages",
                "SwitchyardRouting", "SwitchyardOAuth",
                "SwitchyardJOSE",
                "SwitchyardCrypto", "SwitchyardJSON", "SwitchyardTLS", "SwitchyardHTTP", "SwitchyardHTTPClient",
                "SwitchyardReactor", "SwitchyardRedis", "SwitchyardText",
            ]),
        module(
            "SwitchyardGateway",
            [
                "SwitchyardConfiguration", "SwitchyardHandlers", "SwitchyardRedemption", "SwitchyardPendingRequests",
                "SwitchyardSQLiteStore", "SwitchyardRedisStore", "SwitchyardRedis", "SwitchyardGatewayClient",
                "SwitchyardHTTPClient", "SwitchyardRouting", "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardHTTP",
                "SwitchyardTLS",
                "SwitchyardReactor", "SwitchyardCrypto", "SwitchyardJSON", "SwitchyardPhrases", "SwitchyardPages",
                "SwitchyardText",
            ]),
        module(
            "SwitchyardTokenStorage",
            ["SwitchyardCrypto", "SwitchyardFiles", "SwitchyardText", "SwitchyardCLinux", "SwitchyardCSecret"]),
        // The parts that apps, and the commands, use to reach a gateway and the desktop.
        module(
            "SwitchyardDesktop",
            ["SwitchyardCLinux", "SwitchyardFiles", "SwitchyardReactor", "SwitchyardRouting", "SwitchyardText"]),
        module(
            "SwitchyardClient",
            [
                "SwitchyardTokenStorage", "SwitchyardGatewayClient", "SwitchyardDesktop", "SwitchyardFiles",
                "SwitchyardRedemption",
                "SwitchyardHTTPClient", "SwitchyardHTTP", "SwitchyardOAuth", "SwitchyardReactor", "SwitchyardCrypto",
                "SwitchyardJSON", "SwitchyardJOSE", "SwitchyardPhrases", "SwitchyardPages", "SwitchyardText",
            ]),
        module(
            "SwitchyardAgent",
            [
                "SwitchyardClient", "SwitchyardTokenStorage", "SwitchyardGateway", "SwitchyardConfiguration",
                "SwitchyardRedemption", "SwitchyardHTTP", "SwitchyardHTTPClient", "SwitchyardRouting",
                "SwitchyardOAuth",
                "SwitchyardReactor", "SwitchyardCrypto", "SwitchyardFiles", "SwitchyardJSON", "SwitchyardText",
                "SwitchyardCLinux",
            ]),
        module(
            "SwitchyardDemoIssuer",
            [
                "SwitchyardHTTP", "SwitchyardTLS", "SwitchyardReactor", "SwitchyardCrypto", "SwitchyardJSON",
                "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardPages", "SwitchyardText",
            ]),
        module(
            "SwitchyardDemo",
            [
                "SwitchyardConfiguration", "SwitchyardCrypto", "SwitchyardDemoIssuer", "SwitchyardFiles",
                "SwitchyardGateway", "SwitchyardGatewayClient", "SwitchyardHTTP", "SwitchyardHTTPClient",
                "SwitchyardJSON", "SwitchyardReactor", "SwitchyardTLS",
            ]),
        .executableTarget(
            name: "demo", dependencies: ["SwitchyardDemo", "SwitchyardReactor"], path: "Sources/DemoProgram",
            swiftSettings: strict),
        .executableTarget(
            name: "switchyard",
            dependencies: [
                "SwitchyardAgent", "SwitchyardDemo", "SwitchyardGateway", "SwitchyardConfiguration",
                "SwitchyardDemoIssuer",
                "SwitchyardGatewayClient", "SwitchyardDesktop", "SwitchyardDBus", "SwitchyardHTTPClient",
                "SwitchyardPhrases", "SwitchyardTLS",
                "SwitchyardSQLiteStore",
                "SwitchyardFiles", "SwitchyardLifecycle",
                "SwitchyardReactor", "SwitchyardCrypto", "SwitchyardJSON", "SwitchyardJOSE", "SwitchyardOAuth",
                "SwitchyardRedemption", "SwitchyardRouting", "SwitchyardText", "SwitchyardBridge", "SwitchyardHTTP",
                "SwitchyardTokenStorage", "SwitchyardMCP",
            ],
            swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: [
                "SwitchyardPendingRequests", "SwitchyardReactor", "SwitchyardRedis", "SwitchyardRouting",
                "SwitchyardCrypto",
            ], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests(of: "SwitchyardText"),
        tests(of: "SwitchyardCrypto", ["SwitchyardCOpenSSL"]),
        tests(of: "SwitchyardFiles", ["TestSupport"]),
        tests(of: "SwitchyardJSON"),
        tests(of: "SwitchyardMCP", ["SwitchyardJSON"]),
        tests(of: "SwitchyardJOSE", ["SwitchyardCrypto", "SwitchyardJSON"], exclude: ["vectors.json"]),
        tests(of: "SwitchyardOAuth", ["SwitchyardJOSE", "SwitchyardCrypto", "SwitchyardJSON"]),
        tests(of: "SwitchyardRouting", ["SwitchyardOAuth", "SwitchyardCrypto"]),
        tests(of: "SwitchyardReactor", ["TestSupport"]),
        tests(of: "SwitchyardLifecycle", ["SwitchyardReactor"]),
        tests(of: "SwitchyardDBus", ["SwitchyardReactor", "TestSupport"], exclude: ["peer.py"]),
        tests(
            of: "SwitchyardHandlers",
            [
                "SwitchyardPendingRequests", "SwitchyardRouting", "SwitchyardReactor", "SwitchyardCrypto",
                "TestSupport",
            ]),
        tests(of: "SwitchyardRedis", ["SwitchyardReactor", "SwitchyardTLS", "SwitchyardCrypto", "TestSupport"]),
        tests(
            of: "SwitchyardHTTP",
            ["SwitchyardReactor", "SwitchyardTLS", "SwitchyardCrypto", "SwitchyardText", "TestSupport"]),
        tests(
            of: "SwitchyardPendingRequests",
            [
                "SwitchyardSQLiteStore", "SwitchyardRedisStore", "SwitchyardRedis", "SwitchyardRouting",
                "SwitchyardOAuth", "SwitchyardCrypto", "SwitchyardReactor", "TestSupport",
            ]),
        tests(
            of: "SwitchyardRedemption",
            [
                "SwitchyardHTTPClient", "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardCrypto", "SwitchyardJSON",
                "SwitchyardReactor", "SwitchyardRouting", "SwitchyardText", "SwitchyardCCurl", "TestSupport",
            ]),
        tests(
            of: "SwitchyardConfiguration",
            [
                "SwitchyardFiles", "SwitchyardPhrases", "SwitchyardPages", "SwitchyardRouting", "SwitchyardHTTP",
                "SwitchyardOAuth", "SwitchyardJOSE", "SwitchyardJSON",
                "SwitchyardCrypto", "SwitchyardTLS", "SwitchyardRedis",
            ]),
        tests(
            of: "SwitchyardGateway",
            [
                "SwitchyardConfiguration", "SwitchyardHandlers", "SwitchyardRedemption", "SwitchyardGatewayClient",
                "SwitchyardHTTP",
                "SwitchyardReactor",
                "SwitchyardPendingRequests",
                "SwitchyardRouting", "SwitchyardOAuth", "SwitchyardCrypto", "SwitchyardJSON", "SwitchyardPages",
                "SwitchyardPhrases", "SwitchyardText", "TestSupport",
            ]),
        tests(of: "SwitchyardBridge"),
        tests(
            of: "SwitchyardGatewayClient",
            [
                "SwitchyardHTTPClient", "SwitchyardJOSE", "SwitchyardJSON", "SwitchyardReactor",
                "TestSupport",
            ]),
        tests(
            of: "SwitchyardAgent",
            [
                "SwitchyardClient", "SwitchyardGateway", "SwitchyardConfiguration", "SwitchyardRedemption",
                "SwitchyardOAuth",
                "SwitchyardReactor", "SwitchyardRouting", "SwitchyardCrypto", "SwitchyardTokenStorage", "TestSupport",
            ]),
        tests(of: "SwitchyardTokenStorage", ["SwitchyardCrypto", "SwitchyardCLinux"]),
        .executableTarget(
            name: "storage-probe", dependencies: ["SwitchyardTokenStorage", "SwitchyardCrypto"],
            path: "Tests/StorageProbe",
            swiftSettings: strict),
        .executableTarget(
            name: "client-probe",
            dependencies: ["SwitchyardClient", "SwitchyardTokenStorage", "SwitchyardCrypto", "SwitchyardJSON"],
            path: "Tests/ClientProbe", swiftSettings: strict),
        .executableTarget(
            name: "test-issuer",
            dependencies: [
                "SwitchyardDemoIssuer", "SwitchyardHTTP", "SwitchyardTLS", "SwitchyardReactor", "SwitchyardCrypto",
                "SwitchyardJSON", "SwitchyardOAuth", "SwitchyardText",
            ],
            path: "Tests/TestIssuer", exclude: ["README.md"], swiftSettings: strict),
        tests(
            of: "SwitchyardClient",
            [
                "SwitchyardGatewayClient", "SwitchyardDemoIssuer", "SwitchyardTokenStorage",
                "SwitchyardHTTP", "SwitchyardHTTPClient", "SwitchyardOAuth", "SwitchyardReactor", "SwitchyardCrypto",
                "SwitchyardJSON", "SwitchyardPages", "SwitchyardPhrases", "SwitchyardRedemption", "TestSupport",
            ]),
        .testTarget(
            name: "AttackTests", dependencies: ["SwitchyardOAuth", "SwitchyardPages", "SwitchyardRouting"],
            path: "Tests/Attacks", exclude: ["attacks.txt"],
            swiftSettings: strict),
        fuzzing,
    ]
)
