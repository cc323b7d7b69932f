import type { LocalContent } from '../../../src/client/content/local-content.ts'
import { markdownPage } from '../../../src/client/content/markdown.ts'
import { readSource } from '../publishing/read-source.ts'
import type { NewPage } from './draft.ts'
import { formatOfText } from './recognise.ts'

export async function readDraft({ html, format, sources }: NewPage): Promise<LocalContent> {
  if (sources[0] !== undefined) return readSource(sources[0])
  const isMarkdown = (format ?? formatOfText(html)) === 'markdown'
  return { kind: 'html', blob: isMarkdown ? await markdownPage(html) : new Blob([html]) }
}
