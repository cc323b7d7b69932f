import { refused } from './refused.ts'

/** The data as JSON text; what JSON would lose without a word is refused. */
export function jsonOf(data: unknown): string {
  // Objects of other frames count too; lists, forms' data, maps and nothing at all do not.
  if (Object.prototype.toString.call(data) !== '[object Object]') throw invalid()
  try {
    return JSON.stringify(data, (_, value: unknown) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw invalid()
      return value
    })
  } catch {
    throw invalid()
  }
}

function invalid() {
  const message =
    'Service.submit takes a plain object of JSON values, as of Object.fromEntries(formData).'
  return refused('invalid_data', message)
}
