internal import SwitchyardPages

/// The script of pages that show a passing moment or a time. A page is complete without it: then a link loads it again,
/// and times are in UTC.
enum PageScript {
    /// Asks this gateway every few seconds for the stage of the sign-in (``SignInStage``), and loads the page again once
    /// the stage has changed. Until then the focus, the scroll position and a selected code stay. After half an hour it
    /// stops and says so. Times are shown in the reader's language and zone.
    static let text: StaticString = """

        {
          const language = document.documentElement.lang;
          for (const time of document.querySelectorAll("time[datetime]")) {
            const date = new Date(time.dateTime);
            if (Number.isNaN(date.getTime())) continue;
            time.title = time.textContent;
            time.textContent = new Intl.DateTimeFormat(language, {
              year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit",
              timeZoneName: "short",
            }).format(date);
          }
          const news = document.getElementById("news");
          const link = document.getElementById("reload");
          if (news && link) {
            const words = news.dataset;
            const began = Date.now();
            const say = (text, offersLink) => {
              if (news.textContent !== text) news.textContent = text;
              link.hidden = !offersLink;
            };
            const look = async () => {
              let stage = words.stage;
              try {
                const answer = await fetch(location.pathname + "/news", { cache: "no-store", redirect: "error" });
                if (answer.ok) {
                  stage = await answer.text();
                  say(words.live, false);
                } else {
                  say(words.unreachable, true);
                }
              } catch {
                say(words.unreachable, true);
              }
              const age = Date.now() - began;
              if (stage !== words.stage) {
                say(words.changed, false);
                setTimeout(() => location.reload(), 500);
              } else if (age > 1800000) {
                say(words.stopped, true);
              } else {
                setTimeout(look, age < 60000 ? 2000 : 5000);
              }
            };
            say(words.live, false);
            setTimeout(look, 2000);
          }
        }

        """

    /// The hash source that allows exactly this script.
    static let hashSource = HTML.hashSource(of: text)
}
