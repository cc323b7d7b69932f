/** The width that phones assume for a page that declares none. */
const UNSAID = 'width=980'

/**
 * Gives this window the viewport of the page in it, so that phones lay the page out as they would
 * without a frame. A window that also has controls of ours keeps its own: they must stay readable.
 */
export function createViewport(): (content: string) => void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=viewport][data-follows-page]')
  return (content) => {
    if (meta !== null) meta.content = content || UNSAID
  }
}
