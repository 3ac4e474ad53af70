internal import SwitchyardCrypto

/// The script of the console: shows what `/v1/status` tells, for as long as it tells it.
enum ConsoleScript {
    /// All text goes into the page as text, never as markup. What has not changed is left alone, so that who reads with a
    /// keyboard or a screen reader keeps their place.
    static let text: StaticString = #"""

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

          // Changes a part of the page only when what it shows has changed.
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

          // MARK: The plot

          const KINDS = [["completed", "completed"], ["failed", "failed"], ["abandoned", "given up"]];
          // Three of the gateway's steps are one bar.
          const STEPS = 3;

          function bars(signIns) {
            const until = Date.parse(signIns.until), length = signIns.step_seconds * STEPS;
            const all = [];
            for (let end = signIns.completed.length; end > 0; end -= STEPS) {
              const part = name => sum(signIns[name].slice(Math.max(0, end - STEPS), end));
              const age = (signIns.completed.length - end) * signIns.step_seconds * 1000;
              all.unshift({
                at: new Date(until - age - length * 1000).toISOString(),
                completed: part("completed"), failed: part("failed"), abandoned: part("abandoned"),
                refused: part("refused_callbacks"),
              });
            }
            return all;
          }

          // The next of 1, 2, 5, 10, … so that the scale stays where it is for a while.
          function nice(most) {
            const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
            return [1, 2, 5, 10].map(one => one * power).find(one => one >= most);
          }

          function draw(all) {
            const plot = find("plot"), width = 600, height = 176;
            const top = nice(Math.max(4, ...all.map(bar => bar.completed + bar.failed + bar.abandoned)));
            const shape = (name, attributes) => {
              const element = document.createElementNS(SVG, name);
              for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
              return element;
            };
            const parts = [0, .5, 1].map(share => {
              const y = height - share * (height - 1);
              return shape("line", { x1: 0, x2: width, y1: y, y2: y });
            });
            const step = width / all.length;
            all.forEach((bar, index) => {
              let y = height;
              for (const [kind] of KINDS) {
                const size = bar[kind] / top * (height - 1);
                if (size <= 0) continue;
                y -= size;
                parts.push(shape("rect", {
                  class: `bar-${kind}`, x: index * step + step * .12, width: step * .76, y, height: size,
                }));
              }
            });
            plot.replaceChildren(...parts);
            find("top").textContent = count(top);
          }

          function showSignIns(signIns) {
            const totals = Object.fromEntries(KINDS.map(([kind]) => [kind, sum(signIns[kind])]));
            const refused = sum(signIns.refused_callbacks);
            const all = bars(signIns);
            const text = JSON.stringify(all);
            if (shown.get("plot") !== text) {
              shown.set("plot", text);
              draw(all);
              find("plot").setAttribute("aria-label",
                `Sign-ins of the last 15 minutes: ${KINDS.map(([kind, word]) => `${totals[kind]} ${word}`).join(", ")}.`);
            }
            show("legend", [totals, refused, sum(signIns.begun)], () => [
              ...KINDS.map(([kind, word]) => make("li", {},
                make("span", { className: `key key-${kind}` }), make("b", { textContent: count(totals[kind]) }), ` ${word}`)),
              make("li", { className: "quiet" }, make("b", { textContent: count(sum(signIns.begun)) }), " begun"),
              make("li", { className: "quiet" }, make("b", { textContent: count(refused) }), " callbacks refused"),
            ]);
            show("reasons", [signIns.failures, signIns.refusals], () => {
              const list = (names, what) => Object.entries(names).map(([name, times]) => `${words(name)} ${count(times)}`).join(", ")
                && make("p", { className: "quiet" },
                  `${what}: `, Object.entries(names).map(([name, times]) => `${words(name)} ${count(times)}`).join(", "));
              return [list(signIns.failures, "Failed"), list(signIns.refusals, "Refused callbacks")].filter(Boolean);
            });
            show("numbers", all, () => all.toReversed().map(bar => row(
              clock(bar.at), number(count(bar.completed)), number(count(bar.failed)), number(count(bar.abandoned)),
              number(count(bar.refused)))));
          }

          // MARK: The other parts

          function showFigures(status) {
            const requests = status.requests;
            const figures = requests?.pending === undefined
              ? [["requests unfinished", requests?.unfinished]]
              : [["wait for a callback", requests.pending + requests.claimed], ["wait for a release", requests.release_required],
                ["are being redeemed", requests.redeeming]];
            figures.push(["apps wait", status.waiting_apps],
              ["connections", sum(status.connections.map(one => one.open))]);
            show("figures", figures, () => figures.flatMap(([name, value]) => [
              make("div", {}, make("dt", { textContent: name }),
                make("dd", { textContent: value === undefined ? "–" : count(value) })),
            ]));
          }

          function showRefusals(refusals) {
            show("refusals", refusals, () => refusals.length === 0 ? nothing(4, "None since the gateway began.")
              : refusals.map(one => {
                const reference = one.reference === undefined ? make("span", { className: "quiet", textContent: "–" })
                  : make("button", { type: "button", className: "code", textContent: one.reference,
                    ariaLabel: `What happened to ${one.reference}` });
                if (one.reference !== undefined) {
                  reference.dataset.key = `${one.at} ${one.kind} ${one.reference}`;
                  reference.addEventListener("click", () => explain(one.reference));
                }
                return row(clock(one.at),
                  make("td", {}, mark(one.kind === "sign_in" ? "bad" : "warn", words(one.reason)),
                    make("span", { className: "quiet", textContent: one.kind === "sign_in" ? " sign-in" : " callback" })),
                  one.app ?? make("span", { className: "quiet", textContent: "nobody's" }), reference);
              }));
          }

          function showIssuers(issuers) {
            const states = { ok: ["ok", "well"], failing: ["bad", "failing"], not_asked: ["quiet", "not asked yet"] };
            show("issuers", issuers, () => issuers.length === 0 ? nothing(4, "No issuer is configured.")
              : issuers.map(one => row(
                one.name, mark(...states[one.state]),
                number(one.redemption_seconds === undefined ? "–"
                  : `${count(one.redemptions)} in ${duration(one.redemption_seconds)}`),
                one.last_error === undefined ? make("span", { className: "quiet", textContent: "none" })
                  : make("span", {}, `${words(one.last_error.endpoint)}: ${words(one.last_error.reason)} `, clock(one.last_error.at)))));
          }

          let before;
          function showStore(store, lost, openFiles) {
            // What it took lately; since the beginning where nothing has happened lately.
            const operations = store.operations - (before?.operations ?? 0), seconds = store.seconds - (before?.seconds ?? 0);
            const mean = operations > 0 ? seconds / operations : store.operations > 0 ? store.seconds / store.operations : undefined;
            before = store;
            const facts = [
              ["Store", store.ok ? mark("ok", `${store.kind}, well`) : mark("bad", `${store.kind}, out of reach`)],
              ["An operation takes", mean === undefined ? "–" : duration(mean)],
              ["Failures of the store", store.failures === 0 ? "none" : mark("bad", count(store.failures))],
              ["Lines of the log lost", lost === 0 ? "none" : mark("bad", count(lost))],
            ];
            show("store", facts.map(([name, value]) => [name, value.textContent ?? value]), () =>
              facts.map(([name, value]) => row(name, make("td", { className: "number" }, value))));
          }

          function showCertificates(certificates) {
            show("certificates", certificates, () => certificates.length === 0 ? nothing(2, "No listener has TLS.")
              : certificates.map(one => row(long(one.subject), make("td", { className: "number" },
                one.days < 0 ? mark("bad", "expired") : mark(one.days <= 14 ? "bad" : one.ends_soon ? "warn" : "ok",
                  `${count(one.days)} day${one.days === 1 ? "" : "s"}`)))));
          }

          function showLimits(near, limited) {
            const rows = [
              ...near.map(one => {
                const amount = one.limit.endsWith("bytes") ? bytes => `${count(Math.round(bytes / 1048576))} MiB` : count;
                return [words(one.limit), mark("warn", `${amount(one.used)} of ${amount(one.maximum)}`)];
              }),
              ...Object.entries(limited).map(([name, times]) => [words(name), `turned away ${count(times)} times`]),
            ];
            show("limits", rows.map(([name, value]) => [name, value.textContent ?? value]), () =>
              rows.length === 0 ? nothing(2, "None is near, and nobody was turned away.")
                : rows.map(([name, value]) => row(name, make("td", { className: "number" }, value))));
          }

          function showConnections(connections) {
            show("connections", connections, () => connections.map(one => row(long(one.listener), number(count(one.open)))));
          }

          // MARK: One sign-in

          async function explain(reference) {
            const dialog = find("sign-in");
            const say = (...parts) => find("history").replaceChildren(...parts.map(part =>
              typeof part === "string" ? make("p", { textContent: part }) : part));
            find("sign-in-name").textContent = reference;
            say("Asking the gateway …");
            dialog.showModal();
            try {
              const answer = await fetch(`v1/sign-ins/${encodeURIComponent(reference)}`, { headers: { Accept: "application/json" } });
              const told = await answer.json();
              if (!answer.ok) return say(told.error_description ?? `The gateway answered ${answer.status}.`);
              const text = value => typeof value === "string" ? value : value?.text ?? value?.name ?? JSON.stringify(value);
              say(
                make("p", {}, mark(told.status === "completed" ? "ok" : told.status === "failed" ? "bad" : "warn", words(told.status ?? "")),
                  [told.app, told.issuer].filter(Boolean).map(one => ` · ${one}`).join("")),
                ...(told.explanation ?? told.cause
                  ? [make("p", {}, make("b", { textContent: "Cause: " }), text(told.explanation ?? told.cause))] : []),
                ...(told.remedy ? [make("p", {}, make("b", { textContent: "Remedy: " }), text(told.remedy))] : []),
                make("div", { className: "scroll" }, make("table", {},
                  make("thead", {}, make("tr", {}, make("th", { scope: "col", textContent: "Time" }),
                    make("th", { scope: "col", textContent: "What happened" }))),
                  make("tbody", {}, ...(told.events ?? []).map(event => {
                    const { at, event: name, text: said, after_milliseconds: after, ...more } = event;
                    const details = said
                      ?? Object.entries(more).map(([key, value]) => `${words(key)}: ${text(value)}`).join(", ");
                    const passed = after > 0 ? make("span", { className: "quiet", textContent: ` after ${duration(after / 1000)}` }) : "";
                    return row(clock(at), make("span", {},
                      make("b", { textContent: words(name) }), details ? ` ${details}` : "", passed));
                  })))));
            } catch {
              say("The gateway did not answer.");
            }
          }

          // MARK: The stream

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
          follow();
        }

        """#

    /// The hash source that allows exactly this script (CSP Level 3, section 2.3.1).
    static let hashSource = "'sha256-\(Base64.encode(SHA256Digest(of: text.description).bytes))'"
}
