import type { Accent } from './accent.ts'
import { shortLine } from './plain-text.ts'

/** How owners present themselves to visitors: never by their address. */
export interface Brand {
  name: string | null
  /** Null: that of the server. */
  accent: Accent | null
  /** The path of a picture; null: none. */
  logo: string | null
}

export const NO_BRAND: Brand = { name: null, accent: null, logo: null }

/** Above it are the addresses of logos: one file each, which anybody may load. */
export const LOGO_PATH = '/~/logos/'

export const MAX_LOGO_BYTES = 128 * 1024
const MAX_SHOWN = 60

/** Who shared a page, in words for visitors; null where the owner set no name. */
export function sharedBy({ name }: Pick<Brand, 'name'>): string | null {
  const line = shownName(name)
  return line && `${line} shared this with you`
}

/** The name on one line that fits a heading. */
export function shownName(name: string | null): string | null {
  return shortLine(name ?? '', MAX_SHOWN) || null
}
