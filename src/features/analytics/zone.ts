const HOUR_MS = 3_600_000
const MINUTE_NS = 60e9
const DAY_MINUTES = 24 * 60

/** A time zone: how far its clocks are ahead of UTC at each hour since the epoch. */
export type Zone = NonNullable<ReturnType<typeof openZone>>

/** @returns null for a name that no time zone has */
export function openZone(name: string) {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
  } catch {
    return null
  }
  const offsets = new Map<number, number>()
  function readOffset(hour: number): number {
    const instant = Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS)
    return Math.floor(instant.toZonedDateTimeISO(name).offsetNanoseconds / MINUTE_NS)
  }
  const cachedOffset = (hour: number) => offsets.getOrInsertComputed(hour, () => readOffset(hour))

  return {
    name,
    /** Minutes ahead of UTC. */
    offsetAt(hour: number): number {
      // Clocks change at most once a day, so a day with equal offsets at both ends has one offset.
      const start = hour - (hour % 24)
      const offset = cachedOffset(start)
      return offset === cachedOffset(start + 24) ? offset : cachedOffset(hour)
    },
  }
}

/** The day, since the epoch, in which an hour begins on the clocks of a zone. */
export function dayOf(hour: number, zone: Zone): number {
  return Math.floor((hour * 60 + zone.offsetAt(hour)) / DAY_MINUTES)
}

/** The first hour that begins on a day of a zone. */
export function firstHourOf(day: number, zone: Zone): number {
  // No zone is more than 26 hours from UTC.
  let hour = day * 24 - 26
  while (dayOf(hour, zone) < day) hour += 1
  return hour
}

/** `2026-11-21` */
export function dateText(day: number): string {
  return new Date(day * 24 * HOUR_MS).toISOString().slice(0, 10)
}

/** @returns null for a text that is no date of the calendar */
export function parseDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = Date.parse(`${text}T00:00Z`) / (24 * HOUR_MS)
  // Date.parse would read 30 February as 2 March.
  return !Number.isNaN(day) && dateText(day) === text ? day : null
}
