import { html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { chapterSections, splitChapters } from '../markup/markdown.ts'
import type { DocsPage } from '../markup/page.ts'

/** The chapters of the API’s description: drafts, content, access, editing, forms, limits. */
export function guidePage(document: OpenApiDocument): DocsPage {
  const { chapters } = splitChapters(document.info.description)
  return {
    path: '/docs/guide',
    title: 'How pages work',
    lead: html`Drafts and publishing, what a page can contain, who may open it, and the limits.`,
    sections: chapterSections(chapters),
  }
}
