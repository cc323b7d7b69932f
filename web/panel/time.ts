const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const UPDATE_MS = 30_000

/** Made once: a format takes longer to make than the comment around it. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })

/** `5 minutes ago`, `in 2 days`; `just now` within a minute. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? []
  if (unit === undefined || size === undefined) return seconds > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(seconds / size), unit)
}

export function exactTime(iso: string): string {
  return absolute.format(new Date(iso))
}

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
