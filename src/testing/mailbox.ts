import { recordBounce } from '../features/links/index.ts'
import { composeMail, createOutbox, type OutboxDeps } from '../features/mail/index.ts'
import type { MailContent, MailOptions } from '../model/mail.ts'
import type { Site } from '../model/site.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import { type Message, Rejected, type Transport } from '../platform/mail/index.ts'

export interface MailboxDeps extends Pick<OutboxDeps, 'reachOf'> {
  database: Database
  clock: Clock
  log: Log
  site(): Site
}

/** A transport that collects mails sent by the real outbox, so only those of committed rows. */
export function createMailbox(deps: MailboxDeps) {
  const messages: Message[] = []
  const refused = new Set<string>()
  const transport: Transport = {
    async send(message) {
      if (refused.has(message.to)) throw new Rejected('550 no such user')
      messages.push(message)
    },
    close: async () => {},
  }
  const outbox = createOutbox({ ...deps, transport, recordBounce })

  return {
    put: (tx: Tx, content: MailContent, options?: MailOptions) =>
      outbox.put(tx, composeMail(content, deps.site()), options),
    /** Sends what is due by the test's clock. @returns how many mails were sent */
    delivered: () => outbox.flush(),
    /** Addresses whose mails the mail server refuses. */
    refused,
    /** All mails sent, in order. */
    all: (): readonly Message[] => messages,
    lastTo(email: string): Message | undefined {
      return messages.findLast(({ to }) => to === email)
    },
  }
}
