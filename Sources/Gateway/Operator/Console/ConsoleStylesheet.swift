internal import SwitchyardCrypto

/// The stylesheet of the console, in the colours of the other pages.
enum ConsoleStylesheet {
    /// Colors reach a contrast of 4.5 on the card in both schemes, those of the plot 3 (WCAG 2.2, success criteria 1.4.3 and
    /// 1.4.11).
    static let text: StaticString = """

        :root {
          color-scheme: light dark;
          --page: #f2f4f7; --card: #ffffff; --line: #d8dde4; --text: #1c2128; --quiet: #57606a;
          --done: #1a7f37; --busy: #0b62c4; --stop: #9a5b00; --bad: #c2261b; --action: #0b5cad; --calm: #7d8793;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0f1216; --card: #1a1e24; --line: #323942; --text: #e6e9ed; --quiet: #a0aab6;
            --done: #4ac26b; --busy: #6cb0ff; --stop: #e3b341; --bad: #ff7b72; --action: #6cb0ff; --calm: #8b95a1;
          }
        }
        * { box-sizing: border-box; margin: 0; }
        [hidden] { display: none !important; }
        body {
          min-height: 100vh; padding: clamp(.75rem, 2.5vw, 1.75rem);
          background: var(--page); color: var(--text);
          font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
        }
        header, main, footer { max-width: 76rem; margin: 0 auto; }
        header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: 1rem; }
        h1 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; }
        header p { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
        #state {
          margin-left: auto; padding: .15rem .75rem; border: 1px solid currentColor; border-radius: 1rem;
          font-size: .875rem; font-weight: 600; color: var(--quiet);
        }
        #state.ok { color: var(--done); }
        #state.bad { color: var(--bad); }
        main { display: grid; gap: 1rem; grid-template-columns: repeat(12, minmax(0, 1fr)); }
        main.lost > * { opacity: .55; }
        section {
          grid-column: span 12; min-width: 0; padding: 1rem 1.125rem 1.125rem;
          background: var(--card); border: 1px solid var(--line); border-radius: .875rem;
        }
        h2 { margin-bottom: .625rem; font-size: 1rem; font-weight: 650; line-height: 1.3; }
        #obstacles { border-color: var(--bad); }
        #obstacles h2 { color: var(--bad); }
        ul { padding-left: 1.125rem; }
        .plain { padding: 0; list-style: none; }
        .quiet, .none { color: var(--quiet); }
        .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem 1rem; }
        .figures dt { color: var(--quiet); font-size: .8125rem; line-height: 1.35; }
        .figures dd { font-size: 1.5rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
        #plot { display: block; width: 100%; height: 11rem; margin: .25rem 0 .125rem; overflow: visible; }
        #plot line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
        .bar-completed, .key-completed { fill: var(--done); background: var(--done); }
        .bar-failed, .key-failed { fill: var(--bad); background: var(--bad); }
        .bar-abandoned, .key-abandoned { fill: var(--calm); background: var(--calm); }
        .scale { display: flex; justify-content: space-between; color: var(--quiet); font-size: .8125rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: .5rem; font-size: .875rem; }
        .legend b { font-variant-numeric: tabular-nums; }
        .key { display: inline-block; width: .75rem; height: .75rem; margin-right: .4rem; border-radius: .1875rem; forced-color-adjust: none; }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th { color: var(--quiet); font-size: .8125rem; font-weight: 500; text-align: left; white-space: nowrap; }
        th, td { padding: .375rem .75rem .375rem 0; vertical-align: baseline; }
        tbody tr { border-top: 1px solid var(--line); }
        th:last-child, td:last-child { padding-right: 0; }
        td { overflow-wrap: break-word; }
        .long { overflow-wrap: anywhere; }
        td.number, th.number { text-align: right; }
        .number + td, .number + th { padding-left: .75rem; }
        #certificates .number, #connections .number, table:not(.facts) .number { white-space: nowrap; }
        time, .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
        td time { white-space: nowrap; }
        .mark { font-weight: 600; }
        .mark.quiet { font-weight: 400; }
        #reasons { margin-top: .625rem; font-size: .875rem; }
        .mark.ok { color: var(--done); }
        .mark.warn { color: var(--stop); }
        .mark.bad { color: var(--bad); }
        details { margin-top: .5rem; font-size: .875rem; }
        summary { width: fit-content; color: var(--action); cursor: pointer; }
        details .scroll { max-height: 16rem; overflow-y: auto; margin-top: .5rem; }
        button {
          min-height: 1.75rem; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .375rem;
          background: transparent; color: var(--action); font: inherit; cursor: pointer; white-space: nowrap;
        }
        button:hover { border-color: var(--action); }
        form { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem .75rem; margin-bottom: .75rem; font-size: .875rem; }
        input {
          width: 10rem; min-height: 1.75rem; padding: 0 .5rem; border: 1px solid var(--quiet); border-radius: .375rem;
          background: var(--page); color: var(--text); font: inherit; text-transform: uppercase;
        }
        footer { margin-top: 1rem; color: var(--quiet); font-size: .8125rem; }
        :focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
        dialog {
          width: min(42rem, calc(100vw - 1.5rem)); max-height: calc(100vh - 2rem); margin: auto; padding: 1.25rem;
          border: 1px solid var(--line); border-radius: .875rem; background: var(--card); color: var(--text);
          overflow-y: auto;
        }
        dialog::backdrop { background: rgb(0 0 0 / .5); }
        dialog header { align-items: center; margin-bottom: .5rem; }
        dialog header button { margin-left: auto; }
        dialog p { margin-bottom: .625rem; }
        @media (min-width: 44rem) {
          .wide.first { grid-column: span 8; }
          .narrow.first { grid-column: span 4; }
          .narrow { grid-column: span 6; }
        }
        @media (min-width: 64rem) {
          .wide { grid-column: span 8; }
          .narrow { grid-column: span 4; }
        }
        @media (max-width: 36rem) {
          /* Four columns do not fit a phone: a row becomes a block of two lines. */
          .stack, .stack tbody { display: block; }
          .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .stack tr { display: flex; flex-wrap: wrap; justify-content: space-between; padding: .5rem 0; gap: .25rem .75rem; }
          .stack td { min-width: 0; padding: 0; text-align: right; }
          .stack td:nth-child(odd) { flex: 1 1 25%; text-align: left; }
          .stack td:nth-child(3) { flex: 1 1 65%; overflow-wrap: anywhere; }
        }

        """

    /// The hash source that allows exactly this stylesheet (CSP Level 3, section 2.3.1).
    static let hashSource = "'sha256-\(Base64.encode(SHA256Digest(of: text.description).bytes))'"
}
