/** The colours of each accent: on light paper, and on dark. */
export const ACCENT_COLOURS = {
  slate: ['#475063', '#aeb8cb'],
  red: ['#b3261e', '#f58e85'],
  orange: ['#a8480a', '#f2995c'],
  amber: ['#86590a', '#e5b450'],
  green: ['#2b6e3f', '#7cc791'],
  teal: ['#0b6b6b', '#5fc4c0'],
  blue: ['#1f5fbf', '#8ab4f5'],
  indigo: ['#4348b8', '#a7a9f5'],
  violet: ['#7038ad', '#c49bf0'],
  pink: ['#ad2a69', '#f08fbb'],
} as const
export type Accent = keyof typeof ACCENT_COLOURS
export const ACCENTS = Object.keys(ACCENT_COLOURS) as [Accent, ...Accent[]]
export const DEFAULT_ACCENT: Accent = 'blue'

/**
 * The accent that was chosen for a page. Its default is none: the owner's shows there, or the
 * server's.
 */
export function chosenAccent({ accent }: { accent: Accent }): Accent | null {
  return accent === DEFAULT_ACCENT ? null : accent
}
