import { refuse } from '../../model/errors.ts'
import { MARKDOWN_MIME } from '../../model/manifest.ts'
import { MAX_MARKDOWN_BYTES } from '../../model/markdown/source.ts'
import { besideLimit } from '../../model/plan.ts'
import { HTML_MIME } from './files/types.ts'
import type { SourceFile } from './staging.ts'
import type { MarkdownFile } from './tasks.ts'
import type { ContentWork } from './work.ts'

/** The HTML file that is made of a file of Markdown, and the file itself, which stays beside it. */
export async function renderedFiles(
  work: Pick<ContentWork, 'run'>,
  { hash, ...file }: MarkdownFile & { hash: string },
  htmlPath: string,
): Promise<[page: SourceFile, source: SourceFile]> {
  assertRenders(file.bytes.byteLength)
  const { source, ...page } = await work.run('renderMarkdown', file)
  return [
    { path: htmlPath, mime: HTML_MIME, ...page },
    { path: file.path, mime: MARKDOWN_MIME, bytes: source, hash },
  ]
}

/** @throws Refusal `content_too_large` */
function assertRenders(sizeBytes: number): void {
  if (sizeBytes <= MAX_MARKDOWN_BYTES) return
  const { size, limit } = besideLimit(sizeBytes, MAX_MARKDOWN_BYTES)
  const message = `The Markdown is ${size}; ${limit} can be rendered: split it into several files.`
  throw refuse.tooLarge('content_too_large', message, { limit: MAX_MARKDOWN_BYTES })
}
