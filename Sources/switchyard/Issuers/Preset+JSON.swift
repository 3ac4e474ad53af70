internal import SwitchyardConfiguration
internal import SwitchyardJSON

extension Preset {
    /// Everything that is known, for programs.
    var json: JSONObject {
        var works = JSONObject()
        for (feature, answer) in self.works { works[feature.rawValue] = .string(answer.rawValue) }
        var reasons = JSONObject()
        for (deviation, reason) in self.reasons { reasons[deviation] = .string(reason) }
        return [
            "name": .string(name), "title": .string(title), "about": .string(about),
            "asks": .array(values.map { .object($0.json) }), "client": .string(client.rawValue),
            "sets": .object(settings),
            "reasons": .object(reasons), "app": .object(app), "register": .string(register),
            "redirect_uris": .string(redirectURIs), "refresh": .string(refresh), "works": .object(works),
            "notes": .string(notes), "configuration": .string(PresetPage(preset: self).smallestConfiguration),
            "sources": .array(
                sources.map { source in
                    .object(["url": .string(source.url), "date": .string(source.date), "facts": .string(source.facts)])
                }),
            "tried": .string(tried),
        ]
    }
}

extension PresetValue {
    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "key": .string(name), "about": .string(about), "example": .string(example),
            "required": .bool(standard == nil),
        ]
        object["default"] = standard.map { .string($0) }
        return object
    }
}
