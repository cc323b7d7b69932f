import type { z } from 'zod'

/**
 * Parses the members of a path or a query, which are text. Where the schema has a number or a
 * boolean, its text is parsed. Other text stays as it is, and the schema refuses it.
 */
export function parseTextMembers(
  schema: z.ZodObject,
  entries: Iterable<[string, string]>,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, text] of entries) values[name] = parseText(typeOf(schema.shape[name]), text)
  return { ...values }
}

function parseText(type: string | undefined, text: string): unknown {
  if (type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === '1')) return true
  if (type === 'boolean' && (text === 'false' || text === '0')) return false
  return text
}

function typeOf(schema: z.core.$ZodType | undefined): string | undefined {
  const definition = schema?._zod.def as { type: string; innerType?: z.core.$ZodType } | undefined
  return definition?.innerType === undefined ? definition?.type : typeOf(definition.innerType)
}
