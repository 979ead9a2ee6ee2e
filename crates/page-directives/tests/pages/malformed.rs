//! Pages as they are: what each malformed one says, by the HTML standard's own rules.

use page_directives::html::metas;

/// Name, content and place of every tag that addresses robots.
fn found(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    metas(html.as_bytes(), |meta| {
        let text = |bytes| String::from_utf8_lossy(bytes);
        let (name, content) = (text(meta.name), text(meta.content));
        found.push(format!("{} {name}={content}", meta.place.name()));
    });
    found
}

#[test]
fn attributes_in_every_way_of_writing() {
    for tag in [
        "<meta name=\"robots\" content=\"noindex\">",
        "<META CONTENT='noindex' NAME='robots'/>",
        "<meta name=robots content=noindex>",
        "<meta name=robots content=noindex / >",
        "<meta name='robots'content='noindex'>",
        "<meta\nname\n=\n\"robots\"\r\ncontent\t=\x0cnoindex>",
        "<meta/name=robots content=noindex>",
        "<meta name=robots name=description content=noindex content=index>",
        "<meta foo bar='' name=robots content=noindex>",
        "<meta a='<meta name=robots content=all>' name=robots content=noindex>",
        "<meta name=&#x72;obots content=no&#105ndex>",
        "<meta name=robots content=noindex x=\"a>b\">",
        "<meta \" name=robots content=noindex>",
    ] {
        assert_eq!(found(tag), ["head robots=noindex"], "{tag}");
    }
}

#[test]
fn what_is_no_tag() {
    for html in [
        "<!-- <meta name=robots content=noindex> -->",
        "<!--><!-- <meta name=robots content=noindex> --!>",
        "<script>'<meta name=robots content=noindex>'</script>",
        "<script><!--<script></script><meta name=robots content=noindex>--></script>",
        "<style><meta name=robots content=noindex></style>",
        "<title><meta name=robots content=noindex></title>",
        "<textarea><meta name=robots content=noindex></textarea>",
        "<iframe><meta name=robots content=noindex></iframe>",
        "<xmp><meta name=robots content=noindex></xmp>",
        "<noembed><meta name=robots content=noindex></noembed>",
        "<noframes><meta name=robots content=noindex></noframes>",
        "<plaintext><meta name=robots content=noindex>",
        "<!doctype html '<meta name=robots content=noindex'>",
        "<?php <meta name=robots content=noindex",
        "<metadata name=robots content=noindex>",
        "</meta name=robots content=noindex>",
        "<meta name=robots content=noindex",
        "<meta name=robots>",
        "<meta name='robots content=noindex>",
        "<meta \"=\" name=robots content=noindex>",
        "<meta name=robots/content=noindex>",
        "<a title='<meta name=robots content=noindex>'>",
        "&lt;meta name=robots content=noindex>",
        "<svg><![CDATA[<meta name=robots content=noindex>]]></svg>",
    ] {
        assert_eq!(found(html), Vec::<String>::new(), "{html}");
    }
}

#[test]
fn where_comments_and_raw_text_end() {
    for html in [
        "<!--><meta name=robots content=noindex>-->",
        "<!---><meta name=robots content=noindex>-->",
        "<!-- --!><meta name=robots content=noindex>",
        "<script></script ><meta name=robots content=noindex>",
        "<style></stylex></style/><meta name=robots content=noindex>",
        "<title></TITLE\n><meta name=robots content=noindex>",
        "<script><!-- </script><meta name=robots content=noindex>",
        "<?xml version='1.0'?><meta name=robots content=noindex>",
        "<![CDATA[ ><meta name=robots content=noindex>]]>",
    ] {
        assert_eq!(found(html), ["head robots=noindex"], "{html}");
    }
}

#[test]
fn where_the_head_ends() {
    let tag = "<meta name=robots content=noindex>";
    for (before, place) in [
        ("<!doctype html><html><head>", "head"),
        (
            " \n<title>Text</title> <link><base><style>x</style><script>y</script>",
            "head",
        ),
        ("<head></head>\n", "head"),
        ("</p></div></head></title>", "head"),
        ("<object></object>", "body"),
        ("text", "body"),
        ("&nbsp;", "body"),
        ("&#32;", "head"),
        ("<body>", "body"),
        ("<p>", "body"),
        ("<img>", "body"),
        ("</body>", "body"),
        ("</html>", "body"),
        ("</br>", "body"),
        ("<head></head>text", "body"),
        ("<template>", "template"),
        ("<template><p>text</template>", "head"),
        ("<template><template></template>", "template"),
        ("<noscript>", "noscript"),
        ("<noscript><link></noscript>", "head"),
        ("<noscript><img>", "body"),
        ("<noscript><img></noscript>", "head_with_scripts"),
        ("<noscript>text</noscript>", "head_with_scripts"),
        ("<noscript><img></noscript><p>", "body"),
        ("<noscript><script></script>", "head"),
        ("<p><noscript>", "body"),
        ("<head></head><noscript>", "body"),
        ("<noscript></head></noscript><noscript>", "noscript"),
        ("<p><svg><title>", "body"),
        ("<p><svg><style>", "body"),
        ("<p><math><mi></math>", "body"),
        ("<p><svg><foreignObject><style></style>", "body"),
    ] {
        let html = format!("{before}{tag}");
        assert_eq!(found(&html), [format!("{place} robots=noindex")], "{html}");
    }
}

#[test]
fn every_tag_is_told() {
    let html = "<meta name=robots content=a><meta name=Robots content=b><meta name=GPTBot content=c>\
        <meta name=description content=d><meta http-equiv=X-Robots-Tag content=e>\
        <meta name=tdm-reservation content=1><meta name=robots http-equiv=robots content=f>";
    assert_eq!(
        found(html),
        [
            "head robots=a",
            "head Robots=b",
            "head GPTBot=c",
            "head X-Robots-Tag=e",
            "head tdm-reservation=1",
            "head robots=f",
            "head robots=f",
        ]
    );
}

#[test]
fn encodings_that_hide_ascii() {
    let html = "\u{feff}<meta name=robots content=noindex>";
    let utf16: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut count = 0;
    page_directives::html::metas_of_bytes(&utf16, None, |meta| {
        assert_eq!(meta.content, b"noindex");
        count += 1;
    });
    page_directives::html::metas_of_bytes(&utf16[2..], Some(b"UTF-16LE"), |_| count += 1);
    page_directives::html::metas_of_bytes(html.as_bytes(), None, |meta| {
        assert_eq!(meta.place.name(), "head");
        count += 1;
    });
    assert_eq!(count, 3);
}

#[test]
fn size_is_no_matter() {
    let million = "<meta name=robots content=noindex>".repeat(60_000);
    assert_eq!(found(&million).len(), 60_000);
    let open = "<meta name=robots content=noindex ".repeat(60_000);
    assert_eq!(found(&open).len(), 0);
    let long = format!("<meta name=robots content='{}'>", "x".repeat(1 << 20));
    assert!(found(&long)[0].len() < 9000);
    let nested = format!(
        "{}<meta name=robots content=x>",
        "<svg><template>".repeat(60_000)
    );
    assert_eq!(found(&nested).len(), 1);
}

#[test]
fn in_a_frame_set_stand_frames_alone() {
    const TAG: &str = "<meta name=robots content=noindex>";
    for html in [
        "<frameset>{}</frameset>{}",
        "<head></head> <!-- --><frameset><frame>{}",
        "<p><frameset>{}",
        "<svg></svg><frameset>{}",
        "<frameset><script>{}",
        "<frameset><title>{}</title><noframes>{}</noframes>{}",
        "\0<frameset>{}",
    ] {
        let html = html.replace("{}", TAG);
        assert_eq!(found(&html), [""; 0], "{html}");
    }
    for (html, expected) in [
        ("<title>t</title>{}<frameset>{}", "head robots=noindex"),
        ("x<frameset>{}", "body robots=noindex"),
        ("<body><frameset>{}", "body robots=noindex"),
        ("<br><frameset>{}", "body robots=noindex"),
        ("</br><frameset>{}", "body robots=noindex"),
        ("<svg><br><frameset>{}", "body robots=noindex"),
        ("<svg><frameset></svg>{}", "body robots=noindex"),
        ("<template>x</template><frameset>{}", "body robots=noindex"),
        ("<template><frameset></template>{}", "head robots=noindex"),
        ("<select>{}</select>", "body robots=noindex"),
    ] {
        let html = html.replace("{}", TAG);
        assert_eq!(found(&html), [expected], "{html}");
    }
}
