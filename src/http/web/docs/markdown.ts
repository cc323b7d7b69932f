import { type Html, html } from '../../../model/html.ts'
import { anchorOf } from './document.ts'

export interface Chapter {
  id: string
  title: string
  body: string
}

/** Splits a Markdown text at its `## ` headings. The intro is the text before the first one. */
export function splitChapters(text: string | undefined): { intro: string; chapters: Chapter[] } {
  const [intro = '', ...rest] = (text ?? '').split(/^## /m)
  const chapters = rest.map((part) => {
    const end = part.indexOf('\n')
    const title = (end < 0 ? part : part.slice(0, end)).trim()
    return { id: anchorOf(title), title, body: end < 0 ? '' : part.slice(end) }
  })
  return { intro, chapters }
}

/** Renders the Markdown that our descriptions use: paragraphs, lists, `code` and fenced code. */
export function renderMarkdown(text: string | undefined): Html {
  // The capturing split puts the fenced code at the odd indexes.
  const parts = (text ?? '').split(/^```\w*\n([\s\S]*?)^```$/m)
  return html`${parts.map((part, index) =>
    index % 2 === 1
      ? html`<pre tabindex="0"><code>${part.trimEnd()}</code></pre>\n`
      : splitBlocks(part).map(renderBlock),
  )}`
}

/** Renders one line of Markdown, without a paragraph around it. */
export function renderInline(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function splitBlocks(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

function renderBlock(block: string): Html {
  if (!/^[-*] /.test(block)) return html`<p>${renderInline(block)}</p>\n`
  const items = block.split(/\n(?=[-*] )/)
  return html`<ul>${items.map((item) => html`<li>${renderInline(item.slice(2))}</li>`)}</ul>\n`
}
