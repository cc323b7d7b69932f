import { createTransport } from 'nodemailer'
import { type Message, Rejected, type Transport } from './index.ts'

const TIMEOUT_MS = 20_000

/**
 * @param url `smtp://user:password@host:587` or `smtps://…`
 * @param from `Handbill <handbill@example.com>`
 * @param timeout_ms for connecting, for the greeting, and for each silence after it
 */
export function smtpTransport(url: string, from: string, timeout_ms = TIMEOUT_MS): Transport {
  const { host } = new URL(url)
  const connection = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    // What a mail is made of was written here: it names no files and no addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])

  return {
    async send({ id, to, subject, text, html, headers }: Message) {
      try {
        await connection.sendMail({
          from,
          to: { name: '', address: to },
          // Said outright: nothing that a header could be read as decides who gets it.
          envelope: { from: addressIn(from), to: [to] },
          messageId: `<${id}@${host.replace(/:\d+$/, '')}>`,
          subject,
          text,
          html,
          headers,
        })
      } catch (err) {
        const { responseCode, message } = err as { responseCode?: number; message: string }
        if (responseCode !== undefined && responseCode >= 500) throw new Rejected(message)
        throw err
      }
    },
    async close() {
      connection.close()
    },
  }
}

function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}
