import { type Html, html } from '../../html.ts'

/** Of Markdown, what descriptions use: paragraphs, lists and `code`. */
export function prose(text: string | undefined): Html {
  const blocks = (text ?? '').split(/\n{2,}/).filter((block) => block.trim() !== '')
  return html`${blocks.map((block) => blockOf(block.trim()))}`
}

/** One line of it, without a paragraph around. */
export function inline(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function blockOf(block: string): Html {
  const lines = block.split('\n')
  if (!lines.every((line) => /^[-*] /.test(line))) return html`<p>${inline(block)}</p>\n`
  return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>\n`
}
