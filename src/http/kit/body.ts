import { type Refusal, refuse } from '../../model/errors.ts'
import { countNames, countNamesIn } from '../../model/json-text.ts'
import type { RawBody } from '../../model/operation.ts'
import { BODY_LIMIT_BYTES } from '../../model/plan.ts'
import { inTime, takeTurn } from '../../platform/promises.ts'
import { createSpool, PIECE_BYTES } from '../../platform/spool.ts'
import { createPlaces } from '../../platform/task-queue.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import { type BodyBudgets, type Sender, STREAM_BYTES } from './body-budget.ts'

/** A body over the limit. It is the one error that the API answers as plain text. */
export class BodyTooLarge extends Error {}

/** Checks `Content-Length`, before the body is read. @throws BodyTooLarge */
export function assertDeclaredLength(request: Request, limitBytes = BODY_LIMIT_BYTES): void {
  if ((declaredLength(request) ?? 0) > limitBytes) throw new BodyTooLarge()
}

/** Undefined also where it is no number. */
function declaredLength({ headers }: Request): number | undefined {
  const declared = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isNaN(declared) ? undefined : declared
}

/** Whether a refusal is about receiving the body, and not about its content. */
export function isOverload({ code }: Refusal): boolean {
  return code === 'server_busy' || code === 'body_timeout'
}

/** How long a sender may stall before the request ends. */
const STALL_MS = 10_000
/** A body up to this size is read in one piece, which costs less than reading it in chunks. */
const SMALL_BYTES = 16 * 1024
/** How many streams are read at once, not counting those of slow senders. */
const MAX_READING = 8
/** A sender is slow if the next piece of a stream takes longer than this. */
const SLOW_MS = 500
const FORM_BYTES = 64 * 1024
const FORM_FIELDS = 64
/** The JSON that is parsed in one turn of the event loop: some milliseconds. */
const TURN_BYTES = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface BodyReaderDeps {
  budgets: BodyBudgets
  temporaryFiles: TemporaryFiles
}

export interface ReadOptions {
  maxBytes: number
  sender: Sender
}

/** @param stallMs for tests */
export function createBodyReader(deps: BodyReaderDeps, stallMs = STALL_MS) {
  const places = createPlaces(MAX_READING)

  async function* piecesOf(request: Request): AsyncGenerator<Uint8Array> {
    assertNotEncoded(request)
    const { signal } = request
    if (request.body === null) return assertConnected(signal)
    const reader = request.body.getReader()
    try {
      for (;;) {
        const { done, value } = await inTime(reader.read(), stallMs, stalled)
        if (done) return await assertConnected(signal)
        yield value
      }
    } finally {
      // Ends a request that was not read completely.
      reader.cancel().catch(() => {})
    }
  }

  /**
   * The same for a body of any length, if `onEnd` still allows it. The runtime buffers what arrives
   * before it is read, so few are read at once. A slow sender does not count against that limit,
   * since nothing of it is buffered.
   */
  async function* piecesInTurn(request: Request, onEnd: () => Promise<unknown>) {
    deps.budgets.streams.reserve(request, 'key', STREAM_BYTES)
    const free = await places.take()
    let timer = setTimeout(free, SLOW_MS)
    try {
      for await (const piece of piecesOf(request)) {
        clearTimeout(timer)
        yield piece
        timer = setTimeout(free, SLOW_MS)
      }
      await onEnd()
    } finally {
      clearTimeout(timer)
      free()
    }
  }

  return {
    /**
     * Reads the body, within the budgets of its sender. A large body is in a file until all of it
     * has arrived.
     *
     * @throws BodyTooLarge, and Refusal `server_busy` or `body_timeout`, the latter also where the
     * client has left: nothing is done that nobody is told of
     */
    async read(request: Request, { maxBytes, sender }: ReadOptions): Promise<Uint8Array> {
      assertDeclaredLength(request, maxBytes)
      assertNotEncoded(request)
      const declared = declaredLength(request)
      if (declared !== undefined && declared <= SMALL_BYTES) {
        deps.budgets.arriving.reserve(request, sender, declared)
        const { signal } = request
        const bytes = await inTime(request.bytes(), stallMs, stalled)
        await assertConnected(signal)
        return bytes
      }
      const { arriving, files, whole } = deps.budgets
      const body = createSpool(deps.temporaryFiles)
      let [sizeBytes, fileBytes] = [0, 0]
      try {
        for await (const chunk of piecesOf(request)) {
          const before = Math.min(sizeBytes, PIECE_BYTES)
          sizeBytes += chunk.byteLength
          if (sizeBytes > maxBytes) throw new BodyTooLarge()
          arriving.reserve(request, sender, Math.min(sizeBytes, PIECE_BYTES) - before)
          // A declared length at once: of many concurrent bodies, some are then completed and the
          // others refused early, instead of all being refused half-way.
          const moreBytes = sizeBytes > PIECE_BYTES ? (declared ?? sizeBytes) - fileBytes : 0
          if (moreBytes > 0) files.reserve(request, sender, moreBytes)
          fileBytes += Math.max(0, moreBytes)
          await body.add(chunk)
        }
        if (fileBytes > 0) await whole.reserveInTurn(request, sender, sizeBytes)
        return await body.read()
      } finally {
        await body.close()
        files.release(request)
      }
    },
    /** Reads the body in chunks, without a limit and without storing them. @throws as `read` */
    chunks(request: Request, onEnd: () => Promise<unknown> = async () => {}): RawBody {
      return Object.assign(piecesInTurn(request, onEnd), { declaredBytes: declaredLength(request) })
    },
  }
}
export type BodyReader = ReturnType<typeof createBodyReader>

/**
 * Bun closes a connection on which a request arrives before the one under way is answered
 * (pipelining), and knows of it one turn after the body. @throws Refusal `body_timeout`
 */
async function assertConnected(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  if (signal.aborted) throw timedOut()
}

function stalled(): never {
  throw timedOut()
}

function timedOut() {
  return refuse.timedOut('body_timeout', 'The body stopped arriving. Send the request again.')
}

function assertNotEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding === null || encoding === 'identity') return
  throw refuse.unsupportedMedia('encoded_body', 'Send the body as it is, without Content-Encoding.')
}

/** Parses a JSON object. An empty body is `{}`. @throws Refusal */
export async function parseJson(
  request: Request,
  bytes: Uint8Array,
): Promise<Record<string, unknown>> {
  if (bytes.byteLength === 0) return {}
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(typeOf(request))) {
    throw refuse.unsupportedMedia(
      'not_json',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  await takeTurn(bytes.byteLength / TURN_BYTES)
  const value = jsonIn(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw refuse.invalid('malformed_json', 'The body must be a JSON object.')
}

/** @throws Refusal `invalid_parameter` where a body of `text/csv` is not UTF-8 */
export function csvIn(bytes: Uint8Array, param: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refuse.invalidParameter(param, 'Save the CSV as UTF-8.')
  }
}

export const isCsv = (request: Request): boolean => /^text\/csv\s*(?:;|$)/i.test(typeOf(request))

function typeOf({ headers }: Request): string {
  return (headers.get('content-type') ?? '').trim()
}

/** @throws Refusal `malformed_json` */
export function jsonIn(bytes: Uint8Array): unknown {
  const names = countNames(bytes)
  if (names === null) {
    throw refuse.invalid('malformed_json', 'The body has too many values, or too many levels.')
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw refuse.invalid('malformed_json', 'The body is not valid JSON in UTF-8.')
  }
  if (countNamesIn(value) === names) return value
  throw refuse.invalid('malformed_json', 'An object of the body has a name twice: leave one out.')
}

/** The fields of a form. A field that is not there is ''. */
export type Form = (name: string) => string

/**
 * Reads a form with limits on its size and its number of fields.
 *
 * @throws Refusal `too_large`, `unsupported_media` or `invalid`
 */
export async function readForm(request: Request, bodyReader: BodyReader): Promise<Form> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(typeOf(request))) {
    throw refuse.unsupportedMedia('not_a_form', 'Send a form: application/x-www-form-urlencoded.')
  }
  const options = { maxBytes: FORM_BYTES, sender: 'stranger' } as const
  const bytes = await bodyReader.read(request, options).catch((err) => {
    if (!(err instanceof BodyTooLarge)) throw err
    throw refuse.tooLarge('form_too_large', 'This is more than a form of this page can hold.')
  })
  const fields = parseForm(bytes)
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
  if (params.size > FORM_FIELDS) throw malformed()
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

function malformed() {
  return refuse.invalid('malformed_form', 'This is not a form that this page sends.')
}
