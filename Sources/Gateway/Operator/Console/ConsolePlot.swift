/// The part of the console's script that draws sign-ins over time, and tells their numbers beside it.
enum ConsolePlot {
    static let script: StaticString = #"""

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

        """#
}
