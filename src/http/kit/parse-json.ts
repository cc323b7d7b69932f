import { refuse } from '../../model/errors.ts'
import { isModestJson } from '../../platform/json-limits.ts'
import { takeTurn } from '../../platform/turns.ts'

/** What is parsed in one turn of the event loop: some milliseconds. */
const TURN_BYTES = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON object. An empty body is `{}`. @throws Refusal */
export async function parseJson(
  request: Request,
  bytes: Uint8Array,
): Promise<Record<string, unknown>> {
  if (bytes.byteLength === 0) return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())) {
    throw refuse.unsupportedMedia(
      'not_json',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  await takeTurn(bytes.byteLength / TURN_BYTES)
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw refuse.invalid('malformed_json', 'The body must be a JSON object.')
}

function parse(bytes: Uint8Array): unknown {
  if (!isModestJson(bytes)) {
    throw refuse.invalid('malformed_json', 'The body has too many values, or too many levels.')
  }
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw refuse.invalid('malformed_json', 'The body is not valid JSON in UTF-8.')
  }
}
