filedesc://made.arc 0.0.0.0 20260801000000 text/plain 69
1 0 Made up
URL IP-address Archive-date Content-type Archive-length


https://shop.example/robots.txt 0.0.0.0 20260801060000 text/plain 143
HTTP/1.1 200 Status
Content-Type: text/plain; charset=utf-8
Server: made-up

User-agent: *
Disallow: /cart

User-agent: GPTBot
Disallow: /

https://news.example/robots.txt 0.0.0.0 20260801060002 text/plain 170
HTTP/1.1 200 Status
Cache-Control: max-age=3600
Content-Type: text/plain

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://news.example/sitemap.xml

http://old.example/robots.txt 0.0.0.0 20260801060003 text/plain 65
HTTP/1.1 301 Status
Location: https://old.example/robots.txt


https://old.example/robots.txt 0.0.0.0 20260801060004 text/plain 90
HTTP/1.1 200 Status
Content-Type: text/plain

# All welcome
User-agent: *
Disallow:

https://none.example/robots.txt 0.0.0.0 20260801060005 text/plain 90
HTTP/1.1 404 Status
Content-Type: text/html

<!DOCTYPE html><title>Not "found"</title>

