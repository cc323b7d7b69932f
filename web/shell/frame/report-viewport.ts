import type { Post } from './connection.ts'

/** Reports what the page's `<meta name="viewport">` says, and that it has none. */
export function reportViewport(post: Post): void {
  let last: string | null = null
  const report = () => {
    const found = [...document.querySelectorAll<HTMLMetaElement>('meta[name=viewport i]')].at(-1)
    // Until its body starts, the tag may come.
    if (found === undefined && document.body === null) return
    const content = found?.content ?? ''
    if (content !== last) post({ type: 'viewport', content })
    last = content
  }
  const observer = new MutationObserver(report)
  observer.observe(document, { childList: true, subtree: true })
  window.addEventListener('DOMContentLoaded', () => {
    report()
    observer.disconnect()
    observer.observe(document.head, { childList: true, subtree: true, attributes: true })
  })
}
