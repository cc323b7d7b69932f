import { refuse } from '../errors.ts'
import { type Contract, changesPage } from '../operation.ts'
import { type PageName, parsePageName } from '../page-name.ts'

type Values = Record<string, unknown>

/**
 * Splits the arguments of a tool into the page, `if_match` and the input of the operation.
 *
 * @throws Refusal `invalid_parameter`
 */
export function splitArguments({ contract, defaults }: CalledTool, values: Values): Split {
  const args = { ...defaults, ...values }
  if (contract.audience !== 'owner') return { page: null, ifMatch: null, input: args }
  const { page_id, ...rest } = args
  if (typeof page_id !== 'string') {
    throw invalid('page_id', 'name the page by its id, its slug or its public URL.')
  }
  const page = parsePageName(page_id)
  if (!changesPage(contract)) return { page, ifMatch: null, input: rest }
  const { if_match: ifMatch = null, ...input } = rest
  if (ifMatch === null || typeof ifMatch === 'string') return { page, ifMatch, input }
  throw invalid('if_match', 'must be the etag of an earlier result.')
}
interface CalledTool {
  contract: Contract
  /** What a call takes for members that it leaves out. */
  defaults: Readonly<Record<string, unknown>>
}
interface Split {
  page: PageName | null
  ifMatch: string | null
  input: Values
}

function invalid(param: string, problem: string) {
  return refuse.invalidParameter(param, `${param}: ${problem}`)
}

/** An etag in the form of HTTP. Models often forget its quotes, or escape them twice. */
export function quoted(etag: string): string {
  return `"${unquoted(etag.trim())}"`
}
export function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}

interface ReceivedFile {
  size_bytes: number
  sha256: string
}
/** The received content: one file, or the files of a deck and their total size. */
export type Received =
  | ReceivedFile
  | { size_bytes: number; files: ({ path: string } & ReceivedFile)[] }

const SINGLES = ['html', 'markdown', 'html_base64', 'file_base64']

/**
 * Measures the content in the arguments of a call, so that the model can check that it was not cut
 * short. Undefined when the arguments contain no content or only refer to it.
 */
export async function receivedIn(input: Record<string, unknown>): Promise<Received | undefined> {
  for (const name of SINGLES) {
    const text = input[name]
    if (typeof text !== 'string') continue
    return measure(name.endsWith('_base64') ? base64(text) : utf8(text))
  }
  const deck = [
    ...filesIn(input.files, 'html', utf8),
    ...filesIn(input.files, 'markdown', utf8),
    ...filesIn(input.assets, 'data_base64', base64),
  ]
  if (deck.length === 0) return undefined
  const files = await Promise.all(
    deck.map(async ({ path, bytes }) => ({ path, ...(await measure(bytes)) })),
  )
  return { size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0), files }
}

type Bytes = Uint8Array<ArrayBuffer>

function filesIn(files: unknown, member: string, decode: (text: string) => Bytes) {
  return ((files ?? []) as Record<string, unknown>[]).flatMap((file) => {
    const text = file[member]
    return typeof text === 'string' ? [{ path: String(file.path), bytes: decode(text) }] : []
  })
}

async function measure(bytes: Bytes): Promise<ReceivedFile> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { size_bytes: bytes.byteLength, sha256 }
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Decodes standard base64, also with line breaks or without padding. */
function base64(text: string): Bytes {
  return Uint8Array.from(atob(text.replace(/[ \t\r\n]+/g, '')), (char) => char.charCodeAt(0))
}
