internal import SwitchyardPages
internal import SwitchyardPhrases

extension PageLayout {
    /// The page for `response_mode=fragment`. Its script shows one of the hidden parts; without scripts the browser
    /// shows the part for that case, and the title is that part's.
    func fragment() -> Page {
        let words = phrases.notices
        return document(title: words.fragmentNeedsScript.heading, policy: .fragment) { html in
            html.markup("<main>\n")
            letterhead(nil, into: &html)
            html.markup("<noscript>\n<section class=\"stop\">\n")
            html.symbol(.stop)
            html.notice(words.fragmentNeedsScript)
            html.markup("</section>\n</noscript>\n<section class=\"busy\" id=\"sending\" role=\"status\" hidden>\n")
            html.symbol(.busy)
            html.notice(words.sendingFragment)
            html.markup("</section>\n<section class=\"stop\" id=\"incomplete\" hidden>\n")
            html.symbol(.stop)
            html.notice(phrases.refusals.missingCode)
            html.markup("</section>\n")
            links(nil, into: &html)
            html.markup("</main>\n<script>")
            html.markup(FragmentScript.text)
            html.markup("</script>\n")
        }
    }
}

/// The script of the page for `response_mode=fragment`, because no server sees a fragment.
enum FragmentScript {
    /// Takes the fragment out of the address before anything else, then posts it to where the page came from.
    ///
    /// `URLSearchParams` decodes as application/x-www-form-urlencoded and keeps duplicates, which are for the parser to
    /// refuse; it drops one leading "?", so it gets one. An input hides the member of its form that has its name: so
    /// the form gets all inputs at once, as its last change, and is submitted through its prototype.
    static let text: StaticString = """

        {
          const pairs = [...new URLSearchParams("?" + location.hash.slice(1))];
          const address = location.origin + location.pathname;
          history.replaceState(null, "", address);
          const part = document.getElementById(pairs.length > 0 ? "sending" : "incomplete");
          part.hidden = false;
          document.title = part.querySelector("h1").textContent;
          if (pairs.length > 0) {
            const form = document.createElement("form");
            form.method = "post";
            form.action = address;
            const inputs = document.createDocumentFragment();
            for (const [name, value] of pairs) {
              const input = document.createElement("input");
              input.type = "hidden";
              input.name = name;
              input.value = value;
              inputs.append(input);
            }
            form.append(inputs);
            document.body.append(form);
            HTMLFormElement.prototype.submit.call(form);
          }
        }

        """

    /// The hash source that allows exactly this script.
    static let hashSource = HTML.hashSource(of: text)
}
