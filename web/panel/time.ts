import { relativeTime } from '../time-words.ts'

const UPDATE_MS = 30_000

/**
 * Updates the times below an element while the document is visible. The text nodes stay, as they
 * belong to the components that show them.
 */
export function keepTimes(root: ParentNode): void {
  setInterval(() => {
    if (document.visibilityState !== 'visible') return
    for (const time of root.querySelectorAll('time')) {
      const text = relativeTime(time.dateTime, Date.now())
      const node = time.firstChild
      if (node !== null && node.nodeValue !== text) node.nodeValue = text
    }
  }, UPDATE_MS)
}
