#!/usr/bin/env python3
"""Makes crawls of robots.txt files in WARC archives, all of it invented, to measure robostat with.

    python3 tools/make_crawl.py --captures 100000 big.warc.gz
    python3 tools/make_crawl.py --captures 1000000 --months 12 --split-size 1048576 crawls/
    python3 tools/make_crawl.py --records samples/crawl.warc samples/crawl.warc.gz

A site depends only on the seed and its number, a batch only on its number and its crawl's plan. So
worker processes share a crawl, and the crawls of several months have the same sites. The same
arguments give the same records. Archives in zstd need `pip install zstandard`.
"""
import argparse
import base64
import datetime
import functools
import hashlib
import itertools
import multiprocessing
import pathlib
import random
import re
import struct
import sys
import typing
import uuid
import zlib
from email.utils import formatdate

BATCH = 512  # captures
DAY = 86_400
SPAN = 12 * DAY  # of a crawl
FIRST_CRAWL = datetime.date(2023, 1, 2)
FIRST_FILES = datetime.datetime(2019, 1, 1, tzinfo=datetime.timezone.utc).timestamp()
FIRST_SIGNALS = datetime.datetime(2025, 9, 24, tzinfo=datetime.timezone.utc).timestamp()

# Level 3 takes 0.6 of the time of level 6, for 5% more bytes.
GZIP_LEVEL, ZSTD_LEVEL = 3, 9
DICTIONARY_SAMPLES, DICTIONARY_SIZE, DICTIONARY_MAGIC = 6_000, 112_640, 0x184D2A5D


class Choices:
    """Draws one of several values, each with a probability in proportion to its weight."""

    def __init__(self, weights):
        self.values, self.sums = list(weights), list(itertools.accumulate(weights.values()))

    def draw(self, chance):
        return chance.choices(self.values, cum_weights=self.sums)[0]


class Quantiles:
    """Numbers on the line through points (share, value)."""

    def __init__(self, *points):
        self.points = points

    def draw(self, chance):
        return self.at(chance.random())

    def at(self, x):
        for (x0, y0), (x1, y1) in itertools.pairwise(self.points):
            if x < x1:
                return int(y0 + max(x - x0, 0) * (y1 - y0) / (x1 - x0))
        return self.points[-1][1]


# Labels with -- in the third and fourth place are reserved (RFC 5890 §2.3.1): no registry sells
# these domains.
FIRST = """alder amber anchor apple arrow autumn basil beacon birch bramble bright canal cedar chalk
    cherry clear clover copper coral cotton delta early ember fern field flint forest ginger golden
    granite harbor hazel heron ivory juniper kettle lantern linen maple meadow olive orchard paper
    pepper quiet river saffron silver stone thyme velvet willow winter""".split()
SECOND = """academy agency archive auto bakery bank bikes books cafe camera care church clinic club
    council crafts dance data dental design digital energy events farm film finance fitness forum
    furniture gallery games gazette guide health history homes hosting hotel jobs journal kids law
    library market media motors museum music news outdoor parts pets pharmacy photo press radio
    recipes research school shop software sports studio theatre tools travel weather wiki""".split()
SUFFIXES = Choices({
    "com": 450, "de": 60, "org": 50, "net": 42, "co.uk": 38, "ru": 35, "nl": 28, "fr": 28, "it": 24,
    "com.br": 22, "pl": 20, "com.au": 16, "es": 16, "jp": 14, "ca": 14, "ch": 14, "eu": 14,
    "info": 14, "cz": 12, "se": 12, "co.jp": 10, "at": 10, "be": 10, "dk": 10, "io": 10, "cn": 10,
    "com.cn": 8, "us": 8, "com.tr": 8, "no": 7, "co.za": 7, "shop": 6, "xyz": 6, "co.nz": 5,
    "tv": 4, "edu": 3, "dev": 3, "ac.uk": 2, "gov": 1})
SUBDOMAINS = "blog shop m news en de docs static forum support mail dev app api help old".split()

REASONS = {
    200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 406: "Not Acceptable", 410: "Gone",
    429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 522: "Origin Timed Out"}
ANSWERS = Choices({200: 760, 404: 166, 403: 40, 401: 4, 410: 6, 429: 5, 400: 3, 406: 4, 451: 1,
                   500: 4, 503: 5, 522: 1, 204: 1})
FAILURES = Choices({429: 30, 500: 20, 502: 15, 503: 30, 504: 5})
REDIRECTS = Choices({301: 68, 302: 26, 307: 2, 308: 4})
WAYS_IN = Choices({"direct": 815, "https": 65, "www": 65, "moved": 28, "page": 18, "nowhere": 9})
FOLLOWED = 0.85  # share of redirects whose target is fetched
LEFT_OUT = 0.15  # share of the sites that a crawl could visit and does not
REPEATED = 0.35  # share of the visits that go to an earlier site of the crawl again
CHANGES = Choices({0: 550, 1_100: 200, 365: 150, 120: 80, 30: 20})  # days between versions
VERSIONS = 6  # after so many a file is rewritten

AGENTS = Choices({
    "Googlebot": 2000, "AhrefsBot": 1140, "AdsBot-Google": 950, "MJ12bot": 930, "SemrushBot": 860,
    "PetalBot": 780, "Mediapartners-Google": 700, "Yandex": 590, "Baiduspider": 570, "dotbot": 560,
    "bingbot": 540, "msnbot": 330, "ia_archiver": 290, "BLEXBot": 250, "Googlebot-Image": 230,
    "Slurp": 200, "Twitterbot": 190, "facebookexternalhit": 180, "SeznamBot": 160,
    "DataForSeoBot": 160, "YandexBot": 140, "rogerbot": 140, "Barkrowler": 130, "DuckDuckBot": 110,
    "HTTrack": 100, "wget": 100, "Offline Explorer": 100, "TurnitinBot": 90,
    "Sogou web spider": 90, "Screaming Frog SEO Spider": 70, "Yeti": 60, "MegaIndex.ru/2.0": 40})
AI_AGENTS = Choices({
    "GPTBot": 600, "ClaudeBot": 380, "CCBot": 350, "Google-Extended": 340, "Bytespider": 300,
    "anthropic-ai": 230, "ChatGPT-User": 220, "PerplexityBot": 200, "Amazonbot": 190,
    "Applebot-Extended": 180, "meta-externalagent": 160, "FacebookBot": 150, "cohere-ai": 140,
    "OAI-SearchBot": 120, "Diffbot": 120, "Omgilibot": 110, "ImagesiftBot": 90, "YouBot": 80})
# Share of new files that name AI crawlers, by days since 1970.
NAMES_AI = Quantiles((0, 4), (19_570, 8), (19_600, 46), (19_900, 84), (20_250, 122), (20_700, 220))

FILES = Choices({"written": 400, "template": 265, "tiny": 190, "html": 95, "empty": 20,
                 "no rules": 25, "other": 5})
TINY = Choices({
    "User-agent: *\nDisallow:\n": 40, "User-agent: *\nAllow: /\n": 20,
    "User-agent: *\nDisallow: /\n": 18, "User-agent: *\nAllow: /\nDisallow:\n": 6,
    "User-agent: *\nDisallow: /cgi-bin/\n": 5, "User-agent: *\nCrawl-delay: 10\n": 3,
    "User-agent: *\n": 1, "Disallow: /\n": 1})
OTHER = ["", "\n", "OK", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "error: template not found\n",
         '{"status":"error","message":"no such resource"}\n', '<?xml version="1.0"?>\n<error/>\n']
RULES = Quantiles((0, 1), (0.25, 2), (0.5, 7), (0.75, 22), (0.9, 55), (0.95, 110), (0.98, 260),
                  (0.99, 430), (0.995, 700), (0.998, 1_500), (0.9995, 2_500), (1, 26_000))
GROUPS = Quantiles((0, 1), (0.4, 2), (0.8, 6), (0.95, 10), (1, 25))
AI_GROUPS = Quantiles((0, 1), (0.3, 2), (0.6, 6), (0.9, 14), (1, 22))
SITEMAPS = Quantiles((0, 1), (0.75, 2), (0.95, 4), (0.99, 15), (1, 60))
VERDICTS = Choices({
    "Disallow: /\n": 52, "Disallow:\n": 12, "Allow: /\n": 8, "Crawl-delay: 10\n": 12,
    "Disallow: /search\nDisallow: /*?sort=\nAllow: /search/about\n": 16})
AI_VERDICTS = Choices({"Disallow: /\n": 86, "Allow: /\n": 7, "Disallow:\n": 2,
                       "Disallow: /articles/\nAllow: /articles/free/\n": 5})
# Share of written files with a line in the group for everybody.
IN_GROUP = {"Crawl-delay: 10": 0.08, "Crawl-delay: 0.5": 0.03, "Crawl-delay: 10s": 0.005,
            "Clean-param: utm_source&utm_medium": 0.02, "Clean-param: ref /goods/": 0.01,
            "Request-rate: 1/5": 0.01, "Visit-time: 0600-0845": 0.006, "Noindex: /search/": 0.012,
            "Revisit-after: 7 days": 0.005, "Host: www.example.com": 0.03, "Theme: dark": 0.002}
SIGNALS = {"Content-Signal: search=yes,ai-train=no": 0.04, "Content-Signal: ai-train=no": 0.01,
           "Content-Usage: train-ai=n": 0.01, "License: /licence.xml": 0.01}
# How owners write, and what editors and servers do to text.
SPELLINGS = Choices({
    None: 700, ("User-agent", "User-Agent"): 200, ("User-agent", "user-agent"): 20,
    (": ", ":"): 60, ("Disallow", "Dissallow"): 10, ("Disallow: ", "Disallow "): 10,
    (": /", ": https://www.example.com/"): 5, ("/\n", "/ \n"): 10})
TROUBLES = Choices({
    None: 9_700, (0, b"\xef\xbb\xbf"): 140, (9, b"\xef\xbb\xbf"): 10,
    (9, b"# gesch\xfctzt \xa9 \xe2\x82\nDisallow: /stra\xdfe/\n"): 60,
    (9, b"Disallow: /nul\0byte/\n"): 12, (9, b"Disallow: /" + b"a/" * 9_000 + b"\n"): 40})

WORDS = """about account admin archive assets author backup basket blog cache calendar cart category
    checkout comments compare config content customer data download drafts events export feed files
    forum images includes internal language login logs mail media members misc modules news orders
    plugins print private products profile register results search session static tag templates tmp
    user water morning letter village bridge kitchen summer window music market island engine
    garden teacher harbour number picture journey weather table station friend evening mountain
    answer painter question doctor season valley thunder candle pocket sailor orange machine corner
    pencil light""".split()
PARAMETERS = "sort order page sessionid utm_source print q filter ref view lang color size".split()
EXTENSIONS = "php html pdf js css aspx cgi xls doc zip json xml".split()
UNUSUAL = ["/größe/", "/gr%C3%B6%C3%9Fe/", "/поиск", "/%D0%BF%D0%BE", "/検索/", "/b%FAsqueda",
           "/łódź$", "/", "*", "/*?*", "/%7Euser/a%2Fb"]
PAGE_SIZES = Quantiles((0, 120), (0.05, 210), (0.12, 400), (0.25, 2_300), (0.5, 20_000),
                       (0.75, 63_000), (0.9, 125_000), (0.95, 200_000), (1, 600_000))

SERVERS = Choices({"nginx": 300, "cloudflare": 190, "Apache": 150, "LiteSpeed": 90,
                   "openresty": 80, "Microsoft-IIS/10.0": 30, "Caddy": 20})
CACHING = Choices({"": 450, "max-age=14400": 160, "max-age=3600, public": 90,
                   "no-cache, must-revalidate": 80, "private, max-age=0": 60, "s-maxage=86400": 40})


def stream(*purpose):
    """Random numbers that depend only on the purpose."""
    return random.Random("/".join(map(str, purpose)))


def rule_line(chance):
    a, b, c = chance.choices(WORDS, k=3)
    path = chance.choice([
        f"/{a}/", f"/{a}/{b}/", f"/{a}/{b}/{c}/", f"/{a}/{b}/{c}/", f"/{a}/{b}-{c}/",
        f"/{a}/{b}.{chance.choice(EXTENSIONS)}", f"/{a}?{chance.choice(PARAMETERS)}=",
        f"/*?*{chance.choice(PARAMETERS)}=", f"/*/{a}/", f"/*.{chance.choice(EXTENSIONS)}$",
        f"/{a}/{b}-{chance.randrange(100_000)}", f"/{a}/{chance.randrange(10_000_000)}/",
        f"/{a}*", chance.choice(UNUSUAL) if chance.random() < 0.2 else f"/{a}/{b}/{c}"])
    return f"{'Allow' if chance.random() < 0.13 else 'Disallow'}: {path}\n"


# Lines and paragraphs of files and pages, made once: making each again would take most of the time.
LINES = [rule_line(stream("lines", number)) for number in range(30_000)]
PARAGRAPHS = [
    f"<section><h2>{WORDS[number % len(WORDS)].title()}</h2>\n<p>"
    + " ".join(stream("paragraphs", number).choices(WORDS, k=90)) + ".</p>\n</section>\n"
    for number in range(256)]


def domain(plan, number):
    """The registrable domain of a site; some sites are hosts of the domain of an earlier one."""
    chance = stream(plan.seed, "domain", number)
    while number > 0 and chance.random() < 0.3:
        number = chance.randrange(number)
        chance = stream(plan.seed, "domain", number)
    # Neighbouring numbers get different words: 7,919 is a prime that does not divide the number of names.
    repeat, name = divmod(number, len(FIRST) * len(SECOND))
    second, first = divmod(name * 7_919 % (len(FIRST) * len(SECOND)), len(FIRST))
    label = f"{FIRST[first][:2]}--{FIRST[first][2:]}{SECOND[second]}{repeat or ''}"
    return number, f"{label}.{SUFFIXES.draw(chance)}"


class Site:
    """Everything about a host that stays the same from crawl to crawl."""

    def __init__(self, plan, number):
        chance = stream(plan.seed, "site", number)
        self.plan, self.number = plan, number
        self.platform, self.way_in = None, WAYS_IN.draw(chance)
        if chance.random() < 0.15:
            self.platform, self.way_in = int(2 ** (8 * chance.random())), "direct"
            owner = f"{FIRST[self.platform % len(FIRST)]}--pages{self.platform}.com"
            self.host = f"{chance.choice(FIRST)}{chance.choice(SECOND)}-{number:x}.{owner}"
        else:
            owner, name = domain(plan, number)
            if owner == number:
                self.host = chance.choice(["www.", ""]) + name
            else:
                self.host = f"{chance.choice(SUBDOMAINS)}-{number:x}.{name}"
        self.scheme = "http" if chance.random() < 0.07 else "https"
        self.moved_to = chance.randrange(number + 1)
        self.answer = ANSWERS.draw(chance)
        self.changes_every, self.phase = CHANGES.draw(chance), chance.randrange(2_200)

    @property
    def url(self):
        return f"{self.scheme}://{self.host}/robots.txt"

    def file(self, time):
        """The content of its robots.txt at this time."""
        if self.platform and stream(self.plan.seed, "own file", self.number).random() > 0.04:
            version = int((time - FIRST_FILES) / DAY + 17 * self.platform) // 420
            chance = stream(self.plan.seed, "platform", self.platform, version)
            return template(chance, self.host, time).encode()
        every = self.changes_every or 100_000
        last = int((time - FIRST_FILES) / DAY + self.phase) // every
        first = last - last % VERSIONS

        def written(version):
            chance = stream(self.plan.seed, "file", self.number, version)
            return chance, FIRST_FILES + (version * every - self.phase) * DAY

        body = new_file(*written(first), self.host)
        for version in range(first + 1, last + 1):
            body = changed_file(*written(version), self.host, body)
        return body


def new_file(chance, time, host):
    kind = FILES.draw(chance)
    if kind == "html":
        return page(chance, host, PAGE_SIZES.draw(chance))
    if kind in ("empty", "other"):
        return chance.choice(OTHER[:2] if kind == "empty" else OTHER[2:]).encode("latin-1")
    text = {
        "written": written_file,
        "template": template,
        "tiny": lambda *_: TINY.draw(chance),
        "no rules": lambda *_: f"# {host} forbids nothing.\n{sitemap(chance, host)}",
    }[kind](chance, host, time)
    text = text.rstrip("\n") if chance.random() < 0.36 else text
    body = text.encode()
    if trouble := TROUBLES.draw(chance):
        at, insertion = trouble
        at = body.find(b"\n", len(body) // 2) + 1 if at else 0
        body = body[:at] + insertion + body[at:]
    return body.replace(b"\n", b"\r\n") if chance.random() < 0.28 else body


def changed_file(chance, time, host, body):
    if b"ser-agent" not in body or chance.random() < 0.125:
        return new_file(chance, time, host)
    change = chance.random()
    if change < 0.4:
        addition = ai_groups(chance)
    elif change < 0.65:
        addition = sitemap(chance, host)
    else:
        addition = named_group(chance)
    return body + f"\n\n{addition}".encode()


def written_file(chance, host, time):
    rules = RULES.draw(chance)
    parts = [f"# robots.txt of {host}\n"] if chance.random() < 0.38 else []
    signals = SIGNALS if time > FIRST_SIGNALS else {}
    lines = [line + "\n" for line, share in (IN_GROUP | signals).items() if chance.random() < share]
    body = "".join(chance.choices(LINES, k=rules))
    if chance.random() < 0.55:  # the paths of this site are below a folder of its own
        body = body.replace(": /", f": /{chance.choice(WORDS)}/{chance.choice(WORDS)}/")
    parts += ["User-agent: *\n", *lines, body]
    if chance.random() < 0.27:
        parts += [named_group(chance) for _ in range(min(GROUPS.draw(chance), 1 + rules // 2))]
    if chance.random() < 0.02:
        parts += [f"User-agent: {chance.choice(WORDS)}bot{n}\nDisallow: /\n" for n in range(rules)]
    if chance.random() < NAMES_AI.at(time / DAY) / 1_000:
        parts.append(ai_groups(chance))
    if chance.random() < 0.42:
        parts += ["\n", *(sitemap(chance, host) for _ in range(SITEMAPS.draw(chance)))]
    text = "".join(parts)
    spelling = SPELLINGS.draw(chance)
    return text.replace(*spelling) if spelling else text


def named_group(chance):
    count = chance.choices([1, 2, 4, 12], [85, 10, 4, 1])[0]
    agents = "".join(f"User-agent: {AGENTS.draw(chance)}\n" for _ in range(count))
    return f"\n{agents}{VERDICTS.draw(chance)}"


def ai_groups(chance):
    agents = dict.fromkeys(AI_AGENTS.draw(chance) for _ in range(AI_GROUPS.draw(chance)))
    if chance.random() < 0.35:
        return "\n" + "".join(f"User-agent: {each}\n" for each in agents) + AI_VERDICTS.draw(chance)
    return "".join(f"\nUser-agent: {each}\n{AI_VERDICTS.draw(chance)}" for each in agents)


def sitemap(chance, host):
    name = chance.choices(["sitemap", "sitemap_index", f"sitemaps/{chance.randrange(10**6)}"],
                          [70, 20, 10])[0]
    return f"Sitemap: https://{host}/{name}.xml\n"


def template(chance, host, time):
    """A file written by software: the same for all its sites except for a line or two."""
    blog = "User-agent: *\nDisallow: /desk/\nAllow: /desk/live-update.php\n"
    at_end = f"\nSitemap: https://{host}/sitemap.xml\n"
    kind = chance.random()
    if kind < 0.5:
        return blog + chance.choice(["", at_end, at_end.replace("sitemap.", "posts-sitemap.")])
    if kind < 0.6:
        return f"# BEGIN SEO HELPER\nUser-agent: *\nDisallow:\n{at_end}# END SEO HELPER\n"
    if kind < 0.76 and time > FIRST_SIGNALS:
        agents = "".join(f"User-agent: {each}\nDisallow: /\n\n" for each in AI_AGENTS.values[:8])
        return ("# BEGIN Cloudflare Managed content\n\nUser-agent: *\nContent-Signal: search=yes,"
                f"ai-train=no\nAllow: /\n\n{agents}# END Cloudflare Managed Content\n\n{blog}")
    if kind < 0.86:
        rules = "".join(LINES[:16]).replace("Allow", "Disallow")
        shop = chance.choice(["", f"Disallow: /{10_000_000 + chance.randrange(60_000_000)}/till\n"])
        slow = ("AhrefsBot", "SemrushBot", "MJ12bot")
        groups = "".join(f"\nUser-agent: {each}\nCrawl-delay: 10\n{rules}" for each in slow)
        return f"# This shop runs on Marketstall\nUser-agent: *\n{rules}{shop}{groups}{at_end}"
    if kind < 0.94:
        return "User-agent: *\n" + "".join(f"Disallow: /{word}/\n" for word in WORDS[:14])
    return f"User-agent: *\nAllow: /\n\nUser-agent: PetalBot\nDisallow: /\n{at_end}"


def page(chance, host, size):
    """An HTML page of about this size."""
    head = ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{chance.choice(WORDS)} - {host}</title>\n"
            '<meta name="robots" content="index,nofollow">\n'
            "<style>\nbody {\n  margin: 0 auto;\n  color: #336699;\n}\n</style>\n</head>\n<body>\n")
    paragraphs = chance.choices(PARAGRAPHS, k=max(size - len(head), 0) // 600)
    return f"{head}{''.join(paragraphs)}</body>\n</html>\n".encode()


class Exchange(typing.NamedTuple):
    """A request and the answer to it."""

    url: str
    status: int
    body: bytes
    mime: str = "text/html; charset=UTF-8"
    location: str = ""


def failure(url, status, chance, location=""):
    """An answer without a file."""
    body = f"<html>\r\n<head><title>{status} {REASONS[status]}</title></head>\r\n<body>\r\n"
    items = chance.choices([0, 1, 20, 150], [60, 25, 10, 5])[0]
    body += "<p>The page could not be found.</p>\r\n" * items + "</body>\r\n</html>\r\n"
    body = "" if chance.random() < 0.08 else body
    return Exchange(url, status, body.encode(), location=location)


def answer(site, chance, time):
    """The file, or the error in its place."""
    status = FAILURES.draw(chance) if chance.random() < 0.02 else site.answer
    if status != 200:
        return failure(site.url, status, chance)
    mime = chance.choices(["text/plain", "text/plain; charset=utf-8", "text/html"], [50, 46, 4])[0]
    return Exchange(site.url, status, site.file(time), mime)


def visit(site, chance, time):
    """The redirects on the way to a site's file, and the file."""
    if site.way_in == "direct":
        return [answer(site, chance, time)]

    def redirect(url, location):
        return failure(url, REDIRECTS.draw(chance), chance, location)

    followed = chance.random() < FOLLOWED
    if site.way_in == "nowhere":
        return [redirect(site.url, chance.choice([site.url, "", f"//{site.host}/404.html"]))]
    if site.way_in == "moved":
        target = Site(site.plan, site.moved_to)
        hops = [redirect(site.url, target.url)]
        followed = followed and target.url != site.url
        return hops + [answer(target, chance, time)] if followed else hops
    if site.way_in == "page":
        location = chance.choice(["/", "/en/robots.txt", "/login?next=%2Frobots.txt"])
        target = f"{site.scheme}://{site.host}{location}"
        hops = [redirect(site.url, location)]
        body = page(chance, site.host, PAGE_SIZES.draw(chance))
        return hops + [Exchange(target, 200, body)] if followed else hops
    bare = site.host.removeprefix("www.")
    other = bare if bare != site.host else f"www.{bare}"
    if site.way_in == "www":
        hops = [redirect(f"{site.scheme}://{other}/robots.txt", site.url)]
    elif site.scheme == "https":
        hops = [redirect(f"http://{site.host}/robots.txt", site.url)]
    else:
        return [answer(site, chance, time)]
    return hops + [answer(site, chance, time)] if followed else hops


def response_head(exchange, chance, time):
    lines = [f"HTTP/1.1 {exchange.status} {REASONS[exchange.status]}",
             f"Date: {formatdate(time, usegmt=True)}", f"Server: {SERVERS.draw(chance)}",
             f"Content-Type: {exchange.mime}"]
    if exchange.location:
        lines.append(f"Location: {exchange.location}")
    # A crawler that stores decoded bodies keeps the headers about their encoding under new names.
    if len(exchange.body) > 200 and chance.random() < 0.6:
        lines += ["X-Crawler-Transfer-Encoding: chunked", "X-Crawler-Content-Encoding: gzip"]
    if exchange.status == 200 and chance.random() < 0.55:
        modified = time - chance.randrange(2_000 * DAY)
        lines += [f"Last-Modified: {formatdate(modified, usegmt=True)}",
                  f'ETag: "{chance.getrandbits(48):x}"']
    if caching := CACHING.draw(chance):
        lines.append(f"Cache-Control: {caching}")
    if exchange.status in (429, 503):
        lines.append("Retry-After: 3600")
    if chance.random() < 0.01:
        lines.append("X-Robots-Tag: noindex")
    lines += [f"Content-Length: {len(exchange.body)}", "", ""]
    return "\r\n".join(lines).encode()


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def urn(chance):
    return f"<urn:uuid:{uuid.UUID(int=chance.getrandbits(128), version=4)}>"


def record(kind, time, identity, block, content_type, *fields):
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    head = "\r\n".join(["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Date: {date:%Y-%m-%dT%H:%M:%SZ}",
                        f"WARC-Record-ID: {identity}", f"Content-Length: {len(block)}",
                        f"Content-Type: {content_type}", *fields, "", ""])
    return head.encode() + block + b"\r\n\r\n"


def records(exchange, chance, time):
    """The WARC records (ISO 28500) of an exchange: the request, and the response."""
    _, _, host, path = exchange.url.split("/", 3)
    fields = [f"WARC-IP-Address: 203.0.113.{chance.randint(1, 254)}",
              f"WARC-Target-URI: {exchange.url}"]
    request = (f"GET /{path} HTTP/1.1\r\nUser-Agent: MadeUpBot/1.0 (+https://crawler.example/)\r\n"
               "Accept: text/plain,text/html;q=0.9,*/*;q=0.8\r\nAccept-Encoding: br,gzip\r\n"
               f"Host: {host}\r\nConnection: Keep-Alive\r\n\r\n").encode()
    response = response_head(exchange, chance, time) + exchange.body
    request_id = urn(chance)
    return [
        record("request", time, request_id, request, "application/http; msgtype=request",
               *fields, f"WARC-Block-Digest: {digest(request)}"),
        record("response", time, urn(chance), response, "application/http; msgtype=response",
               *fields, f"WARC-Concurrent-To: {request_id}",
               f"WARC-Payload-Digest: {digest(exchange.body)}",
               f"WARC-Block-Digest: {digest(response)}",
               f"WARC-Identified-Payload-Type: {exchange.mime.split(';')[0]}"),
    ]


class Plan(typing.NamedTuple):
    """The arguments that define a crawl."""

    label: str
    captures: int
    seed: int
    pages: int

    @property
    def begin(self):
        """The Monday of the week at the end of the label."""
        year, week = map(int, self.label.split("-")[-2:])
        return datetime.date.fromisocalendar(year, week, 1)

    def later(self, months):
        """The crawl `months` times four weeks after this one."""
        name, year, week = self.label.rsplit("-", 2)
        # Weeks are numbered from 1, and no crawl is named after the occasional week 53.
        year, week = divmod(int(year) * 52 + min(int(week), 52) - 1 + 4 * months, 52)
        return self._replace(label=f"{name}-{year:04}-{week + 1:02}")

    def warcinfo(self, name):
        block = f"isPartOf: {self.label}\r\nsoftware: tools/make_crawl.py\r\n".encode()
        return record("warcinfo", self.time(0), urn(stream(self.seed, self.label, name)), block,
                      "application/warc-fields", f"WARC-Filename: {name}")

    def time(self, capture):
        monday = datetime.datetime.combine(self.begin, datetime.time(), datetime.timezone.utc)
        return monday.timestamp() + SPAN * capture // max(self.captures, 1)

    def batch(self, number):
        """The records of each capture of a batch."""
        chance = stream(self.seed, self.label, number)
        # Every month the crawl drops some sites, and adds as many new ones.
        months = max(0, (self.begin - FIRST_CRAWL).days // 28)
        first = months * (self.captures // 20)
        done = number * BATCH
        made, steps = [], itertools.count(first + done)
        wanted = min(BATCH, self.captures - done)
        while len(made) < wanted:
            site = next(steps)
            if chance.random() < LEFT_OUT:
                continue
            if chance.random() < REPEATED:
                site = chance.randrange(first, site + 1)
            time = self.time(done + len(made))
            for exchange in visit(Site(self, site), chance, time)[:wanted - len(made)]:
                made.append(records(exchange, chance, time))
                for page_number in range(self.pages):
                    url = exchange.url.rsplit("/", 1)[0] + f"/page-{page_number}.html"
                    body = page(chance, url.split("/")[2], chance.randrange(3_000, 40_000))
                    made[-1] += records(Exchange(url, 200, body), chance, time)
        return made


class Packing:
    """How records become the bytes of a file."""

    def __init__(self, path, dictionary=b""):
        self.ending = re.search(r"\.warc(\.gz|\.zst)?$", str(path))[0]
        self.dictionary = dictionary

    @functools.cached_property
    def zstd(self):
        import zstandard
        trained = zstandard.ZstdCompressionDict(self.dictionary) if self.dictionary else None
        return zstandard.ZstdCompressor(ZSTD_LEVEL, dict_data=trained, write_checksum=True)

    def pack(self, data):
        if self.ending == ".warc.gz":
            member = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, 31)
            return member.compress(data) + member.flush()
        return self.zstd.compress(data) if self.ending == ".warc.zst" else data

    def begin(self):
        """The frame with the dictionary; readers without dictionaries skip it."""
        if not self.dictionary:
            return b""
        import zstandard
        packed = zstandard.ZstdCompressor(19).compress(self.dictionary)
        return struct.pack("<II", DICTIONARY_MAGIC, len(packed)) + packed


def trained_dictionary(samples):
    import zstandard
    # A dictionary of a small file must itself be small, or it costs more than it saves.
    size = min(DICTIONARY_SIZE, sum(map(len, samples)) // 100)
    return zstandard.train_dictionary(size, samples).as_bytes()


def packed_batch(plan, ending, dictionary, number):
    packing = Packing(ending, dictionary)
    return [(len(capture), b"".join(map(packing.pack, capture))) for capture in plan.batch(number)]


def write_crawl(plan, out, split_size, with_dictionary):
    """Writes a crawl to one file, or to the files of a folder; returns the number of records."""
    is_folder = split_size is not None
    folder = out / plan.label / "robotstxt" if is_folder else out.parent
    folder.mkdir(parents=True, exist_ok=True)
    names = (f"{plan.label}-{number:05}.warc.gz" if is_folder else out.name
             for number in itertools.count())
    dictionary = b""
    if with_dictionary:
        batches = map(plan.batch, range((plan.captures + BATCH - 1) // BATCH))
        made = (one for batch in batches for capture in batch for one in capture)
        dictionary = trained_dictionary(list(itertools.islice(made, DICTIONARY_SAMPLES)))
    file, count = None, 0
    packing = Packing(".warc.gz" if is_folder else out.name, dictionary)
    with multiprocessing.Pool() as pool:
        make = functools.partial(packed_batch, plan, packing.ending, dictionary)
        batches = pool.imap(make, range((plan.captures + BATCH - 1) // BATCH))
        for number, packed in itertools.chain.from_iterable(batches):
            if file is None or is_folder and file.tell() >= split_size:
                name = next(names)
                file = open(folder / name, "wb")
                file.write(packing.begin() + packing.pack(plan.warcinfo(name)))
                count += 1
            file.write(packed)
            count += number
    file.close()
    return count


def records_of(archive):
    """The records of a plain archive."""
    at = 0
    while at < len(archive):
        end_of_head = archive.index(b"\r\n\r\n", at) + 4
        length = re.search(rb"(?i)\ncontent-length: *(\d+)", archive[at:end_of_head])[1]
        end = end_of_head + int(length) + 4
        yield archive[at:end]
        at = end


def repack(source, out, with_dictionary):
    """Writes the records of a plain archive to a file of another packing."""
    made = list(records_of(source.read_bytes()))
    packing = Packing(out.name, trained_dictionary(made) if with_dictionary else b"")
    out.write_bytes(packing.begin() + b"".join(map(packing.pack, made)))
    return len(made)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--captures", type=int, default=1_000, help="robots.txt captures per crawl")
    parser.add_argument("--seed", type=int, default=1,
                        help="crawls of one seed have the same sites")
    parser.add_argument("--pages", type=int, default=0, help="HTML pages after each capture")
    parser.add_argument("--crawl", default="MADE-UP-2026-33",
                        help="name of the crawl, which ends in -YEAR-WEEK")
    parser.add_argument("--months", type=int, default=1,
                        help="number of crawls, four weeks apart; OUT is a folder")
    parser.add_argument("--split-size", type=int, metavar="BYTES",
                        help="begin a new archive after this many bytes; OUT is a folder")
    parser.add_argument("--dictionary", action="store_true",
                        help="train a dictionary and store it in the first frame (.warc.zst)")
    parser.add_argument("--records", type=pathlib.Path, metavar="FILE",
                        help="make nothing: pack the records of this plain archive")
    parser.add_argument("out", type=pathlib.Path,
                        help="a .warc, .warc.gz or .warc.zst file, or a folder for .warc.gz files")
    arguments = parser.parse_args()
    out = arguments.out
    is_folder = arguments.months > 1 or arguments.split_size is not None
    if is_folder == bool(re.search(r"\.warc(\.gz|\.zst)?$", out.name)):
        parser.error("OUT is a folder with --months or --split-size, and a file without them")
    if arguments.dictionary and out.suffix != ".zst":
        parser.error("only .warc.zst files have a dictionary")
    if not re.search(r"-\d{4}-\d\d$", arguments.crawl):
        parser.error("the name of a crawl ends in -YEAR-WEEK")
    if arguments.records:
        print(f"{out}: {repack(arguments.records, out, arguments.dictionary)} records")
        return
    plan = Plan(arguments.crawl, arguments.captures, arguments.seed, arguments.pages)
    split_size = (arguments.split_size or sys.maxsize) if is_folder else None
    for month in range(arguments.months):
        crawl = plan.later(month)
        count = write_crawl(crawl, out, split_size, arguments.dictionary)
        print(f"{out}: {crawl.label}: {count} records")


if __name__ == "__main__":
    main()
