import { escapeHtml, type Html, html, rawHtml } from '../../../../model/html.ts'
import { codeBlock } from './code.ts'
import { languageOf } from './highlight.ts'
import { anchorOf, type Section } from './page.ts'

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

export function chapterSections(chapters: readonly Chapter[]): Section[] {
  return chapters.map(({ id, title, body }) => ({ id, title, body: renderMarkdown(body) }))
}

/** Renders Markdown. All text in it is escaped, HTML too. */
export function renderMarkdown(text: string | undefined): Html {
  const rendered = Bun.markdown.render(text ?? '', {
    // A comment is for those who write the text. All other HTML is shown as it is written.
    html: (children) => (children.trim().startsWith('&lt;!--') ? '' : `<p>${children}</p>\n`),
    text: escapeHtml,
    paragraph: (children) => `<p>${children}</p>\n`,
    heading: (children, { level }) => {
      const id = anchorOf(plainText(rawHtml(children)))
      return `<h${level} id="${id}"><a href="#${id}">${children}</a></h${level}>\n`
    },
    strong: (children) => `<strong>${children}</strong>`,
    emphasis: (children) => `<em>${children}</em>`,
    // The name of an option does not break after its hyphens.
    codespan: (children) =>
      /^--?[\w-]+$/.test(children)
        ? `<code class="option">${children}</code>`
        : `<code>${children}</code>`,
    link: (children, { href }) => html`<a href="${href}">${rawHtml(children)}</a>`.toString(),
    list: (children, { ordered }) => {
      return ordered ? `<ol>${children}</ol>\n` : `<ul>${children}</ul>\n`
    },
    listItem: (children) => `<li>${children}</li>`,
    code: (children, meta) => {
      const language = languageOf(meta?.language ?? '')
      return codeBlock({ language, code: decoded(children).trimEnd() }).toString()
    },
    table: (children) => `<table>${labelled(children)}</table>\n`,
    thead: (children) => `<thead>${children}</thead>`,
    tbody: (children) => `<tbody>${children}</tbody>`,
    tr: (children) => `<tr>${children}</tr>`,
    th: (children) => `<th scope="col">${children}</th>`,
    td: (children) => `<td>${children}</td>`,
  })
  return rawHtml(rendered)
}

/** Renders one line of Markdown, without a paragraph around it. */
export function renderInline(text: string): Html {
  return rawHtml(
    renderMarkdown(text)
      .toString()
      .trim()
      .replace(/^<p>|<\/p>$/g, ''),
  )
}

/** The text of our own markup, without examples of code. */
export function plainText(markup: Html): string {
  const withoutCode = markup.toString().replace(/<figure\b[\s\S]*?<\/figure>/g, ' ')
  const withSpaces = withoutCode.replace(/<\/(?:p|li|dt|dd|div|h\d|td|th|tr|pre)>/g, ' ')
  return decoded(withSpaces.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Gives each cell the name of its column, which a narrow window shows instead of the head. */
function labelled(table: string): string {
  const heads = [...table.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, head = '']) => {
    return escapeHtml(plainText(rawHtml(head)))
  })
  return table.replace(/<tr>(?:<td>[\s\S]*?<\/td>)+<\/tr>/g, (row) => {
    let column = 0
    return row.replace(/<td>/g, () => `<td data-label="${heads[column++] ?? ''}">`)
  })
}

const CHARACTERS: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#96;': '`',
  '&amp;': '&',
}

/** Undoes `escapeHtml`. */
function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|#39|#96);/g, (entity) => CHARACTERS[entity] ?? entity)
}
