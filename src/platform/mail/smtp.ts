import { createTransport } from 'nodemailer'
import {
  addressIn,
  assertPlainAddress,
  type Message,
  messageIdOf,
  Rejected,
  type Transport,
} from './index.ts'

export const CONNECTIONS = 4
const SILENCE_MS = 20_000
/** Shorter than the outbox's lease: no mail is in two hands. */
const WHOLE_MS = 120_000

export interface SmtpPatience {
  /** For connecting, for the greeting, and for each silence after it. */
  silenceMs?: number
  /** For all of one mail: a server that says a little now and then is never silent. */
  wholeMs?: number
}

/**
 * @param url `smtp://user:password@host:587` or `smtps://…`
 * @param from `Handbill <handbill@example.com>`
 */
export function smtpTransport(url: string, from: string, patience: SmtpPatience = {}): Transport {
  const { silenceMs = SILENCE_MS, wholeMs = WHOLE_MS } = patience
  const connection = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // A connection that broke may have been behind the mail's last dot: when to try again, and that
    // it may come twice, is the outbox's to weigh.
    maxRequeues: 0,
    // Before the server closes it, in the middle of being handed the next mail.
    idleTimeout: 10_000,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    // What a mail is made of was written here: it names no files and no addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])

  return {
    async send({ id, to, subject, text, html, headers }: Message) {
      assertPlainAddress(to)
      const mail = {
        from,
        to: { name: '', address: to },
        // Said outright: nothing that a header could be read as decides who gets it.
        envelope: { from: addressIn(from), to: [to] },
        messageId: messageIdOf(id, from),
        subject,
        text,
        html,
        headers,
        signal: AbortSignal.timeout(wholeMs),
      }
      try {
        await connection.sendMail(mail)
      } catch (err) {
        if (isFinal(err as SmtpError)) throw new Rejected((err as Error).message)
        throw err
      }
    },
    async close() {
      const pool = connection.transporter as { close(options: { force: boolean }): void }
      pool.close({ force: true })
    },
  }
}

interface SmtpError {
  responseCode?: number
  command?: string
  response?: string
}

/**
 * A no to this address or to this mail is final. A no to us (wrong password, sender not allowed,
 * relaying denied, 5.7.x in the codes of RFC 3463) would refuse every mail, and its operator can
 * put it right.
 */
function isFinal({ responseCode = 0, command = '', response = '' }: SmtpError): boolean {
  const isAboutThis = command === 'RCPT TO' || command === 'DATA'
  return responseCode >= 500 && isAboutThis && !/^5\d\d[ -]5\.7\./.test(response)
}
