import { z } from 'zod'

const MAX_LENGTH = 8000
const MAX_FIELDS = 20

const value = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const values = z.union([value.transform((text) => [text]), z.array(value).max(MAX_FIELDS)])

/** The values that fields must have: a JSON object in the query. Parsed to texts, by field. */
export const where = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== null) return parsed
    const message = `must be a JSON object of up to ${MAX_FIELDS} fields, such as {"colour":"red"}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

function parse(text: string): ReadonlyMap<string, readonly string[]> | null {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  // A field may have any name, `__proto__` too: a schema for objects would drop that one.
  const fields = Object.entries(given).map(([key, wanted]) => [key, values.safeParse(wanted).data])
  if (fields.length > MAX_FIELDS || fields.some(([, wanted]) => wanted === undefined)) return null
  return new Map(fields as [string, string[]][])
}
