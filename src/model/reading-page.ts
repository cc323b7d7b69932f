import { type Html, html, rawHtml } from './html.ts'

/** A document in our look, for content that is no HTML. It needs no script and no other file. */
export function readingPage(title: string, body: Html, styles = ''): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${rawHtml(STYLES + styles)}</style>
</head>
<body dir="auto">
${body}</body>
</html>
`
  return document.toString()
}

const STYLES = `
:root{color-scheme:light dark;--ink:#1b1a17;--paper:#fbfaf7;--muted:#6b675e;
--line:#e7e3da;--sunk:#f3f1eb;--accent:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--ink:#f1eee7;--paper:#151412;--muted:#a39e93;
--line:#33302b;--sunk:#1e1c19;--accent:#8ab4f8}}
body{max-width:44rem;margin:0 auto;padding:clamp(24px,6vw,72px) 20px;background:var(--paper);
color:var(--ink);font:17px/1.6 Newsreader,Charter,"Iowan Old Style",Georgia,serif;
overflow-wrap:break-word}
h1,h2,h3,h4{line-height:1.25;font-weight:600;text-wrap:balance;margin:1.8em 0 .6em}
h1{font-size:2.2em;margin-top:0}h2{font-size:1.5em}h3{font-size:1.2em}
p,ul,ol,pre,table,blockquote,figure{margin:0 0 1em}
li+li{margin-top:.25em}
a{color:var(--accent);text-underline-offset:3px}
img,video,svg{max-width:100%;height:auto}
code,pre{font:.85em/1.5 ui-monospace,Menlo,Consolas,monospace}
code{background:var(--sunk);border-radius:4px;padding:.1em .3em}
pre{background:var(--sunk);border-radius:8px;padding:16px;overflow-x:auto}
pre code{background:none;padding:0}
blockquote{border-left:3px solid var(--line);padding-left:16px;color:var(--muted)}
table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{border-bottom:1px solid var(--line);padding:6px 16px 6px 0;text-align:start;
vertical-align:top}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
`.trim()
