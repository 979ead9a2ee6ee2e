//! Crawlers of AI.

use super::BLOCKED;
use crate::analysis::report::section::{Chapter, Chart, Colour, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "AI crawlers",
    about: "Crawlers that gather text to train models, to answer searches, or for a user who asked; which ones these are \
            says the agent catalogue.",
    sections: &[
        Section {
            query: "ai-agents-most-blocked",
            title: "The AI crawlers blocked most",
            finding: &[
                "{0:name} is blocked by most: {0:pct_full_by_name} of {0:n} hosts leave it no path in a group of its own \
                 (95 % interval {0:pct_low} to {0:pct_high}), before {1:name} ({1:pct_full_by_name}).",
                "{0:note}.",
            ],
            says: "Of the hosts that answered conclusively, those with a group for the crawler that allows no path. \
                   Intervals have registrable domains as clusters: what one operator of many hosts does counts as one \
                   piece of evidence.",
            columns: &[
                "rank",
                "name",
                "operator",
                "hosts_full_by_name",
                "pct_full_by_name",
                "pct_low",
                "pct_high",
                "pct_full",
            ],
            rows: 20,
            chart: Chart::Bars {
                label: &["name"],
                value: "pct_full_by_name",
            },
            ..PLAIN
        },
        Section {
            query: "ai-agents-blocked",
            title: "Hosts that shut out an AI crawler",
            finding: &[
                "{-1:pct_blocking_one} of the hosts fully block at least one AI crawler by name, {-1:pct_blocked_by_any} by name or by \
                 shutting out everybody.",
                "Those that block name {-1:mean_agents_blocked} of them on average.",
            ],
            columns: &[
                "crawl",
                "hosts",
                "pct_naming_one",
                "pct_restricting_one",
                "pct_blocking_one",
                "pct_blocked_by_any",
                "mean_agents_blocked",
            ],
            rows: 60,
            chart: Chart::Lines {
                x: "crawl",
                y: &["pct_naming_one", "pct_blocking_one", "pct_blocked_by_any"],
                series: None,
            },
            ..PLAIN
        },
        Section {
            query: "agent-restrictions",
            suffix: "ai",
            set: &[(
                "agents",
                "[gptbot,ccbot,claudebot,google-extended,bytespider,anthropic-ai,perplexitybot,amazonbot,applebot-extended,meta-externalagent,chatgpt-user,oai-searchbot]",
            )],
            title: "Twelve AI crawlers by name",
            finding: &[
                "{product_token=gptbot:full} of the {product_token=gptbot:hosts} hosts that name GPTBot block it fully; of the \
                 {product_token=ccbot:hosts} that name CCBot, {product_token=ccbot:full} do.",
            ],
            says: "By what their own group closes.",
            columns: &["product_token", "hosts", "full", "partial", "none"],
            chart: Chart::Stack {
                label: &["product_token"],
                parts: BLOCKED,
            },
            ..PLAIN
        },
        Section {
            query: "ai-agents-per-host",
            title: "How many AI crawlers a host shuts out",
            finding: &[
                "{ai_agents_blocked=0:pct_of_hosts_with_rules} of the hosts with rules shut out none by name, {ai_agents_blocked=1:pct_of_hosts_with_rules} one.",
            ],
            rows: 20,
            chart: Chart::Bars {
                label: &["ai_agents_blocked"],
                value: "hosts",
            },
            without: Some(("ai_agents_blocked", "0")),
            ..PLAIN
        },
        Section {
            query: "ai-agents-blocked-by-tld",
            title: "AI crawlers by top-level domain",
            finding: &[
                "Under .{0:tld}, {0:pct_blocking_one} of the hosts with rules fully block an AI crawler by name; under .{1:tld} {1:pct_blocking_one}.",
            ],
            columns: &[
                "tld",
                "hosts_with_rules",
                "hosts_blocking_one",
                "pct_naming_one",
                "pct_blocking_one",
            ],
            rows: 20,
            chart: Chart::Bars {
                label: &["tld"],
                value: "pct_blocking_one",
            },
            ..PLAIN
        },
        Section {
            query: "ai-agent-sets",
            title: "Shut out together",
            finding: &[
                "The commonest set is {0:product_tokens}: {0:pct_of_blocking_hosts} of the hosts that block any.",
            ],
            columns: &[
                "product_tokens",
                "ai_agents",
                "hosts",
                "pct_of_blocking_hosts",
                "policies",
            ],
            rows: 10,
            ..PLAIN
        },
        Section {
            query: "agent-pairs",
            title: "Who shuts out one shuts out the other",
            finding: &[
                "{0:hosts_both} hosts shut out both {0:agent} and {0:other}: {0:pct_both} of those that shut out either.",
            ],
            columns: &[
                "agent",
                "other",
                "hosts_both",
                "hosts_agent_only",
                "hosts_other_only",
                "pct_both",
            ],
            rows: 15,
            chart: Chart::Stack {
                label: &["agent", "other"],
                parts: &[
                    ("hosts_both", "both", Colour::Full),
                    ("hosts_agent_only", "first only", Colour::Partial),
                    ("hosts_other_only", "second only", Colour::Other),
                ],
            },
            ..PLAIN
        },
        Section {
            query: "agent-conflicts",
            title: "One shut out, its sibling let in",
            finding: &[
                "{0:pct_of_hosts} of the hosts shut out {0:blocked} and let in {0:allowed}.",
            ],
            says: "Pairs of crawlers of one operator, or for one purpose: whoever shuts out only one of them may get what \
                   was not wanted.",
            columns: &[
                "blocked",
                "allowed",
                "hosts_in_conflict",
                "pct_of_hosts",
                "hosts_blocking_both",
            ],
            rows: 14,
            chart: Chart::Bars {
                label: &["blocked", "allowed"],
                value: "pct_of_hosts",
            },
            ..PLAIN
        },
        Section {
            query: "platform-templates",
            title: "What platforms say for hosts",
            finding: &[
                "{made_by=template:pct_of_hosts_with_rules} of the hosts with rules have a platform's managed block; {made_by=template:pct_blocking_ai_agents} of these fully block an AI crawler, of the others {made_by=own:pct_blocking_ai_agents}.",
            ],
            ..PLAIN
        },
        Section {
            query: "eu-2019-790",
            title: "Reserving rights under EU law",
            finding: &[
                "{tld=all:hosts_citing} hosts ({tld=all:pct_of_hosts_with_file}) cite the text and data mining opt-out of Directive (EU) 2019/790, {tld=all:by_template} of them in a platform's block.",
            ],
            columns: &[
                "tld",
                "hosts_with_file",
                "hosts_citing",
                "pct_of_hosts_with_file",
                "by_template",
            ],
            rows: 10,
            ..PLAIN
        },
    ],
};
