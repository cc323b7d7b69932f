import { randomUUID } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { addressIn, composed, MAX_SENDING, Rejected, type Transport } from './index.ts'

const SILENCE_MS = 20_000
/**
 * Servers answer a mail once they have scanned it, in up to five minutes. One that is given up
 * earlier may have taken it, and would get it again with each retry.
 */
const TOTAL_MS = 5 * 60_000

interface SmtpTimeouts {
  /** For connecting, and for the greeting. */
  silenceMs?: number
  /** For one mail altogether. */
  totalMs?: number
}

/**
 * @param url `smtp://user:password@host:587` or `smtps://…`
 * @param from `Handbill <handbill@example.com>`
 */
export function smtpTransport(url: string, from: string, timeouts: SmtpTimeouts = {}): Transport {
  const { silenceMs = SILENCE_MS, totalMs = TOTAL_MS } = timeouts
  const connection = createTransport({
    url,
    pool: true,
    maxConnections: MAX_SENDING,
    // The server may have accepted the mail before the connection broke, so a retry may deliver it
    // twice. The outbox decides about retries.
    maxRequeues: 0,
    // Shorter than the timeout of servers, which would close it while the next mail is sent.
    idleTimeout: 10_000,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    // Mails are complete: nodemailer has no file and no URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])

  return {
    async send(message) {
      const { to } = message
      const mail = {
        ...composed(message, from),
        // Explicit, so that no header decides who gets the mail.
        envelope: { from: addressIn(from), to: [to] },
        signal: AbortSignal.timeout(totalMs),
      }
      try {
        const { response } = (await connection.sendMail(mail)) as { response?: string }
        return response ?? ''
      } catch (err) {
        throw isFinal(err as SmtpError) ? new Rejected(reasonOf(err as Error, to)) : err
      }
    },
    async close() {
      const pool = connection.transporter as { close(options: { force: boolean }): void }
      pool.close({ force: true })
    },
  }
}

/** Servers without SMTPUTF8 refuse a recipient whose local part is not ASCII. */
function reasonOf({ message }: Error, to: string): string {
  const isAscii = /^[\x20-\x7e]*$/.test(to)
  return isAscii ? message : `The mail server takes no international addresses: ${message}`
}

interface SmtpError {
  responseCode?: number
  command?: string
  response?: string
}

/**
 * Whether the server refuses this recipient or this message. A refusal of this service (wrong
 * password, sender not allowed, relaying denied: 5.7.x in RFC 3463) concerns every mail, and the
 * operator can correct it, so retries make sense.
 */
function isFinal({ responseCode = 0, command = '', response = '' }: SmtpError): boolean {
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return responseCode >= 500 && isAboutMail && !/^5\d\d[ -]5\.7\./.test(response)
}

const TRY_TIMEOUTS = { silenceMs: 10_000, totalMs: 30_000 }
/** Of what a mail server answers. */
const MAX_ANSWER_LENGTH = 500

/**
 * Sends one mail through a mail server.
 *
 * @returns as `answer` the words of the server, or what went wrong before it had any
 */
export async function tryMailServer(
  { smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string },
  { to, baseUrl, name }: { to: string; baseUrl: string; name: string },
) {
  const transport = smtpTransport(smtpUrl, mailFrom, TRY_TIMEOUTS)
  const text = `This is a test of ${baseUrl}. Its mails reach you.`
  const message = {
    id: `test-${randomUUID()}`,
    to,
    subject: `${name} can send mails`,
    text,
    html: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
  const result = (is_taken: boolean, answer: string) => {
    return { is_taken, answer: answer.replace(/[^\P{C}\n]/gu, ' ').slice(0, MAX_ANSWER_LENGTH) }
  }
  try {
    return result(true, String(await transport.send(message)))
  } catch (err) {
    return result(false, (err as Error).message)
  } finally {
    await transport.close()
  }
}
