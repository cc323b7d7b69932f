/** The median, minimum and maximum of several measurements. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The ratio of ours to the peer, round by round: a short slowdown of the host affects both. */
export function ratioOf(ours: number[], peer: number[]): Spread {
  return spreadOf(ours.map((value, round) => value / peer[round]!))
}

/** The value that the given share of the values (0 to 1) does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

type Format = (value: number) => string

export const perSecond: Format = (value) => `${Math.round(value).toLocaleString('en')}/s`
export const times: Format = (value) => `${value.toFixed(2)}x`
export const inMs: Format = (value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const inMB: Format = (value) => `${Math.round(value)} MB`
export const inMBs: Format = (value) => `${Math.round(value).toLocaleString('en')} MB/s`

/** `51,200/s (49,000/s to 52,100/s)` */
export function shown({ median, min, max }: Spread, format: Format): string {
  return `${format(median)} (${format(min)} to ${format(max)})`
}
