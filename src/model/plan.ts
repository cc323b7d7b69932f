export const PLANS = ['free', 'pro', 'team'] as const
export type Plan = (typeof PLANS)[number]

/** The plan of the first account of a server. */
export const FIRST_PLAN: Plan = 'team'

const MB = 1024 * 1024
export const BODY_LIMIT_BYTES = 4 * MB
export const MAX_DECK_PAGES = 60
export const MAX_DECK_ASSETS = 150
export const MAX_ASSET_BYTES = 5 * MB

export interface Limits {
  /** The size of a single HTML page, a PDF or an image. */
  fileBytes: number
  /** The size of a deck with all its files, and of each HTML file of it. */
  deckBytes: number
  responsesPerPage: number
  responseBytesPerPage: number
  /** Whether expiry, view limit, view-only and approvals are available. */
  proSettings: boolean
}

export const LIMITS: Record<Plan, Limits> = {
  free: {
    fileBytes: 5 * MB,
    deckBytes: 5 * MB,
    responsesPerPage: 100,
    responseBytesPerPage: 10 * MB,
    proSettings: false,
  },
  pro: {
    fileBytes: 50 * MB,
    deckBytes: 32 * MB,
    responsesPerPage: 10_000,
    responseBytesPerPage: 250 * MB,
    proSettings: true,
  },
  team: {
    fileBytes: 100 * MB,
    deckBytes: 32 * MB,
    responsesPerPage: 10_000,
    responseBytesPerPage: 250 * MB,
    proSettings: true,
  },
}

/** Formats a size beside a limit: in bytes where both would be the same number of megabytes. */
export function besideLimit(bytes: number, limit: number): { size: string; limit: string } {
  const [size, most] = [inMegabytes(bytes), inMegabytes(limit)]
  if (size !== most) return { size, limit: most }
  return { size: inBytes(bytes), limit: inBytes(limit) }
}

function inBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`
}

/** Formats a size as `5 MB`. A megabyte here is 1,048,576 bytes. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
