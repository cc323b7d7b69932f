/** Between ISO times and the fields of the browser, which show the viewer's own zone. */

/** `2026-11-21T10:00`, as a `datetime-local` field holds it; empty for null. */
export function toField(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().replace(/:[^:]*$/, '')
}

/** The instant of a `datetime-local` field; null where it holds no whole date and time. */
export function fromField(text: string): string | null {
  if (!/^\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

export const SPANS = ['1 day', '1 week', '1 month'] as const
export type Span = (typeof SPANS)[number]

/** The same time of day after the span. A month ends on its last day at the latest. */
export function after(span: Span, now = new Date()): string {
  const date = new Date(now)
  date.setSeconds(0, 0)
  if (span === '1 day') date.setDate(date.getDate() + 1)
  if (span === '1 week') date.setDate(date.getDate() + 7)
  if (span === '1 month') {
    const day = date.getDate()
    date.setMonth(date.getMonth() + 1)
    if (date.getDate() !== day) date.setDate(0)
  }
  return date.toISOString()
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
}

const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** `Saturday, 21 November 2026 at 10:00` */
export function longTime(iso: string): string {
  return LONG.format(new Date(iso))
}
