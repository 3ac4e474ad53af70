/// The one stylesheet of all pages, which stands inside each of them.
package enum Stylesheet {
    /// Colors reach a contrast of 4.5 on the card in both schemes (WCAG 2.2, success criterion 1.4.3).
    package static let text: StaticString = """

        :root {
          color-scheme: light dark;
          --page: #f2f4f7; --card: #ffffff; --line: #d8dde4; --text: #1c2128; --quiet: #57606a;
          --done: #1a7f37; --busy: #0b62c4; --stop: #9a5b00;
          --action: #0b5cad; --on-action: #ffffff;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0f1216; --card: #1a1e24; --line: #323942; --text: #e6e9ed; --quiet: #a0aab6;
            --done: #4ac26b; --busy: #6cb0ff; --stop: #e3b341;
            --action: #6cb0ff; --on-action: #0b1420;
          }
        }
        * { box-sizing: border-box; margin: 0; }
        body {
          min-height: 100vh; padding: 1rem; display: grid; place-items: center;
          background: var(--page); color: var(--text);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
          overflow-wrap: anywhere;
        }
        main {
          width: 100%; max-width: 30rem; padding: clamp(1.5rem, 6vw, 2.5rem);
          background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
        }
        svg {
          display: block; width: 2.5rem; height: 2.5rem; margin-bottom: 1rem;
          fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round;
        }
        .done svg { color: var(--done); }
        .busy svg { color: var(--busy); }
        .stop svg { color: var(--stop); }
        .calm svg { color: var(--quiet); }
        h1 { margin-bottom: .75rem; font-size: 1.375rem; line-height: 1.3; font-weight: 600; text-wrap: balance; }
        p { text-wrap: pretty; }
        :lang(ko) { word-break: keep-all; }
        :lang(ja) { word-break: auto-phrase; }
        p + p { margin-top: .75rem; }
        p bdi { font-weight: 600; }
        small { display: block; margin-top: .75rem; font-size: .875rem; color: var(--quiet); }
        dl { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
        dt { color: var(--quiet); }
        dd + dt { margin-top: .5rem; }
        dd bdi, #reference, #release-code {
          font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
        }
        #release-code {
          margin: 1.25rem 0; padding: 1rem .5rem; border: 1px solid var(--line); border-radius: .75rem;
          font-size: clamp(1.75rem, 9vw, 2.5rem); font-weight: 600; line-height: 1.2; letter-spacing: .06em;
          text-align: center; white-space: nowrap; user-select: all; direction: ltr;
        }
        .warning { padding-inline-start: .75rem; border-inline-start: .25rem solid var(--stop); font-weight: 600; }
        .logo {
          display: block; height: 3rem; max-width: 100%; margin-bottom: 1rem; padding: .25rem; object-fit: contain;
          object-position: left; border-radius: .375rem; background: #ffffff; forced-color-adjust: none;
        }
        .operator { margin-bottom: 1rem; font-weight: 600; color: var(--quiet); }
        .links { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-top: 1.25rem; font-size: .875rem; }
        .reload { margin-top: .5rem; font-size: .875rem; }
        a { color: var(--action); }
        a[hidden] { display: none; }
        .choices { display: grid; gap: .75rem; margin-top: 1.25rem; }
        .button {
          display: block; width: 100%; min-height: 2.75rem; padding: .55rem 1rem;
          border: 2px solid var(--action); border-radius: .625rem; background: transparent; color: var(--action);
          font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
        }
        .question form:first-child button { background: var(--action); color: var(--on-action); }
        @media (forced-colors: active) {
          .question form:first-child button {
            forced-color-adjust: none; border-color: ButtonText; background: ButtonText; color: ButtonFace;
          }
        }
        .button:hover { text-decoration: underline; }
        .button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }

        """

    /// The hash source that allows exactly this stylesheet.
    package static let hashSource = HTML.hashSource(of: text)
}
