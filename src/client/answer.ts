import { answerTooLarge, notHandbill } from './error.ts'

const MB = 1024 * 1024
/** A limit above the size of every error of Handbill. */
const ERROR_BYTES = MB
/** A limit above the size of every other answer of Handbill. */
const JSON_BYTES = 64 * MB
/** The same for answers with a page's content or its responses. */
const CONTENT_BYTES = 512 * MB
const CONTENT_OPERATIONS = ['readHtml', 'editHtml', 'getVersion', 'listResponses']
/** For a file, which is streamed. */
const FILE_BYTES = 2048 * MB

/**
 * Parses JSON; a CSV or another file stays a response, so that its body can be streamed. Neither is
 * read beyond its limit, whatever the server sends.
 */
export async function readAnswer(
  response: Response,
  { name, baseUrl, isFile }: { name: string; baseUrl: string; isFile: boolean },
): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (isFile || type.startsWith('text/csv')) {
    const body = response.body?.pipeThrough(byteLimit(FILE_BYTES, baseUrl))
    return new Response(body, response)
  }
  if (!type.startsWith('application/json')) throw notHandbill(response.status, baseUrl)
  const limit = CONTENT_OPERATIONS.includes(name) ? CONTENT_BYTES : JSON_BYTES
  return new Response(response.body?.pipeThrough(byteLimit(limit, baseUrl))).json()
}

/** The body of an error; an empty text where it is too large or broken off. */
export async function readErrorText(response: Response, baseUrl: string): Promise<string> {
  const limited = response.body?.pipeThrough(byteLimit(ERROR_BYTES, baseUrl))
  return new Response(limited).text().catch(() => '')
}

function byteLimit(limit: number, baseUrl: string) {
  let bytes = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > limit) controller.error(answerTooLarge(baseUrl, limit))
      else controller.enqueue(chunk)
    },
  })
}
