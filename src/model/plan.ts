export const PLANS = ['free', 'pro', 'team'] as const
export type Plan = (typeof PLANS)[number]

/** The plan of the first account of a server. */
export const FIRST_PLAN: Plan = 'team'

const MB = 1024 * 1024
const GB = 1024 * MB
export const BODY_LIMIT_BYTES = 4 * MB

/** The most that a server can give a plan: what is larger was never tried. */
export const MAX_FILE_BYTES = 256 * MB
export const MAX_DECK_BYTES = 500 * MB
export const MAX_DECK_FILES = 5000
export const MAX_RESPONSES = 10_000
export const MAX_RESPONSE_BYTES = 250 * MB

/** `plan-limits.ts` describes them. */
export interface Limits {
  file_bytes: number
  deck_bytes: number
  deck_files: number
  deck_assets: number
  asset_bytes: number
  stored_bytes: number
  upload_bytes: number
  responses_per_page: number
  response_bytes_per_page: number
  link_controls: boolean
}

/** How many uploads of an account may wait for a page: as many as four decks have files. */
export function maxPendingUploads({ deck_files, deck_assets }: Limits): number {
  return 4 * (deck_files + deck_assets)
}

export interface PlanDetails {
  /** As people read it. */
  name: string
  /** As people read it, with its currency and period; null: none is shown. */
  price: string | null
  limits: Limits
}

export type Plans = Record<Plan, PlanDetails>

/** The plans of a server without `PLANS_FILE`. */
export const DEFAULT_PLANS: Plans = {
  free: {
    name: 'Free',
    price: null,
    limits: {
      file_bytes: 5 * MB,
      deck_bytes: 5 * MB,
      deck_files: 60,
      deck_assets: 150,
      asset_bytes: 5 * MB,
      stored_bytes: 500 * MB,
      upload_bytes: 50 * MB,
      responses_per_page: 100,
      response_bytes_per_page: 10 * MB,
      link_controls: false,
    },
  },
  pro: {
    name: 'Pro',
    price: null,
    limits: {
      file_bytes: 50 * MB,
      deck_bytes: 32 * MB,
      deck_files: 60,
      deck_assets: 150,
      asset_bytes: 5 * MB,
      stored_bytes: 20 * GB,
      upload_bytes: GB,
      responses_per_page: MAX_RESPONSES,
      response_bytes_per_page: MAX_RESPONSE_BYTES,
      link_controls: true,
    },
  },
  team: {
    name: 'Team',
    price: null,
    limits: {
      file_bytes: 100 * MB,
      deck_bytes: 32 * MB,
      deck_files: 60,
      deck_assets: 150,
      asset_bytes: 5 * MB,
      stored_bytes: 200 * GB,
      upload_bytes: 2 * GB,
      responses_per_page: MAX_RESPONSES,
      response_bytes_per_page: MAX_RESPONSE_BYTES,
      link_controls: true,
    },
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
