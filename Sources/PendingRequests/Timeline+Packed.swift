/// A history as bytes, for stores.
extension Timeline {
    private static let packedVersion: UInt8 = 2

    /// The packed bytes of a history.
    package var packed: [UInt8] {
        var writer = PackedWriter(reserving: 64 + entries.count * 48)
        writer.byte(Self.packedVersion)
        writer.byte(UInt8(room.rawValue))
        writer.text(app)
        var previous = Timestamp.zero
        for entry in entries {
            writer.time(entry.first, since: previous)
            writer.time(entry.last, since: entry.first)
            writer.number(UInt64(entry.count))
            writer.text(entry.event.identity)
            writer.text(entry.event.particulars)
            previous = entry.first
        }
        return Array(writer.result)
    }

    /// Reads what ``packed`` wrote.
    package init(packed: [UInt8]) throws(PackedRecordError) {
        var reader = PackedReader(packed)
        let version = try reader.byte()
        guard version <= Self.packedVersion else { throw .newerVersion(version) }
        guard version == Self.packedVersion, let room = TimelineRoom(rawValue: Int(try reader.byte())) else {
            throw .malformed
        }
        self.init(app: try reader.text(), room: room)
        var previous = Timestamp.zero
        while !reader.isAtEnd {
            let first = try reader.time(since: previous)
            let last = try reader.time(since: first)
            guard let count = Int(exactly: try reader.number()), entries.count < Self.maximumEntries else {
                throw .malformed
            }
            let event = TimelineEvent(identity: try reader.text(), particulars: try reader.text())
            entries.append(Entry(event, first: first, last: last, count: count))
            previous = first
        }
    }
}
