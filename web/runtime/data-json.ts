import { submitError } from './submit-error.ts'

/** The data as JSON text. Throws for what JSON would drop silently, such as functions. */
export function dataJson(data: unknown): string {
  // Accepts objects of other frames; refuses lists, FormData, maps, null and undefined.
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
  return submitError('invalid_data', message)
}
