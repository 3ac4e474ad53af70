internal import SwitchyardJSON
internal import SwitchyardText

/// The screen with `GET /v1/status` for a person at a terminal.
struct StatusScreen {
    private let status: JSONObject

    init(_ status: JSONObject) {
        self.status = status
    }

    var isReady: Bool { status["ready"]?.bool ?? false }

    func text(_ style: TerminalStyle) -> String {
        var lines = [heading(style)]
        for obstacle in texts(status["obstacles"]) { lines.append("  " + style.red(obstacle)) }
        lines += configuration(style)
        lines.append("")
        lines += signIns(style) + requests(style) + [""]
        lines += section("Issuers", issuers(style), style)
        lines += section("Store and log", store(style), style)
        lines += section("Connections", connections, style)
        lines += section("Certificates", certificates(style), style)
        lines += section("Limits", limits(style), style)
        lines += section("Last refusals", refusals(style), style)
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// The parts of the configuration that the gateway does not use.
    private func configuration(_ style: TerminalStyle) -> [String] {
        let state = status["configuration"]?.object ?? [:]
        var lines: [String] = []
        if let refused = state["refused"]?.object {
            lines.append(
                "  " + style.red("the reload at \(clock(refused["at"])) was refused: \(text(refused["reason"]))"))
        }
        for file in objects(state["files_left_out"]) {
            let use = file["serves"]?.string == "last_good_version" ? "in its last good version" : "not in use"
            lines.append("  " + style.yellow("\(use): \(text(file["reason"]))"))
        }
        return lines
    }

    private func heading(_ style: TerminalStyle) -> String {
        let state = isReady ? style.green("ready") : style.red("not ready")
        let parts = [
            style.bold("Switchyard \(text(status["version"]))"), text(status["public_url"]),
            "up \(span(integer(status["uptime_seconds"])))", state,
        ]
        return parts.joined(separator: "   ")
    }

    // MARK: Sign-ins

    private static let bars = Array(" ▁▂▃▄▅▆▇█")
    /// So many of the gateway's steps are one sign of the plot.
    private static let stepsOfBar = 3

    private func signIns(_ style: TerminalStyle) -> [String] {
        let signIns = status["sign_ins"]?.object ?? [:]
        func series(_ name: String) -> [Int64] { signIns[name]?.array?.map { $0.integer ?? 0 } ?? [] }
        func total(_ name: String) -> Int64 { series(name).reduce(0, +) }
        let (completed, failed, abandoned) = (total("completed"), total("failed"), total("abandoned"))
        let refused = total("refused_callbacks")
        var lines = [
            style.bold("Sign-ins, the last 15 minutes"),
            "  \(completed) completed   "
                + (failed > 0 ? style.red("\(failed) failed") : "0 failed")
                + "   \(abandoned) given up   \(total("begun")) begun   "
                + (refused > 0 ? style.yellow("\(refused) callbacks refused") : "no callback refused"),
            "  " + plot(series("completed"), style.green) + "  completed",
        ]
        if failed > 0 {
            lines.append("  " + plot(series("failed"), style.red) + "  failed: \(counts(signIns["failures"]))")
        }
        if refused > 0 {
            lines.append(
                "  " + plot(series("refused_callbacks"), style.yellow) + "  refused: \(counts(signIns["refusals"]))")
        }
        return lines + [""]
    }

    private func plot(_ series: [Int64], _ color: (String) -> String) -> String {
        let sums = stride(from: 0, to: series.count, by: Self.stepsOfBar).map { start in
            series[start..<min(start + Self.stepsOfBar, series.count)].reduce(0, +)
        }
        let most = max(1, sums.max() ?? 1)
        let signs = sums.map { sum in
            sum == 0 ? Character("·") : Self.bars[Int(max(1, (sum * 8 + most - 1) / most))]
        }
        return color(String(signs))
    }

    private func requests(_ style: TerminalStyle) -> [String] {
        let waiting = "\(integer(status["waiting_apps"])) apps wait"
        guard let requests = status["requests"]?.object else {
            return [style.bold("Requests"), "  \(style.red("not known while the store is unavailable"))   \(waiting)"]
        }
        let parts =
            requests["pending"] == nil
            ? ["\(integer(requests["unfinished"])) unfinished"]
            : [
                "\(integer(requests["pending"])) wait for a callback",
                "\(integer(requests["release_required"])) for a release",
                "\(integer(requests["claimed"]) + integer(requests["redeeming"])) are being redeemed",
            ]
        return [style.bold("Requests"), "  " + (parts + [waiting]).joined(separator: "   ")]
    }

    // MARK: Sections

    /// nil of rows where the section is left out.
    private func section(_ title: String, _ rows: [[String]], _ style: TerminalStyle) -> [String] {
        guard !rows.isEmpty else { return [] }
        return [style.bold(title)] + aligned(rows).map { "  \($0)" } + [""]
    }

    private func issuers(_ style: TerminalStyle) -> [[String]] {
        objects(status["issuers"]).map { issuer in
            let state =
                switch text(issuer["state"]) {
                case "ok": style.green("well")
                case "failing": style.red("failing")
                default: style.dim("not asked yet")
                }
            var redeemed = ""
            if let seconds = number(issuer["redemption_seconds"]) {
                redeemed = "\(integer(issuer["redemptions"])) redeemed in \(duration(seconds))"
            }
            var row = [text(issuer["name"]), state, redeemed]
            if let error = issuer["last_error"]?.object {
                row.append(
                    "last error \(clock(error["at"])): \(text(error["endpoint"])) \(words(text(error["reason"])))")
            }
            return row
        }
    }

    private func store(_ style: TerminalStyle) -> [[String]] {
        let store = status["store"]?.object ?? [:]
        let isWell = store["ok"]?.bool ?? false
        let (operations, failures) = (integer(store["operations"]), integer(store["failures"]))
        let mean = operations > 0 ? (number(store["seconds"]) ?? 0) / Double(operations) : nil
        var row = [text(store["kind"]), isWell ? style.green("well") : style.red("out of reach")]
        row.append(mean.map { "\(operations) operations of \(duration($0))" } ?? "")
        row.append(failures > 0 ? style.red("\(failures) failed") : "none failed")
        let lost = integer(status["log_lines_lost"])
        return [row] + (lost > 0 ? [["log", style.red("\(lost) lines lost")]] : [])
    }

    private var connections: [[String]] {
        objects(status["connections"]).map { [text($0["listener"]), "\(integer($0["open"])) open"] }
    }

    private func certificates(_ style: TerminalStyle) -> [[String]] {
        objects(status["certificates"]).map { certificate in
            let days = integer(certificate["days"])
            let words = days < 0 ? "expired" : days == 1 ? "ends in 1 day" : "ends in \(days) days"
            let isSoon = certificate["ends_soon"]?.bool ?? false
            return [text(certificate["subject"]), days <= 14 ? style.red(words) : isSoon ? style.yellow(words) : words]
        }
    }

    private func limits(_ style: TerminalStyle) -> [[String]] {
        let near = objects(status["limits"]).map { limit in
            [
                text(limit["limit"]),
                style.yellow("\(integer(limit["used"])) of \(integer(limit["maximum"]))"),
            ]
        }
        let limited = (status["limited"]?.object?.members ?? []).map { member in
            [member.name.printable, "turned away \(integer(member.value)) times"]
        }
        return near + limited
    }

    private func refusals(_ style: TerminalStyle) -> [[String]] {
        objects(status["refusals"]).prefix(10).map { refusal in
            let isSignIn = refusal["kind"]?.string == "sign_in"
            let reason = words(text(refusal["reason"]))
            return [
                clock(refusal["at"]), isSignIn ? style.red("sign-in") : style.yellow("callback"), reason,
                refusal["app"] == nil ? style.dim("nobody's") : text(refusal["app"]), text(refusal["reference"]),
            ]
        }
    }

    // MARK: Words

    private func texts(_ value: JSONValue?) -> [String] { (value?.array ?? []).map { text($0) } }
    private func objects(_ value: JSONValue?) -> [JSONObject] { (value?.array ?? []).compactMap(\.object) }
    private func text(_ value: JSONValue?) -> String { (value?.string ?? "").printable }
    private func integer(_ value: JSONValue?) -> Int64 { value?.integer ?? 0 }
    private func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    private func words(_ name: String) -> String { name.replacing("_", with: " ") }

    private func counts(_ value: JSONValue?) -> String {
        (value?.object?.members ?? []).map { "\(words($0.name)) \(integer($0.value))" }.joined(separator: ", ")
            .printable
    }

    /// `12:03:11` of an RFC 3339 time, in UTC as the log has it.
    private func clock(_ value: JSONValue?) -> String { String(text(value).dropFirst(11).prefix(8)) }

    private func span(_ seconds: Int64) -> String {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }

    private func duration(_ seconds: Double) -> String {
        if seconds < 0.001 { return "\(Int(seconds * 1e6)) µs" }
        if seconds >= 1 { return "\(Double(Int(seconds * 10)) / 10) s" }
        return seconds < 0.01 ? "\(Double(Int(seconds * 1e4)) / 10) ms" : "\(Int(seconds * 1000)) ms"
    }

    /// Columns below each other; what colours a cell takes no room.
    private func aligned(_ rows: [[String]]) -> [String] {
        func width(_ cell: String) -> Int {
            var width = 0
            var isEscape = false
            for character in cell {
                if character == "\u{1B}" { isEscape = true }
                if !isEscape { width += 1 }
                if isEscape, character == "m" { isEscape = false }
            }
            return width
        }
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], width(cell))
            }
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if row[(column + 1)...].contains(where: { !$0.isEmpty }) {
                    line += String(repeating: " ", count: widths[column] - width(cell) + 3)
                }
            }
            return line
        }
    }
}
