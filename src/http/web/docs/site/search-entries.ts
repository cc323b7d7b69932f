import type { SearchEntry } from '../../../../model/docs-search.ts'
import { html } from '../../../../model/html.ts'
import { plainText } from '../markup/markdown.ts'
import type { DocsPage, Section } from '../markup/page.ts'

/** An entry for each page, each section, and each part with an anchor of its own. */
export function searchEntries(pages: readonly DocsPage[]): SearchEntry[] {
  return pages.flatMap((page) => [
    { url: page.path, title: page.title, page: '', text: textOf(page) },
    ...page.sections.flatMap((section) => sectionEntries(page, section)),
  ])
}

function sectionEntries(page: DocsPage, section: Section): SearchEntry[] {
  const { id, title, body, sections = [], entries = [] } = section
  const text = section.searchText ?? plainText(body)
  return [{ id, title, text }, ...entries]
    .map((entry) => ({
      url: `${page.path}#${entry.id}`,
      title: entry.title,
      page: page.title,
      text: entry.text,
    }))
    .concat(sections.flatMap((child) => sectionEntries(page, child)))
}

function textOf({ lead, intro }: DocsPage): string {
  return plainText(html`${lead} ${intro}`)
}
