@testable import SwitchyardPages

/// The file of a logo, PNG or SVG.
enum LogoTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let logo = try? Logo(bytes) else { return }
        try require(logo.bytes == bytes && bytes.count <= 32 << 10, "a logo is the file, of at most 32 KiB")
        try require(logo.name.utf8.allSatisfy { !isInvisible($0) && $0 != UInt8(ascii: "/") }, "a name fits an address")
        switch logo.kind {
        case .png:
            try require((try? Logo(Array(bytes.dropLast()))) == nil, "a PNG is whole")
            try require((try? Logo(bytes + [0])) == nil, "nothing follows a PNG")
        case .svg:
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            for part in ["<script", "<style", "<!doctype", "<foreignobject", "<image", "<?xml-stylesheet", "<![cdata["]
            {
                // A comment may say anything.
                try require(!text.contains(part) || text.contains("<!--"), "an SVG has no \(part)")
            }
            try require(text.contains("http://www.w3.org/2000/svg"), "an SVG has its namespace")
        }
    }
}
