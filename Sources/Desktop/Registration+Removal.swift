internal import SwitchyardFiles
public import SwitchyardRouting

extension Registration {
    /// Takes everything out that ``register(_:program:replaces:)`` has put in.
    public func unregister(_ id: AppID) throws(RegistrationError) -> Outcome {
        let name = Self.entryName(of: id)
        var outcome = Outcome()
        let lock = try alone()
        defer { withExtendedLifetime(lock) {} }
        do throws(GuardedFolder.Problem) {
            let folder = try GuardedFolder.open(applications)
            let listFolder = lists == applications ? nil : try GuardedFolder.open(lists)
            // Before anything is changed: not every list can be.
            for place in [folder, listFolder].compactMap(\.self) {
                for file in Self.listFiles(in: place) where try place.read(file)?.contains(name) == true {
                    _ = try place.place(of: file)
                }
            }
            let old = try folder?.read(name)
            if let old, DesktopEntry(parsing: old)?.isOfAnother(than: id.text) == true {
                throw GuardedFolder.Problem(
                    description: "\(applications)/\(name) is none that this program has made; it is left alone")
            }
            var made = old.flatMap { DesktopEntry(parsing: $0)?.made } ?? []
            if let folder {
                outcome.hasChanged = folder.has(name)
                try folder.remove(name)
                if try inherit(made, in: folder) { made = [] }
                if folder.has(Self.cache) { update(folder, &outcome) }
                try clean(folder, name, made, &outcome)
            }
            if let listFolder { try clean(listFolder, name, made, &outcome) }
            for entry in made {
                let parts = entry.split(separator: ":")
                guard parts.count == 2, let count = Int(parts[1]) else { continue }
                if parts[0] == Made.applications { GuardedFolder.removeEmpty(applications, count) }
                if parts[0] == Made.configuration { GuardedFolder.removeEmpty(lists, count) }
            }
        } catch {
            throw .folder(error.description)
        }
        return outcome
    }

    /// Leaves what was made to another entry of ours.
    /// - Returns: whether there is one.
    private func inherit(_ made: [String], in folder: GuardedFolder) throws(GuardedFolder.Problem) -> Bool {
        for name in Folder.visibleNames(in: folder.path) where name.hasPrefix("switchyard-") {
            guard let text = try folder.read(name), let entry = DesktopEntry(parsing: text), entry.app != nil else {
                continue
            }
            let all = entry.made + made.filter { !entry.made.contains($0) }
            try folder.write(DesktopEntry.text(text, made: all), to: name)
            return true
        }
        return false
    }

    private func clean(
        _ folder: GuardedFolder, _ name: String, _ made: [String], _ outcome: inout Outcome
    ) throws(GuardedFolder.Problem) {
        for file in Self.listFiles(in: folder) + [Self.cache] {
            guard let old = try folder.read(file) else { continue }
            var list = AssociationList(old)
            list.remove(name)
            if file == "mimeapps.list", made.contains(Made.group) { list.removeGroupIfEmpty(AssociationList.defaults) }
            if list.isVoid, made.contains(file), !folder.isLink(file) {
                try folder.remove(file)
            } else if list.text != old {
                let target = try folder.place(of: file)
                try target.folder.write(list.text, to: target.name)
            } else {
                continue
            }
            outcome.hasChanged = true
        }
    }
}
