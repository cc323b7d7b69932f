/** Reads the mails of a server without SMTP, which are files in its outbox folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownServer } from '../server.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Unfolded header lines, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** The plain-text part. */
  readonly text: string
  /** Every URL in the text, in order. */
  readonly links: readonly string[]
  readonly code: string | undefined
}

const WAIT_MS = 60_000

export type Outbox = ReturnType<typeof outboxOf>

export function outboxOf(dataDir: string) {
  const folder = join(dataDir, 'outbox')
  const earlier = new Map<string, Mail>()

  /** Oldest first: the file names sort by time. */
  function mails(): Mail[] {
    for (const file of readdirSync(folder)) {
      if (!file.endsWith('.eml') || earlier.has(file)) continue
      earlier.set(file, parseMail(readFileSync(join(folder, file), 'utf8')))
    }
    return [...earlier].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mail]) => mail)
  }

  const sentTo = (email: string) => mails().filter(({ to }) => to === email)

  return {
    sentTo,
    /** All mails to the address, once there are exactly this many. */
    async all(email: string, count: number): Promise<Mail[]> {
      const deadline = Date.now() + WAIT_MS
      while (sentTo(email).length < count && Date.now() < deadline) await Bun.sleep(10)
      const sent = sentTo(email)
      if (sent.length === count) return sent
      const subjects = sent.map(({ subject }) => subject).join(', ')
      throw new Error(`${email} has ${sent.length} mails and not ${count}: ${subjects}`)
    },
    /** The newest mail to the address, or of those that are meant, once there are this many. */
    async last(email: string, count = 1, isMeant = (_: Mail) => true): Promise<Mail> {
      const deadline = Date.now() + WAIT_MS
      const meant = () => sentTo(email).filter(isMeant)
      while (meant().length < count && Date.now() < deadline) await Bun.sleep(10)
      const sent = meant()
      if (sent.length < count) throw new Error(`${email} has ${sent.length} mails, not ${count}`)
      return sent.at(-1)!
    },
  }
}

let shared: Outbox | undefined
/** The outbox of the server that the tests share. It has thousands of mails: each is read once. */
export function sharedOutbox(): Outbox {
  shared ??= outboxOf(ownServer().dataDir)
  return shared
}

function parseMail(source: string): Mail {
  const { headers, body } = partOf(source)
  const text = textOf(headers, body)
  return {
    to: (headers.get('to') ?? '').replace(/^.*<|>.*$/g, ''),
    subject: decodeEncodedWords(headers.get('subject') ?? ''),
    headers,
    text,
    links: text.match(/https?:\/\/\S+/g) ?? [],
    code: /code[^:\n]*: (\d{6})\b/.exec(text)?.[1],
  }
}

function partOf(source: string) {
  const at = source.indexOf('\r\n\r\n')
  const head = source.slice(0, at).replace(/\r\n[ \t]+/g, ' ')
  const lines = head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { headers: new Map(lines), body: source.slice(at + 4) }
}

function textOf(headers: Map<string, string>, body: string): string {
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary !== undefined) {
    for (const piece of body.split(`--${boundary}`).slice(1, -1)) {
      const part = partOf(piece.replace(/^\r\n/, ''))
      const text = textOf(part.headers, part.body)
      if (text !== '') return text
    }
    return ''
  }
  if (!type.startsWith('text/plain')) return ''
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replace(/=\r\n/g, '')) : body
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

/** RFC 2047: `=?UTF-8?Q?…?=`. Adjacent encoded words are one text. */
function decodeEncodedWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeQuotedPrintable(text.replaceAll('_', ' ')),
    )
}
