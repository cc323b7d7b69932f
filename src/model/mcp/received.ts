interface ReceivedFile {
  size_bytes: number
  sha256: string
}
/** The received content: one file, or the files of a deck and their total size. */
export type Received =
  | ReceivedFile
  | { size_bytes: number; files: ({ path: string } & ReceivedFile)[] }

const SINGLES = ['html', 'html_base64', 'file_base64'] as const

/**
 * Measures the content in the arguments of a call, so that the model can check that it was not cut
 * short. Undefined when the arguments contain no content or only refer to it.
 */
export async function receivedIn(input: Record<string, unknown>): Promise<Received | undefined> {
  for (const name of SINGLES) {
    const text = input[name]
    if (typeof text === 'string') return measure(name === 'html' ? utf8(text) : base64(text))
  }
  const deck = [
    ...filesIn(input.files, 'html', utf8),
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
