import type { HtmlToConvert } from './convert.ts'

export const HTML_TO_MARKDOWN_TASKS = {
  /** The library is loaded by the first page that is converted. */
  async markdownOf(html: HtmlToConvert) {
    const { markdownOf } = await import('./convert.ts')
    return markdownOf(html)
  },
}
