import { type Html, html } from '../../kit/html.ts'
import { anchorOf } from './document.ts'

export interface Chapter {
  id: string
  title: string
  body: string
}

/** A description that has `## ` headings: what stands before them, and the chapters under them. */
export function chaptersOf(text: string | undefined): { intro: string; chapters: Chapter[] } {
  const [intro = '', ...rest] = (text ?? '').split(/^## /m)
  const chapters = rest.map((part) => {
    const end = part.indexOf('\n')
    const title = (end < 0 ? part : part.slice(0, end)).trim()
    return { id: anchorOf(title), title, body: end < 0 ? '' : part.slice(end) }
  })
  return { intro, chapters }
}

/** Of Markdown, what descriptions use: paragraphs, lists, `code` and fenced code. */
export function prose(text: string | undefined): Html {
  // What stands between fences is every second part.
  const parts = (text ?? '').split(/^```\w*\n([\s\S]*?)^```$/m)
  return html`${parts.map((part, index) =>
    index % 2 === 1
      ? html`<pre tabindex="0"><code>${part.trimEnd()}</code></pre>\n`
      : blocksOf(part).map(blockOf),
  )}`
}

/** One line of it, without a paragraph around. */
export function inline(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function blocksOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

function blockOf(block: string): Html {
  if (!/^[-*] /.test(block)) return html`<p>${inline(block)}</p>\n`
  const items = block.split(/\n(?=[-*] )/)
  return html`<ul>${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>\n`
}
