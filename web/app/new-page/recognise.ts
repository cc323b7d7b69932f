import type { LocalContent } from '../../../src/client/content/local-content.ts'
import { parseHtml } from '../../parse.ts'
import { readSource } from '../publishing/read-source.ts'
import type { NewPage } from './draft.ts'

/** Text that starts with a tag, a declaration or a comment is HTML; anything else is Markdown. */
function formatOfText(text: string): 'html' | 'markdown' {
  return /^\s*<(!doctype|!--|\?xml|[a-z][a-z0-9-]*[\s>/])/i.test(text) ? 'html' : 'markdown'
}

export type Recognition = ReturnType<typeof recognise>

/** Looks at a text without running anything in it. */
export function recognise(text: string, format = formatOfText(text)) {
  if (format === 'markdown') {
    const heading = /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] ?? null
    return { format, title: heading, collectsResponses: false, warnings: [] }
  }
  const page = parseHtml(text)
  const title = page.title.trim() || null
  const isWhole = /<(html|head|body)[\s>]/i.test(text)
  const hasViewport = page.querySelector('meta[name=viewport]') !== null
  const files = [...new Set(referencesIn(page).filter(isLocal))]
  return {
    format,
    title,
    collectsResponses:
      page.querySelector('form[data-service]') !== null || /\bService\.submit\(/.test(text),
    /** What will not work for visitors: after publishing, the server returns all of it. */
    warnings: [
      ...files.slice(0, 3).map((path) => `It names ${path}, which is no part of it.`),
      ...(files.length > 0 ? ['Drop the whole folder, and its files come along.'] : []),
      ...(isWhole && !hasViewport ? ['It has no viewport: phones show it small.'] : []),
    ],
  }
}

function referencesIn(page: Document): string[] {
  const elements = page.querySelectorAll('img[src], script[src], link[rel=stylesheet][href]')
  return [...elements].map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '')
}

function isLocal(address: string): boolean {
  return address.trim() !== '' && !/^\s*([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)
}

export async function readDraft({ html, format, sources }: NewPage): Promise<LocalContent> {
  if (sources[0] !== undefined) return readSource(sources[0])
  const isMarkdown = (format ?? formatOfText(html)) === 'markdown'
  return { kind: 'html', blob: new Blob([html]), ...(isMarkdown && { name: 'index.md' }) }
}
