import { z } from 'zod'

const ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@([a-z0-9.-]{1,253})$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Control characters, and halves of surrogate pairs that no UTF-8 can hold. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
}

/** One line a person reads: NFC, trimmed, without control characters. */
export function line(max: number) {
  return z
    .string()
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text.length >= 1 && [...text].length <= max, {
      error: `must be 1 to ${max} characters`,
    })
    .refine(isCleanText, { error: 'must not contain control characters' })
}

/** The one spelling of an address, or null: no quotes or comments that mailers disagree on. */
export function parseEmail(text: string): string | null {
  const [local, domain, ...more] = text.normalize('NFC').trim().split('@')
  if (!local || !domain || more.length > 0) return null
  const ascii = asciiDomain(domain)
  if (ascii === null) return null
  const address = `${local.toLowerCase()}@${ascii}`
  return ADDRESS.test(address) && !/^\.|\.\.|\.@/.test(address) ? address : null
}

/** A domain of at least two labels in ASCII (IDNA) and lower case, or null. */
export function asciiDomain(text: string): string | null {
  const name = text.trim()
  if (/[\s/\\:?#@[\]<>^|%*]/.test(name) || name.length > 253 || !URL.canParse(`http://${name}`)) {
    return null
  }
  const { hostname } = new URL(`http://${name}`)
  const labels = hostname.split('.')
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '')
  return labels.length >= 2 && !isAddress && labels.every((l) => LABEL.test(l)) ? hostname : null
}

export const email = parsedBy(parseEmail, 'must be an email address')
export const domain = parsedBy(
  (text) => asciiDomain(text.replace(/^@/, '')),
  'must be a domain such as example.com',
)

/** Up to `max` of them, each once, in the order given. */
export function distinct<T extends z.ZodType<string>>(item: T, max: number) {
  return z
    .array(item)
    .max(max, { error: `must hold at most ${max}` })
    .transform((items) => [...new Set(items)])
}

export function parsedBy(parse: (text: string) => string | null, error: string) {
  return z.string().transform((text, context) => {
    const parsed = parse(text)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}
