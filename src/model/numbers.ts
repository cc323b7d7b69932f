const NUMBER = new Intl.NumberFormat('en')

/** `1,204`. */
export function formatNumber(value: number): string {
  return NUMBER.format(value)
}

/** `1 view`, `1,204 views`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`
}
