//! Lines that one reader takes in this way and another in that.

use super::super::exchange::Exchange;
use super::file;

/// What comes before the dot in the host, and the body.
const BODIES: [(&str, &str); 29] = [
    (
        "upper-case",
        "USER-AGENT: EXAMPLEBOT\nDISALLOW: /Upper/\nAlLoW: /uPPER/\n",
    ),
    (
        "no-spaces",
        "User-agent:*\nDisallow:/tight/\nAllow:/tight/fit#and a comment\n",
    ),
    (
        "wide-spaces",
        "  User-agent \t:\t *  \n\tDisallow   :   /wide/\t\n \n   # indented comment\n",
    ),
    (
        "comment-after-value",
        "User-agent: * # everybody\nDisallow: /a/ # why\nDisallow: /b/#why\nDisallow: # nothing\n",
    ),
    (
        "hash-in-path",
        "User-agent: *\nDisallow: /page#fragment\nDisallow: /page%23fragment\n",
    ),
    (
        "colon-in-value",
        "User-agent: *\nDisallow: /wiki/Talk:Page\nDisallow: : /odd/\nDisallow:: /odder/\n",
    ),
    (
        "space-in-path",
        "User-agent: *\nDisallow: /two words/\nDisallow: /one/ /two/\nDisallow: /a/, /b/\n",
    ),
    (
        "duplicate-rules",
        "User-agent: *\nDisallow: /same/\nDisallow: /same/\nAllow: /same/\nDisallow: /same/\n",
    ),
    (
        "empty-beside-root",
        "User-agent: *\nDisallow:\nDisallow: /\n",
    ),
    (
        "root-but-home",
        "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /robots.txt\n",
    ),
    ("star-rule", "User-agent: *\nDisallow: *\n"),
    (
        "star-forms",
        "User-agent: *\nDisallow: /**/a***b/\nDisallow: /*$\nAllow: /*a*b*c*d*e*f*g*h$\n",
    ),
    (
        "dollar-forms",
        "User-agent: *\nDisallow: $\nDisallow: /a$b$\nDisallow: /c$$\nDisallow: /d$*\n",
    ),
    (
        "robots-txt-rule",
        "User-agent: *\nDisallow: /robots.txt\nDisallow: /rob\n",
    ),
    (
        "dot-segments",
        "User-agent: *\nDisallow: /a/../b/\nDisallow: /./c/\nDisallow: //d//\nDisallow: \\e\\\n",
    ),
    (
        "agent-version",
        "User-agent: ExampleBot/2.1\nDisallow: /versioned/\n\nUser-agent: ExampleBot 3\n\
         Disallow: /spaced/\n",
    ),
    (
        "agent-list",
        "User-agent: OneBot, TwoBot\nDisallow: /list/\nUser-agent: Three Bot\nDisallow: /words/\n",
    ),
    (
        "agent-star-forms",
        "User-agent: *bot\nDisallow: /a/\nUser-agent: Example*\nDisallow: /b/\n\
         User-agent: * # all\nDisallow: /c/\n",
    ),
    (
        "agent-empty",
        "User-agent:\nDisallow: /nobody/\n\nUser-agent: *\nDisallow: /everybody/\n",
    ),
    (
        "agent-non-ascii",
        "User-agent: Größte-Suche\nDisallow: /a/\nUser-agent: Экзамплбот\nDisallow: /b/\n",
    ),
    (
        "agent-prefix",
        "User-agent: Googlebot\nDisallow: /web/\nUser-agent: Googlebot-News\nDisallow: /news/\n\
         User-agent: goo\nDisallow: /\n",
    ),
    ("no-wildcard-group", "User-agent: ExampleBot\nDisallow: /\n"),
    (
        "empty-group",
        "User-agent: ExampleBot\n\nSitemap: https://empty-group.line.example/s.xml\n\n\
         User-agent: *\nDisallow: /\n",
    ),
    (
        "delay-only-group",
        "User-agent: SlowBot\nCrawl-delay: 20\nUser-agent: *\nDisallow: /x/\n",
    ),
    (
        "delay-values",
        "User-agent: *\nCrawl-delay: 0.25\nCrawl-delay: -1\nCrawl-delay: 10s\nCrawl-delay: soon\n\
         Crawl-delay:\nCrawl-delay: 1e9\n",
    ),
    (
        "unknown-between",
        "User-agent: OneBot\nFavourite-colour: blue\nUser-agent: TwoBot\nDisallow: /shared/\n",
    ),
    (
        "many-preferences",
        "Content-Signal: ai-train=no\nUser-agent: *\n\
         Content-Signal: search=YES , ai-train = no,,bogus\nContent-Usage: train-ai=n;search\n\
         Content-signal:\n",
    ),
    (
        "signal-against-rule",
        "User-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /\nUser-agent: *\n\
         Content-Signal: ai-train=no\nAllow: /\n",
    ),
    (
        "markup-left",
        "<pre>User-agent: *\nDisallow: /after-tag/</pre>\n",
    ),
];

pub(super) fn stops() -> Vec<Exchange> {
    BODIES
        .iter()
        .map(|(name, body)| file(&format!("{name}.line.example"), *body))
        .collect()
}
