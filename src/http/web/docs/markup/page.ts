import { type Html, html } from '../../../../model/html.ts'

/** A page of the documentation. The layout adds the navigation around it. */
export interface DocsPage {
  path: string
  title: string
  /** What the page is about, in a sentence or two. */
  lead?: Html
  /** The content before the first section. */
  intro?: Html
  sections: Section[]
  /** The code beside the text needs the width of the list of sections. */
  isWide?: boolean
}

export interface Section {
  /** The anchor. */
  id: string
  title: string
  /** The content under the heading. */
  body: Html
  className?: string
  sections?: Section[]
  /** The text that the search finds; by default all text of the body. */
  searchText?: string
  /** Parts of the body with an anchor of their own, which the search finds one by one. */
  entries?: Entry[]
}

export interface Entry {
  id: string
  title: string
  text: string
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
