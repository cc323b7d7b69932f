import type { Post } from './connection.ts'

/**
 * Reports the height of the content, by which the shell prints the whole page. Ctrl+P in the page
 * prints the page alone.
 */
export function reportHeight(post: Post): void {
  const report = () => post({ type: 'height', pixels: document.documentElement.scrollHeight })
  window.addEventListener('DOMContentLoaded', () => {
    new ResizeObserver(report).observe(document.documentElement)
  })
  window.addEventListener('keydown', (event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'p'
    if (!isPrint || event.defaultPrevented || event.shiftKey || event.altKey) return
    event.preventDefault()
    print()
  })
}
