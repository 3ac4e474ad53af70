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

func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(of name: String, _ more: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + more, resources: resources, swiftSettings: strict)
}

/// The fuzz targets stand in one of two products. A plain build has them in the tests, which replay the corpus. With
/// SWITCHYARD_FUZZ set, as `make fuzz` does, they are a program instead, which needs libFuzzer to link.
let fuzzing: Target = {
    let dependencies: [Target.Dependency] = [
        "Configuration", "Crypto", "Gateway", "HTTP", "JSON", "OAuth", "PendingRequests", "Reactor", "Routing",
        "SwitchyardClient",
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
        // C libraries: module maps and the shims that Swift needs; nothing else.
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CJOSE", linkerSettings: [.linkedLibrary("cjose"), .linkedLibrary("jansson")]),
        .target(name: "CJansson", linkerSettings: [.linkedLibrary("jansson")]),
        .target(name: "CYAML", linkerSettings: [.linkedLibrary("yaml")]),
        .target(name: "CLinux"),
        .systemLibrary(name: "CLibSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .target(name: "CSecret", dependencies: ["CLibSecret"]),

        // Values and mathematics, no I/O.
        module("Crypto", ["COpenSSL"]),
        module("JSON", ["CJansson"]),
        module("JOSE", ["CJOSE", "Crypto", "JSON"]),
        module("OAuth", ["Crypto", "JSON"]),
        module("Routing", ["OAuth", "Crypto"]),

        // The way of a callback, from the wire inwards.
        module("Reactor", ["CLinux"]),
        module("TLS", ["Reactor", "COpenSSL"]),
        module("HTTP", ["Reactor", "TLS"]),
        module("PendingRequests", ["OAuth", "Crypto", "JSON", "Reactor"]),
        module("HTTPClient", ["Reactor", "CCurl"]),
        module("Redemption", ["HTTPClient", "OAuth", "JOSE", "Crypto", "JSON", "Reactor"]),
        module("Handlers", ["Redemption", "Routing", "OAuth", "JSON"]),
        module("Configuration", ["CYAML", "Routing", "OAuth", "Crypto", "TLS"]),
        module(
            "Gateway",
            [
                "Configuration", "Handlers", "Redemption", "PendingRequests", "Routing", "OAuth", "JOSE", "HTTP", "TLS",
                "Reactor", "Crypto", "JSON", "HTTPClient",
            ]),
        module("TokenStorage", ["Crypto", "CLinux", "CSecret"]),
        // What apps, and the commands, use of a gateway and of the desktop.
        module("Desktop"),
        module("GatewayClient", ["HTTPClient", "OAuth", "JOSE", "JSON", "Reactor"]),
        module(
            "SwitchyardClient",
            [
                "TokenStorage", "GatewayClient", "Desktop", "Redemption", "HTTPClient", "HTTP", "OAuth", "JOSE",
                "Reactor",
                "Crypto", "JSON",
            ]),
        module("DemoIssuer", ["HTTP", "TLS", "Reactor", "Crypto", "JSON", "OAuth", "CJOSE"]),
        .executableTarget(
            name: "switchyard",
            dependencies: [
                "Gateway", "Configuration", "DemoIssuer", "GatewayClient", "Desktop", "HTTPClient", "HTTP", "TLS",
                "Reactor", "OAuth", "Routing",
                "JOSE", "Crypto", "JSON",
            ],
            swiftSettings: strict),

        .target(name: "TestSupport", dependencies: ["Reactor"], path: "Tests/TestSupport", swiftSettings: strict),
        tests(of: "Crypto"),
        tests(of: "JSON"),
        tests(of: "JOSE", ["Crypto", "JSON", "COpenSSL"]),
        tests(of: "OAuth", ["Crypto", "JSON"]),
        tests(of: "Routing", ["OAuth", "Crypto"]),
        tests(of: "Reactor", ["TestSupport"]),
        tests(of: "HTTP", ["Reactor", "TLS"]),
        tests(of: "PendingRequests", ["OAuth", "Crypto", "JSON", "Reactor", "TestSupport"]),
        tests(of: "Redemption", ["HTTPClient", "OAuth", "Crypto", "JSON", "Reactor", "CJOSE", "TestSupport"]),
        tests(of: "Configuration", ["Routing", "OAuth", "Crypto"]),
        tests(
            of: "Gateway", ["HTTP", "Reactor", "PendingRequests", "Routing", "OAuth", "Crypto", "JSON", "TestSupport"]),
        tests(of: "TokenStorage", ["Crypto", "CLinux"]),
        .executableTarget(
            name: "storage-probe", dependencies: ["TokenStorage", "Crypto"], path: "Tests/StorageProbe",
            swiftSettings: strict),
        .executableTarget(
            name: "client-probe", dependencies: ["SwitchyardClient", "TokenStorage", "Crypto", "JSON"],
            path: "Tests/ClientProbe", swiftSettings: strict),
        tests(
            of: "SwitchyardClient",
            [
                "DemoIssuer", "Gateway", "Configuration", "TokenStorage", "HTTPClient", "OAuth", "Reactor", "Crypto",
                "JSON", "TestSupport",
            ]),
        .testTarget(
            name: "AttackTests", dependencies: ["OAuth", "Routing"], path: "Tests/Attacks", exclude: ["attacks.txt"],
            swiftSettings: strict),
        fuzzing,
    ]
)
