import { type Html, html } from '../../model/html.ts'
import { count, formatBytes, formatNumber } from '../../model/numbers.ts'
import { readingPage } from '../../model/reading-page.ts'
import { extensionOf, type LocalDeck } from './local-content.ts'

/** How much of a file is read to show it. */
const MAX_BYTES = 8 * 1024 * 1024
/** How much of a text and how many rows of a table are shown; the whole file can be downloaded. */
const MAX_TEXT_CHARS = 256 * 1024
const MAX_ROWS = 1000

/**
 * A deck of one file of any type: a page that shows it, or offers it to download where browsers
 * cannot show it, and the file itself, unchanged. The page needs no script.
 */
export async function filePage(name: string, blob: Blob): Promise<LocalDeck> {
  const path = deckPath(name)
  const src = encodeURIComponent(path)
  const { content, facts } = await contentOf({ src, extension: extensionOf(name), blob })
  const body = html`<header>
<h1 dir="auto">${name}</h1>
<p><span>${facts}</span> <a href="${src}" download="${path}">Download</a></p>
</header>
${content}
`
  const page = { path: 'index.html', blob: new Blob([readingPage(name, body, STYLES)]) }
  return { kind: 'deck', pages: [page], assets: [{ path, blob }], skipped: [] }
}

/** A name that a deck takes as a path: `~` at the start belongs to the service. */
function deckPath(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-').replace(/^[~.]+/, '') || 'file'
}

interface File {
  /** Its address from the page. */
  src: string
  extension: string
  blob: Blob
}

async function contentOf(file: File): Promise<{ content: Html | null; facts: string }> {
  const { src, extension, blob } = file
  const facts = [extension.toUpperCase(), formatBytes(blob.size)].filter(Boolean).join(', ')
  const media = mediaOf(src, extension)
  if (media !== null) return { content: media, facts: facts + (await noteOf(file)) }
  const start = new Uint8Array(await blob.slice(0, MAX_BYTES).arrayBuffer())
  const text = decodeText(start, extension)
  if (text === null) return { content: null, facts: `${facts}. Browsers cannot show this file.` }
  const isRead = blob.size <= MAX_BYTES
  if (extension === 'csv' || extension === 'tsv') return tableOf(text, facts, isRead)
  const readable = /^(?:geo)?json$/.test(extension) ? indentJson(text) : text
  const isCut = readable.length > MAX_TEXT_CHARS || !isRead
  return {
    content: html`<pre dir="auto">${readable.slice(0, MAX_TEXT_CHARS)}</pre>`,
    facts: isCut ? `${facts}. The start is shown.` : facts,
  }
}

async function noteOf({ extension, blob }: File): Promise<string> {
  if (/^hei[cf]$/.test(extension)) return '. Only Safari shows this image'
  if (!/^(?:mp4|m4v|mov)$/.test(extension)) return ''
  // The index of a video is at its start, or at its end where a phone has recorded it.
  const ends = [blob.slice(0, MAX_BYTES), blob.slice(-MAX_BYTES)]
  const bytes = await new Blob(ends).arrayBuffer()
  const isHevc = /stsd.{12}h(?:vc|ev)1/s.test(new TextDecoder('latin1').decode(bytes))
  return isHevc ? '. Some browsers cannot play this video (HEVC)' : ''
}

function mediaOf(src: string, extension: string): Html | null {
  const media = /^(?:svg|avif|apng|bmp|ico|jfif|jxl|hei[cf])$/.test(extension)
    ? html`<img src="${src}" alt="">`
    : /^(?:mp4|m4v|webm|mov|ogv)$/.test(extension)
      ? html`<video src="${src}" controls playsinline preload="metadata"></video>`
      : /^(?:mp3|m4a|aac|wav|ogg|oga|opus|flac)$/.test(extension)
        ? html`<audio src="${src}" controls preload="metadata"></audio>`
        : null
  return media && html`<figure>${media}</figure>`
}

async function tableOf(
  text: string,
  facts: string,
  isRead: boolean,
): Promise<{ content: Html; facts: string }> {
  const { default: papa } = await import('papaparse')
  const delimiter = text.slice(0, 1000).includes('\t') ? '' : undefined
  const { data } = papa.parse<string[]>(text, { skipEmptyLines: 'greedy', delimiter })
  const [head = [], ...rows] = data
  const firstRows = rows.slice(0, MAX_ROWS)
  const content = html`<div role="region" aria-label="Table" tabindex="0"><table>
<thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>
${firstRows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`
  const first = `the first ${formatNumber(MAX_ROWS)} are shown`
  if (!isRead) return { content, facts: `${facts}. Of its rows, ${first}.` }
  const part = rows.length > MAX_ROWS ? `, of which ${first}` : ''
  return { content, facts: `${facts}, ${count(rows.length, 'row')}${part}.` }
}

/** Files whose words may be in the encoding of old Windows programs. */
const TEXT_NAME = /^(?:txt|text|csv|tsv|log|ini|cfg|conf|srt|vtt|tex|bib|sql|asc|nfo)$/

/** The text of the start of a file, which may end within a character; null if it is none. */
function decodeText(bytes: Uint8Array, extension: string): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return TEXT_NAME.test(extension) ? new TextDecoder('windows-1252').decode(bytes) : null
  }
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

/** Indents JSON without parsing its values: numbers keep every digit, and what is no JSON stays. */
function indentJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  let out = ''
  let before = ''
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const isEnd = token === '}' || token === ']'
    const isEmpty = isEnd && (before === '{' || before === '[')
    if (isEnd) depth -= 1
    if ((isEnd && !isEmpty) || (!isEnd && /^[{[,]$/.test(before))) out += `\n${'  '.repeat(depth)}`
    out += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth += 1
    before = token
  }
  return out
}

const STYLES = `
body{max-width:64rem;font-family:"Instrument Sans",system-ui,-apple-system,"Segoe UI",sans-serif;
font-size:15px}
header{border-bottom:1px solid var(--line);margin-bottom:32px}
h1{font:600 28px/1.25 Newsreader,Charter,"Iowan Old Style",Georgia,serif;margin:0 0 8px;
overflow-wrap:anywhere}
header p{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:12px 24px;
color:var(--muted);margin:0 0 24px}
header a{padding:6px 14px;border-radius:6px;
background:var(--accent);color:var(--paper);text-decoration:none;font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
figure{text-align:center}img,video{max-height:80vh}audio{width:100%}
div{overflow-x:auto}div table{display:table;width:max-content;margin:0}
th,td{font-variant-numeric:tabular-nums;white-space:pre-wrap;max-width:24rem}
th{color:var(--muted);font-weight:600}
`.trimEnd()
