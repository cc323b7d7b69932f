import { chapterSections, renderInline, renderMarkdown, splitChapters } from '../markup/markdown.ts'
import type { DocsPage } from '../markup/page.ts'

/** The host of the examples in docs/. The documentation of a server has its own address there. */
export const EXAMPLE_URL = 'https://pages.example.com'

const PAGES: Record<string, string> = {
  'approvals.md': '/docs/approvals',
  'cli.md': '/docs/cli',
  'comments.md': '/docs/comments',
  'configuration.md': '/docs/configuration',
  'forms.md': '/docs/forms',
  'mcp.md': '/docs/mcp',
  'own-origins.md': '/docs/own-origins',
  'polls.md': '/docs/polls',
  'self-hosting.md': '/docs/self-hosting',
  'accounts.md': '/docs/accounts',
}

/** Makes a page of a guide in docs/. Its first heading is the title, then comes the lead. */
export function markdownPage(path: string, source: string, baseUrl = EXAMPLE_URL): DocsPage {
  const text = source
    .replace(/<!--[\s\S]*?-->\s*/g, '')
    .replaceAll(EXAMPLE_URL, baseUrl)
    .replace(/\]\(([\w-]+\.md)/g, linkToPage)
  const { intro, chapters } = splitChapters(text)
  const [, title = '', lead = '', rest] =
    /^# (.+)\n\s*([\s\S]+?)(?:\n\n([\s\S]*))?$/.exec(intro) ?? []
  return {
    path,
    title,
    lead: renderInline(lead),
    intro: renderMarkdown(rest),
    sections: chapterSections(chapters),
  }
}

function linkToPage(link: string, file: string): string {
  const path = PAGES[file]
  return path === undefined ? link : `](${path}`
}
