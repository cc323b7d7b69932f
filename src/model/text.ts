import { z } from 'zod'
import { asciiDomain, parseEmail } from './email.ts'

export { parseEmail } from './email.ts'

/** Whether the text has no control characters and no lone surrogates, which UTF-8 cannot encode. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
}

/** A schema for one line of text: normalized (NFC), trimmed, without control characters. */
export function line(max: number) {
  return z
    .string()
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text.length >= 1 && [...text].length <= max, {
      error: `must be 1 to ${max} characters`,
    })
    .refine(isCleanText, { error: 'must not contain control characters' })
}

/** The same for text that may be typed on several lines: each line break or tab becomes a space. */
export function joinedLine(max: number) {
  return z
    .string()
    .transform((text) => text.replace(/[\t\r\n\u2028\u2029]+/g, ' '))
    .pipe(line(max))
}

export const email = parsedBy(parseEmail, 'must be an email address', { format: 'email' })
export const domain = parsedBy(
  (text) => asciiDomain(text.replace(/^@/, '')),
  'must be a domain such as example.com',
)

/**
 * A schema for at most `max` items. Removes duplicates and preserves the order. They count before
 * that: a longer list is refused before its items are read.
 */
export function distinct<T extends z.ZodType<string>>(item: T, max: number) {
  return z
    .array(item)
    .max(max, { error: `must have at most ${max}` })
    .transform((items) => [...new Set(items)])
}

/** @param form what the JSON schema says of the text besides */
export function parsedBy(
  parse: (text: string) => string | null,
  error: string,
  form: { format?: string; pattern?: string } = {},
) {
  return z
    .string()
    .meta(form)
    .transform((text, context) => {
      const value = parse(text)
      if (value !== null) return value
      context.addIssue({ code: 'custom', message: error })
      return z.NEVER
    })
}
