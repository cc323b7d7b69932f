import { refuse } from '../../model/errors.ts'
import { BodyTooLarge, readBody } from './body.ts'

const LIMIT_BYTES = 64 * 1024
const LIMIT_FIELDS = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What a form of ours sent: each name once, '' for a name that is not there. */
export type Form = (name: string) => string

/**
 * Reads a form, bounded and strictly.
 *
 * @throws Refusal `too_large`, `unsupported_media` or `invalid`
 */
export async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) {
    throw refuse.unsupportedMedia('not_a_form', 'Send the form as it is on the page.')
  }
  const fields = parseForm(await readBounded(request))
  return (name) => fields.get(name) ?? ''
}

/** `a=1&b=2`, percent-encoded UTF-8. @throws Refusal `invalid` */
export function parseForm(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>()
  const pairs = decoded(() => utf8.decode(bytes)).split('&')
  if (pairs.length > LIMIT_FIELDS) throw malformed()
  for (const pair of pairs) {
    if (pair === '') continue
    const [name = '', value = ''] = split(pair).map((part) =>
      decoded(() => decodeURIComponent(part.replaceAll('+', ' '))),
    )
    // Two values for one name: what one reader checked, another might not use.
    if (name === '' || fields.has(name) || value.includes('\0')) throw malformed()
    fields.set(name, value)
  }
  return fields
}

async function readBounded(request: Request): Promise<Uint8Array> {
  try {
    return await readBody(request, LIMIT_BYTES)
  } catch (err) {
    throw err instanceof BodyTooLarge ? tooLarge() : err
  }
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw malformed()
  }
}

function tooLarge() {
  return refuse.tooLarge('form_too_large', 'This is more than a form of this page can hold.')
}
function malformed() {
  return refuse.invalid('malformed_form', 'This is not a form that this page sends.')
}
