import { parseEmail } from '../../model/text.ts'

export interface Message {
  /** The id of the mail in the outbox, the same for every retry. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** Mails that are sent at once at the most, each over a connection of its own. */
export const MAX_SENDING = 20

/** Sends mail. */
export interface Transport {
  /**
   * Resolves once another server is responsible for the message, or a file holds it, with the
   * answer of that server or the path of that file.
   *
   * @throws Rejected when a retry cannot help; after any other error it can
   */
  send(message: Message): Promise<unknown>
  /** False if mails are not sent, so that the operator has to read them and pass them on. */
  readonly delivers?: boolean
  /** Sends that are under way fail. */
  close(): Promise<void>
}

/** The mail server refuses this recipient or this message for good. */
export class Rejected extends Error {}

/**
 * A message as nodemailer takes it. Its id is the same for every retry, so that mail programs
 * recognize a mail that arrives twice. An address that is not in canonical form is refused: mail
 * servers parse quotes, comments and lists differently, so a link could be delivered to somebody
 * else.
 *
 * @throws Rejected
 */
export function composed({ id, to, subject, text, html, headers }: Message, from: string) {
  if (parseEmail(to) !== to) throw new Rejected('This is not a plain email address')
  const address = addressIn(from)
  const messageId = `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`
  return { from, to: { name: '', address: to }, messageId, subject, text, html, headers }
}

/** The address in `Handbill <pages@example.com>`, or in `pages@example.com`. */
export function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}

/** What a transport is opened for. */
interface MailServer {
  smtpUrl: string | null
  mailFrom: string
}

/**
 * Sends each mail through the server that is chosen then. What an earlier one is sending goes on.
 */
export async function chosenTransport(
  current: () => MailServer,
  open: (server: MailServer) => Promise<Transport>,
): Promise<Transport> {
  const transports = new Map<string, Promise<Transport>>()

  function transport(): Promise<Transport> {
    const { smtpUrl, mailFrom } = current()
    const name = JSON.stringify([smtpUrl, mailFrom])
    return transports.getOrInsertComputed(name, () => {
      const opening = open({ smtpUrl, mailFrom })
      // The next mail tries again.
      opening.catch(() => transports.delete(name))
      return opening
    })
  }

  // A folder that cannot be made ends the start.
  await transport()
  return {
    get delivers() {
      return current().smtpUrl !== null
    },
    send: async (message) => (await transport()).send(message),
    async close() {
      for (const each of transports.values()) await (await each).close()
    },
  }
}
