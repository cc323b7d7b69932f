/** What stands on each copy. */
export interface MarkTexts {
  /** Whose copy it is, in words by preference: the first that can be drawn. */
  who: readonly string[]
  /** When it was made, and where. */
  note: string
}

/** What is known of who gets a copy. */
export interface Recipient {
  /** The address that they confirmed; null where there is none. */
  email: string | null
  /** The named link that they came by, which says whose link it is. */
  link: { id: string; label: string } | null
}

export interface Copied {
  /** Of the page; null where it has none. */
  title: string | null
  host: string
  nowMs: number
}

/** A copy is made once in an hour for each person. */
const HOUR_MS = 60 * 60 * 1000
const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const

/** The texts of a mark. The same person gets the same within an hour. */
export function markTexts({ email, link }: Recipient, { title, host, nowMs }: Copied): MarkTexts {
  const hour = new Date(nowMs - (nowMs % HOUR_MS))
  const time = `${hour.toLocaleDateString('en-GB', DAY)}, ${hour.toISOString().slice(11, 16)} UTC`
  const names = [email, link?.label].filter((text) => text != null)
  const words = link === null || names.length === 0 ? names : [names.join(' · '), ...names, link.id]
  return {
    who: [...new Set([...words, title, host])].filter((text) => text != null),
    note: `${time} · ${host}`,
  }
}
