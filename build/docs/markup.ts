import { decodeHTMLStrict } from 'entities'
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import xml from 'highlight.js/lib/languages/xml'
import { escapeHtml, type Html, html, rawHtml } from '../../src/model/html.ts'

/** A page of the documentation. The layout adds the navigation around it. */
export interface DocsPage {
  path: string
  title: string
  /** What the page is about, in a sentence or two. */
  lead?: Html
  intro?: Html
  sections: Section[]
  /** The code beside the text needs the width of the list of sections. */
  isWide?: boolean
}

export interface Section {
  id: string
  title: string
  body: Html
  className?: string
  sections?: Section[]
  /** The text that the search finds; by default all text of the body. */
  searchText?: string
  /** Parts of the body with an anchor of their own, which the search finds one by one. */
  entries?: { id: string; title: string; text: string }[]
}

export function renderSections(sections: readonly Section[], level: 2 | 3 = 2): Html {
  return html`${sections.map((section) => renderSection(section, level))}`
}

function renderSection({ id, title, body, className, sections = [] }: Section, level: 2 | 3): Html {
  const link = html`<a href="#${id}">${title}</a>`
  const heading = level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`
  const attributes = html`${className !== undefined && html` class="${className}"`} id="${id}"`
  return html`<section${attributes}>
${heading}
${body}
${renderSections(sections, 3)}
</section>
`
}

export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export interface Sample {
  language: string
  code: string
}

const LABELS: Record<string, string> = {
  shell: 'Shell',
  sh: 'Shell',
  js: 'JavaScript',
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  html: 'HTML',
  mcp: 'MCP',
  cli: 'CLI',
}

interface CodeOptions {
  title?: string
  /** Long code scrolls in a box of limited height. */
  isLong?: boolean
}

/** Code with its language above it. The script of the documentation adds a button to copy it. */
export function codeBlock({ language, code }: Sample, { title, isLong }: CodeOptions = {}): Html {
  const label = title ?? LABELS[language] ?? 'Text'
  return html`<figure class="code${isLong && ' long'}">
<figcaption>${label}</figcaption>
${codeOf({ language, code }, isLong && html` tabindex="0" aria-label="${label}"`)}
</figure>
`
}

/**
 * Samples of which the reader chooses one language. The choice is a group of radio buttons, so it
 * works without a script, which only remembers it for other samples and pages.
 *
 * @param id unique on the page
 */
export function samples(id: string, all: readonly Sample[]): Html {
  return html`<figure class="code samples">
<figcaption>
<span class="languages" role="radiogroup" aria-label="Language of the example">${all.map(
    ({ language }, index) => html`
<label><input type="radio" name="language-${id}" value="${language}"${
      index === 0 && html` checked`
    }><span>${LABELS[language] ?? language}</span></label>`,
  )}
</span></figcaption>
${all.map((sample) => codeOf(sample, html` data-language="${sample.language}"`))}
</figure>
`
}

function codeOf({ language, code }: Sample, attributes: Html | false | undefined): Html {
  return html`<pre${attributes}><code>${highlight(code, language)}</code></pre>`
}

/** Marks comments, strings, keywords and names. Code of an unknown language stays as it is. */
function highlight(code: string, language: string): Html {
  if (highlighter.getLanguage(language) === undefined) return html`${code}`
  const { value } = highlighter.highlight(code, { language })
  return rawHtml(value.replaceAll('&#x27;', '&#39;'))
}

for (const [name, grammar] of Object.entries({ javascript, python, json, xml })) {
  highlighter.registerLanguage(name, grammar)
}
highlighter.registerLanguage('shell', (api) => {
  const { contains, ...grammar } = bash(api)
  const command = { scope: 'title', begin: /(?<=^|\| )\w+/ }
  return { ...grammar, contains: [...contains, command], aliases: ['sh', 'curl', 'cli', 'mcp'] }
})

/** Splits a Markdown text at its `## ` headings. The intro is the text before the first one. */
export function splitChapters(text: string | undefined) {
  const [intro = '', ...rest] = (text ?? '').split(/^## /m)
  const chapters = rest.map((part) => {
    const end = part.indexOf('\n')
    const title = (end < 0 ? part : part.slice(0, end)).trim()
    return { id: anchorOf(title), title, body: end < 0 ? '' : part.slice(end) }
  })
  return { intro, chapters }
}

export function chapterSections(
  chapters: ReturnType<typeof splitChapters>['chapters'],
  render: (text: string) => Html = renderMarkdown,
): Section[] {
  return chapters.map(({ id, title, body }) => ({ id, title, body: render(body) }))
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
      const language = meta?.language ?? ''
      return codeBlock({ language, code: decodeHTMLStrict(children).trimEnd() }).toString()
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
  return decodeHTMLStrict(withSpaces.replace(/<[^>]*>/g, ''))
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
