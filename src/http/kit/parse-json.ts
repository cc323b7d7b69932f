import { refuse } from '../../model/errors.ts'
import type { Threads } from '../../platform/threads.ts'
import { movable, takeTurn } from '../../platform/turns.ts'
import { JSON_TASKS } from './json-tasks.ts'

/** A larger body is parsed in a thread. */
const DIRECT_BYTES = 128 * 1024
/** A smaller one does not delay other requests noticeably. */
const SMALL_BYTES = 16 * 1024

/** Parses a JSON object. An empty body is `{}`. It may empty the bytes. @throws Refusal */
export type ParseJson = (request: Request, bytes: Uint8Array) => Promise<Record<string, unknown>>

export function createParseJson(threads: Pick<Threads, 'run'>): ParseJson {
  async function parse(bytes: Uint8Array): Promise<unknown> {
    if (bytes.byteLength <= SMALL_BYTES) return JSON_TASKS.parseJson({ bytes })
    if (bytes.byteLength > DIRECT_BYTES) {
      return threads.run('parseJson', async () => {
        const moved = await movable(bytes)
        return { input: { bytes: moved }, transfer: [moved.buffer] }
      })
    }
    await takeTurn(bytes.byteLength / DIRECT_BYTES)
    return JSON_TASKS.parseJson({ bytes })
  }

  return async (request, bytes) => {
    if (bytes.byteLength === 0) return {}
    const type = request.headers.get('content-type') ?? ''
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())) {
      throw refuse.unsupportedMedia(
        'not_json',
        'Send the body as JSON, with the header Content-Type: application/json.',
      )
    }
    const value = await parse(bytes)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    throw refuse.invalid('malformed_json', 'The body must be a JSON object.')
  }
}
