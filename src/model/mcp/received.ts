export interface Arrived {
  size_bytes: number
  sha256: string
}
/** Of a deck each file is told, and the size of all. */
export type Received = Arrived | { size_bytes: number; files: ({ path: string } & Arrived)[] }

const SINGLES = ['html', 'html_base64', 'file_base64'] as const

/**
 * What arrived in the arguments of a call that was accepted, so that whoever sent it sees whether
 * it arrived whole. Undefined where content came by reference, or none did.
 */
export async function receivedIn(input: Record<string, unknown>): Promise<Received | undefined> {
  for (const name of SINGLES) {
    const text = input[name]
    if (typeof text === 'string') return arrived(name === 'html' ? utf8(text) : base64(text))
  }
  const deck = [
    ...filesIn(input.files, 'html', utf8),
    ...filesIn(input.assets, 'data_base64', base64),
  ]
  if (deck.length === 0) return undefined
  const files = await Promise.all(
    deck.map(async ({ path, bytes }) => ({ path, ...(await arrived(bytes)) })),
  )
  return { size_bytes: files.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0), files }
}

type Bytes = Uint8Array<ArrayBuffer>

function filesIn(given: unknown, member: string, decode: (text: string) => Bytes) {
  return ((given ?? []) as Record<string, unknown>[]).flatMap((file) => {
    const text = file[member]
    return typeof text === 'string' ? [{ path: String(file.path), bytes: decode(text) }] : []
  })
}

async function arrived(bytes: Bytes): Promise<Arrived> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { size_bytes: bytes.byteLength, sha256 }
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Standard base64, whose lines may be broken and whose padding may be missing. */
function base64(text: string): Bytes {
  return Uint8Array.from(atob(text.replace(/[ \t\r\n]+/g, '')), (char) => char.charCodeAt(0))
}
