import type { z } from 'zod'

/**
 * Paths and queries are text; where the schema wants a number or a boolean, the text of one becomes
 * one. Anything else stays text, for the schema to refuse.
 */
export function fromText(
  schema: z.ZodObject,
  entries: Iterable<[string, string]>,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, text] of entries) values[name] = readAs(typeOf(schema.shape[name]), text)
  return { ...values }
}

function readAs(type: string | undefined, text: string): unknown {
  if (type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === '1')) return true
  if (type === 'boolean' && (text === 'false' || text === '0')) return false
  return text
}

function typeOf(schema: z.core.$ZodType | undefined): string | undefined {
  const definition = schema?._zod.def as { type: string; innerType?: z.core.$ZodType } | undefined
  return definition?.innerType === undefined ? definition?.type : typeOf(definition.innerType)
}
