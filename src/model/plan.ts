export const PLANS = ['free', 'pro', 'team'] as const
export type Plan = (typeof PLANS)[number]

const MB = 1024 * 1024
export const BODY_LIMIT_BYTES = 4 * MB
export const MAX_DECK_PAGES = 60
export const MAX_DECK_ASSETS = 150
export const MAX_ASSET_BYTES = 5 * MB

export interface Limits {
  /** A single HTML page, a PDF or an image. */
  file_bytes: number
  /** A deck, HTML and assets together, and each HTML file of it. */
  deck_bytes: number
  responses_per_page: number
  response_bytes_per_page: number
  /** Expiry, view limit, view-only, approvals. */
  pro_settings: boolean
}

export const LIMITS: Record<Plan, Limits> = {
  free: {
    file_bytes: 5 * MB,
    deck_bytes: 5 * MB,
    responses_per_page: 100,
    response_bytes_per_page: 10 * MB,
    pro_settings: false,
  },
  pro: {
    file_bytes: 50 * MB,
    deck_bytes: 32 * MB,
    responses_per_page: 10_000,
    response_bytes_per_page: 250 * MB,
    pro_settings: true,
  },
  team: {
    file_bytes: 100 * MB,
    deck_bytes: 32 * MB,
    responses_per_page: 10_000,
    response_bytes_per_page: 250 * MB,
    pro_settings: true,
  },
}

/** `5 MB`, as the limits are spoken of: a megabyte here is 1,048,576 bytes. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / MB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
