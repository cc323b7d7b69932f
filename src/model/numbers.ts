const NUMBER = new Intl.NumberFormat('en')

/** `1,204`. */
export function formatNumber(value: number): string {
  return NUMBER.format(value)
}

/** `1 view`, `1,204 views`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** `12.4 MB`, by 1,024. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : Number(value.toFixed(1))} ${UNITS[unit]}`
}
