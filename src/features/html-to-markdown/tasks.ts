import type { HtmlToConvert } from './convert.ts'

export const HTML_TO_MARKDOWN_TASKS = {
  /** The library is loaded by the first page that is converted. */
  async convertHtml(html: HtmlToConvert) {
    const { convertHtml } = await import('./convert.ts')
    return convertHtml(html)
  },
}
