const TICK_MS = 1000
const MAX_PARTS = 500

interface TimeOptions {
  /** The origin of the service, without a slash at the end; '' for its own documents. */
  origin: string
  token: string
  sourceToken: string
  /** The part of the page that is on the screen; '' where it has none. */
  partNow(): string
}

/**
 * Adds up how long the page is visible, and reports it to the server when it no longer is: the
 * time since it was opened, so that a report which is lost or repeated does no harm.
 */
export function measureVisibleTime({ origin, token, sourceToken, partNow }: TimeOptions): void {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean
  }
  if (token === '' || doNotTrack === '1' || globalPrivacyControl === true) return
  const parts = new Map<string, number>()
  let seconds = 0
  let lastSeconds = 0

  function tick(): void {
    if (document.visibilityState !== 'visible') return
    seconds += 1
    const part = partNow()
    if (part === '' || (parts.size >= MAX_PARTS && !parts.has(part))) return
    parts.set(part, (parts.get(part) ?? 0) + 1)
  }
  function report(): void {
    if (seconds === lastSeconds) return
    lastSeconds = seconds
    const body = JSON.stringify({ token, stamp: sourceToken, seconds, parts: [...parts] })
    // As `text/plain`, which needs no CORS preflight.
    void fetch(`${origin}/~/time`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      credentials: 'omit',
      keepalive: true,
      body,
    }).catch(() => {})
  }
  setInterval(tick, TICK_MS)
  addEventListener('pagehide', report)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') report()
  })
}
