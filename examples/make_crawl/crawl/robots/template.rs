//! Files that a platform writes: the same for all its sites but for a line or two.
//!
//! The platforms are made up, but their shapes are real: a short file with one sitemap line, a long
//! file with a header and a few named crawlers, a block before the owner's own rules. That block is
//! between the two comment lines by which the best known of its kind is recognised.

use std::fmt::Write as _;

use super::super::random::Random;
use super::super::time::Time;
use super::Setting;

/// Writes a site's file. (That it ignores what `write!` returns is because writing to a string
/// cannot fail.)
type Template = fn(&mut Random, Setting) -> String;

/// How common each platform is. The block's date decides whether there can be one yet.
const TEMPLATES: [(u32, Template); 8] = [
    (430, blog),
    (90, blog_with_plugin),
    (100, shop),
    (160, managed_block),
    (80, site_builder),
    (70, portal),
    (60, wiki),
    (40, board),
];

/// The day on which the managed block begins to be offered.
const FIRST_MANAGED: Time = Time::of_date(2025, 9, 24);

/// The crawlers that the managed block disallows.
const MANAGED_AGENTS: [&str; 8] = [
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "Google-Extended",
    "Bytespider",
    "Amazonbot",
    "Applebot-Extended",
    "meta-externalagent",
];

/// The file of some platform's site.
pub(super) fn text(random: &mut Random, setting: Setting) -> String {
    let template = random.weighted(&TEMPLATES);
    template(random, setting)
}

fn blog(random: &mut Random, setting: Setting) -> String {
    let host = setting.host;
    let rules = "User-agent: *\nDisallow: /desk/\nAllow: /desk/live-update.php\n";
    match random.below(10) {
        0..3 => rules.to_owned(),
        3..8 => format!("{rules}\nSitemap: https://{host}/posts-sitemap.xml\n"),
        _ => format!("{rules}\nSitemap: https://{host}/sitemap_index.xml\n"),
    }
}

fn blog_with_plugin(random: &mut Random, setting: Setting) -> String {
    let host = setting.host;
    let mark = random.pick(&["SEO HELPER", "SITEMAP HELPER"]);
    format!(
        "# BEGIN {mark}\n# ----------------------\nUser-agent: *\nDisallow:\n\n\
         Sitemap: https://{host}/sitemap_index.xml\n# ----------------------\n# END {mark}\n"
    )
}

fn shop(random: &mut Random, setting: Setting) -> String {
    const RULES: &str = "Disallow: /back-office\nDisallow: /basket\nDisallow: /till/\n\
        Disallow: /till\nDisallow: /{store}/till\n\
        Disallow: /{store}/receipts\nDisallow: /receipts\nDisallow: /customer\n\
        Disallow: /goods/*order_by*\n\
        Disallow: /*/goods/*order_by*\nDisallow: /goods/*+*\nDisallow: /goods/*%2B*\n\
        Disallow: /goods/*%2b*\n\
        Disallow: /*/goods/*+*\nDisallow: /stories/*+*\nDisallow: /stories/*%2B*\n\
        Disallow: /stories/*%2b*\n\
        Disallow: /*?*preview=*\nDisallow: /*?*draft_theme=*\nDisallow: /terms/\n\
        Disallow: /*/*?*seen=*&seen=*\n\
        Disallow: /*/also-bought\nDisallow: /find\nDisallow: /vouchers/*\nDisallow: /app-link\n";
    let host = setting.host;
    let rules = RULES.replace(
        "{store}",
        &(10_000_000 + random.below(60_000_000)).to_string(),
    );
    let mut text = format!(
        "# This shop runs on Marketstall; the shop's owner can add rules in the settings.\n\
         User-agent: *\n{rules}"
    );
    let sitemap = format!("Sitemap: https://{host}/sitemap.xml\n");
    text.push_str(&sitemap);
    text.push_str(
        "\n# An advertising robot that follows only its own group\nUser-agent: adsbot-google\n",
    );
    text.push_str("Disallow: /till/\nDisallow: /till\nDisallow: /basket\nDisallow: /receipts\n");
    for (agent, delay) in [("AhrefsBot", "10"), ("SemrushBot", "5"), ("MJ12bot", "10")] {
        let _ = write!(
            text,
            "\nUser-agent: {agent}\nCrawl-delay: {delay}\n{rules}{sitemap}"
        );
    }
    text.push_str("\nUser-agent: BLEXBot\nDisallow: /\n\nUser-agent: Pinterest\nCrawl-delay: 2\n");
    text
}

fn managed_block(random: &mut Random, setting: Setting) -> String {
    if setting.time < FIRST_MANAGED {
        return blog(random, setting);
    }
    let mut text = String::from(
        "# BEGIN Cloudflare Managed content\n\n\
         # Signals tell what may be done with pages after they are fetched:\n\
         #   search    - list them and show short extracts\n\
         #   ai-input  - hand them to a model that is answering a question\n\
         #   ai-train  - train or tune a model on them\n\
         # \"yes\" permits a use, \"no\" forbids it, silence does neither. What is\n\
         # said here reserves rights under Article 4 of Directive (EU) 2019/790.\n\n\
         User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\n",
    );
    for agent in MANAGED_AGENTS {
        let _ = writeln!(text, "User-agent: {agent}\nDisallow: /\n");
    }
    text.push_str("# END Cloudflare Managed Content\n");
    if random.percent(70) {
        text.push('\n');
        text.push_str(&blog(random, setting));
    }
    text
}

fn site_builder(random: &mut Random, setting: Setting) -> String {
    let host = setting.host;
    let mut text = String::from("User-agent: *\nAllow: /\n");
    if random.percent(50) {
        text.push_str(
            "\n# Parts of a page are no pages\nUser-agent: AdsBot-Google\n\
             User-agent: AdsBot-Google-Mobile\n",
        );
        text.push_str(
            "Disallow: /-/parts/*\nDisallow: /-/calls*\n\nUser-agent: PetalBot\nDisallow: /\n\n",
        );
        text.push_str(
            "User-agent: dotbot\nCrawl-delay: 10\nUser-agent: AhrefsBot\nCrawl-delay: 10\n",
        );
    }
    let _ = writeln!(text, "\nSitemap: https://{host}/sitemap.xml");
    text
}

fn portal(random: &mut Random, setting: Setting) -> String {
    const DIRECTORIES: [&str; 14] = [
        "backstage",
        "blocks",
        "cache",
        "commands",
        "editor",
        "installer",
        "languages",
        "library",
        "logbook",
        "parts",
        "plugins",
        "skins",
        "tasks",
        "tmp",
    ];
    let mut text = String::from(
        "# Crawlers look for this file at the root of the host only. Where the portal\n\
         # lives further down, put its folder before each path.\n\nUser-agent: *\n",
    );
    for directory in DIRECTORIES {
        let _ = writeln!(text, "Disallow: /{directory}/");
    }
    if random.percent(20) {
        let _ = writeln!(text, "Sitemap: http://{}/sitemap.xml", setting.host);
    }
    text
}

fn wiki(random: &mut Random, setting: Setting) -> String {
    const PAGES: [&str; 8] = [
        "Made",
        "Gemacht",
        "Talk",
        "Talk_of_users",
        "Draft",
        "Help",
        "Settings",
        "Search",
    ];
    let mut text = String::from(
        "# Pages that are made on request cost the server too much\nUser-agent: *\n\
         Allow: /engine/style.php?\n",
    );
    for page in PAGES {
        let _ = writeln!(text, "Disallow: /wiki/{page}:\nDisallow: /wiki/{page}%3A");
    }
    text.push_str("Disallow: /engine/\nDisallow: /honeypot/\n");
    if random.percent(30) {
        let _ = writeln!(
            text,
            "Sitemap: https://{}/sitemap/index.xml.gz",
            setting.host
        );
    }
    text
}

fn board(random: &mut Random, setting: Setting) -> String {
    const PAGES: [&str; 10] = [
        "moderate.php",
        "uploads/",
        "letters/",
        "unread/",
        "jump/",
        "sign-in/",
        "people/",
        "smilies/",
        "single/",
        "latest/",
    ];
    let folder = random.pick(&["/", "/forum/", "/community/"]);
    let mut text = String::from("User-agent: *\n");
    for page in PAGES {
        let _ = writeln!(text, "Disallow: {folder}{page}");
    }
    let _ = writeln!(
        text,
        "Allow: /\n\nSitemap: https://{}{folder}sitemap.php",
        setting.host
    );
    text
}
