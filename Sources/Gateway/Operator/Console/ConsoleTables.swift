/// The parts of the console's script that fill its tables, and its window on one sign-in.
enum ConsoleTables {
    /// A function for each table.
    static let script: StaticString = #"""

          function showFigures(status) {
            const requests = status.requests;
            const figures = requests?.pending === undefined
              ? [["requests unfinished", requests?.unfinished]]
              : [["wait for a callback", requests.pending], ["wait for a release", requests.release_required],
                ["are being redeemed", requests.claimed + requests.redeeming]];
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
                  : `${count(one.redemptions)}, ${duration(one.redemption_seconds)} each`),
                one.last_error === undefined ? make("span", { className: "quiet", textContent: "no error" })
                  : make("span", {}, `${words(one.last_error.endpoint)}: ${words(one.last_error.reason)} `, clock(one.last_error.at)))));
          }

          function showConfiguration(configuration) {
            const { loaded_at: loaded, refused, files_left_out: files = [] } = configuration ?? {};
            show("configuration", [loaded, refused, files], () => [
              row("Read at", make("td", { className: "number" }, loaded === undefined ? "–" : clock(loaded))),
              ...(refused === undefined ? []
                : [row(make("span", {}, mark("bad", "Last reload refused "), clock(refused.at)), long(refused.reason))]),
              ...files.map(one => row(make("td", { className: "long" }, mark("bad", "Not in use "), one.file), long(one.reason))),
            ]);
          }

          let before;
          function showStore(store, lost) {
            // The average of the latest operations; of all operations when there were none lately.
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

        """#

    /// The history of one sign-in, as `/v1/sign-ins` gives it.
    static let dialog: StaticString = #"""

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
                    const { at, event: name, text: said, after_milliseconds: after, count: times, last, ...more } = event;
                    const details = said
                      ?? Object.entries(more).map(([key, value]) => `${words(key)}: ${text(value)}`).join(", ");
                    const passed = after > 0 ? make("span", { className: "quiet", textContent: ` after ${duration(after / 1000)}` }) : "";
                    const often = times > 1 ? make("span", {}, ` – ${count(times)} times, last at `, clock(last)) : "";
                    return row(clock(at), make("span", { title: name },
                      said ? "" : make("b", { textContent: `${words(name)} ` }), details, often, passed));
                  })))));
            } catch {
              say("The gateway did not answer.");
            }
          }

        """#
}
