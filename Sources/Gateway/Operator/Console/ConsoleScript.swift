internal import SwitchyardCrypto

/// The script of the console: shows `/v1/status` for as long as the stream lasts.
///
/// All text goes into the page as text, never as markup. Unchanged parts stay as they are, so that readers with a
/// keyboard or a screen reader keep their place.
enum ConsoleScript {
    /// One behind the other, in one block.
    static let parts = [tools, ConsolePlot.script, ConsoleTables.script, ConsoleTables.dialog, stream]

    /// The hash source that allows exactly this script (CSP Level 3, section 2.3.1).
    static let hashSource =
        "'sha256-\(Base64.encode(SHA256Digest(of: parts.map(\.description).joined()).bytes))'"

    /// The functions that all parts use; opens the block.
    private static let tools: StaticString = #"""

        "use strict";
        {
          const find = id => document.getElementById(id);
          const SVG = "http://www.w3.org/2000/svg";

          function make(name, properties = {}, ...children) {
            const element = Object.assign(document.createElement(name), properties);
            element.append(...children);
            return element;
          }

          const words = name => name.replaceAll("_", " ");
          const count = number => number.toLocaleString("en");
          const sum = numbers => numbers.reduce((all, one) => all + one, 0);

          function clock(text) {
            const date = new Date(text);
            return make("time", {
              dateTime: text, title: date.toLocaleString(),
              textContent: date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
            });
          }

          function span(seconds) {
            const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
            const first = units.findIndex(([length]) => seconds >= length);
            if (first < 0) return "0 s";
            return units.slice(first, first + 2).map(([length, unit], index) =>
              `${Math.floor((index ? seconds % units[first][0] : seconds) / length)} ${unit}`).join(" ");
          }

          function duration(seconds) {
            return seconds < 0.001 ? `${Math.round(seconds * 1e6)} µs`
              : seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
          }

          const mark = (kind, text) => make("span", { className: `mark ${kind}`, textContent: text });

          // Changes a part of the page only if its content has changed.
          const shown = new Map();
          function show(id, data, fill) {
            const text = JSON.stringify(data);
            if (shown.get(id) === text) return;
            shown.set(id, text);
            const part = find(id);
            const held = part.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
            part.replaceChildren(...[fill(data)].flat());
            if (held !== undefined) part.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
          }

          const row = (...cells) => make("tr", {}, ...cells.map(cell =>
            cell instanceof HTMLTableCellElement ? cell : make("td", {}, cell)));
          const number = text => make("td", { className: "number", textContent: text });
          const long = text => make("td", { className: "long", textContent: text });
          const nothing = (columns, text) =>
            make("tr", {}, make("td", { colSpan: columns, className: "none", textContent: text }));

        """#

    /// Follows the gateway; closes the block.
    private static let stream: StaticString = #"""

          function state(kind, text) {
            const element = find("state");
            element.className = kind;
            if (element.textContent !== text) element.textContent = text;
          }

          function take(status) {
            find("main").classList.remove("lost");
            find("main").removeAttribute("aria-busy");
            state(status.ready ? "ok" : "bad", status.ready ? "Ready" : "Not ready");
            find("about").textContent = `${status.public_url} · version ${status.version} · `
              + `${count(status.apps)} app${status.apps === 1 ? "" : "s"} · up ${span(status.uptime_seconds)}`;
            find("obstacles").hidden = status.obstacles.length === 0;
            show("obstacle-list", status.obstacles, list => list.map(one => make("li", { textContent: one })));
            showSignIns(status.sign_ins);
            showFigures(status);
            showRefusals(status.refusals);
            showIssuers(status.issuers);
            showConfiguration(status.configuration);
            showStore(status.store, status.log_lines_lost);
            showCertificates(status.certificates);
            showLimits(status.limits, status.limited);
            showConnections(status.connections);
          }

          let silence;
          function lost() {
            state("bad", "Lost the gateway; trying again");
            find("main").classList.add("lost");
          }

          function follow() {
            const stream = new EventSource("v1/status");
            const again = () => {
              clearTimeout(silence);
              stream.close();
              lost();
              setTimeout(follow, 2000);
            };
            // A connection whose other end is gone can stay silent for very long.
            const expect = () => {
              clearTimeout(silence);
              silence = setTimeout(again, 10000);
            };
            expect();
            stream.addEventListener("status", event => {
              expect();
              take(JSON.parse(event.data));
            });
            stream.addEventListener("error", again);
          }

          find("close").addEventListener("click", () => find("sign-in").close());
          find("find").addEventListener("submit", event => {
            event.preventDefault();
            explain(find("reference").value.trim().toUpperCase());
          });
          const zone = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" });
          find("zone").textContent = `Times are those of this browser's zone, ${zone.resolvedOptions().timeZone} (${
            zone.formatToParts(new Date()).find(part => part.type === "timeZoneName")?.value}).`;
          follow();
        }

        """#
}
