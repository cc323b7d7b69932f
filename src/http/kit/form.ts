import { refuse } from '../../model/errors.ts'
import { type BodyReader, BodyTooLarge } from './body.ts'

const LIMIT_BYTES = 64 * 1024
const LIMIT_FIELDS = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The fields of a form. A field that is not there is ''. */
export type Form = (name: string) => string

/**
 * Reads a form with limits on its size and its number of fields.
 *
 * @throws Refusal `too_large`, `unsupported_media` or `invalid`
 */
export async function readForm(request: Request, bodyReader: BodyReader): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) {
    throw refuse.unsupportedMedia('not_a_form', 'Send the form as it is on the page.')
  }
  const fields = parseForm(await readBounded(request, bodyReader))
  return (name) => fields.get(name) ?? ''
}

/**
 * Parses `a=1&b=2`. `URLSearchParams` accepts invalid encodings and repeated names; here both are
 * refused, because two readers of such a form could see different values.
 *
 * @throws Refusal `invalid`
 */
export function parseForm(bytes: Uint8Array): Map<string, string> {
  const params = new URLSearchParams(decodeStrictly(bytes))
  if (params.size > LIMIT_FIELDS) throw malformed()
  const fields = new Map<string, string>()
  for (const [name, value] of params) {
    if (name === '' || fields.has(name) || value.includes('\0')) throw malformed()
    fields.set(name, value)
  }
  return fields
}

/** Decodes UTF-8, and checks that the percent-encoding is valid UTF-8, too. */
function decodeStrictly(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    decodeURIComponent(text)
    return text
  } catch {
    throw malformed()
  }
}

async function readBounded(request: Request, bodyReader: BodyReader): Promise<Uint8Array> {
  try {
    return await bodyReader.read(request, { maxBytes: LIMIT_BYTES, sender: 'stranger' })
  } catch (err) {
    throw err instanceof BodyTooLarge ? tooLarge() : err
  }
}

function tooLarge() {
  return refuse.tooLarge('form_too_large', 'This is more than a form of this page can hold.')
}
function malformed() {
  return refuse.invalid('malformed_form', 'This is not a form that this page sends.')
}
