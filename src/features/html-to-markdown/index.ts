import { createSingleFlight } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import type { Content, ReleaseFile } from '../content/index.ts'
import type { ConvertedHtml, HtmlToConvert } from './convert.ts'

export type { ConvertedHtml }

export interface HtmlToMarkdownDeps extends Pick<Services, 'threads' | 'log'> {
  content: Pick<Content, 'bytes'>
}

interface HtmlAt {
  file: ReleaseFile
  /** Of its page. */
  files: readonly ReleaseFile[]
  /** Where the file is. */
  url: string
}

const CACHE_BYTES = 16 * 1024 * 1024
const MAX_HTML_BYTES = 5 * 1024 * 1024
/** A page of 5 MB takes up to two seconds. */
const MAX_MS = 5000
/** How many pages may be converted or wait, and how long a request waits. */
const MOST = 20
const MAX_WAIT_MS = 10_000

/** Makes Markdown of published HTML in a thread, and caches the last results. */
export function createHtmlToMarkdown({ threads, log, content }: HtmlToMarkdownDeps) {
  const results = createSingleFlight<ConvertedHtml | 'failed'>({
    maxBytes: CACHE_BYTES,
    sizeOf: (result) => (result === 'failed' ? 100 : result.markdown.byteLength),
    // The threads have other work, too.
    atOnce: 1,
    most: MOST,
    maxWaitMs: MAX_WAIT_MS,
  })

  async function convert({ file, files, url }: HtmlAt) {
    const bytes = await content.bytes(file.hash)
    const source = file.source && {
      bytes: await content.bytes(file.source.hash),
      path: file.source.path,
      pages: new Map(files.flatMap(({ path, source }) => (source ? [[source.path, path]] : []))),
    }
    const makeInput = async () => ({
      input: { bytes, url, title: file.html?.title ?? null, ...(source && { source }) },
      transfer: [],
    })
    try {
      const result = await threads.run('markdownOf', makeInput, MAX_MS)
      return (result as ConvertedHtml | null) ?? 'failed'
    } catch (err) {
      log.warn('html_to_markdown_failed', { url, err })
      return 'failed'
    }
  }

  return {
    /**
     * The Markdown of a file.
     *
     * @returns `failed` for HTML that is too large or takes too long, `busy` while others wait
     */
    async convert(html: HtmlAt): Promise<ConvertedHtml | 'failed' | 'busy'> {
      const { file, url } = html
      const key = `${file.hash} ${file.source?.hash} ${url}`
      if (file.size_bytes > MAX_HTML_BYTES) return 'failed'
      return (await results.get(key, () => convert(html))) ?? 'busy'
    },
  }
}
export type HtmlToMarkdown = ReturnType<typeof createHtmlToMarkdown>

export const HTML_TO_MARKDOWN_TASKS = {
  /** The library is loaded by the first page that is converted. */
  async markdownOf(html: HtmlToConvert) {
    const { markdownOf } = await import('./convert.ts')
    return markdownOf(html)
  },
}
