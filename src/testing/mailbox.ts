import { composeMail, createOutbox, type PutOptions } from '../features/mail/index.ts'
import type { MailContent } from '../model/mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import type { Message, Transport } from '../platform/mail/index.ts'

export interface MailboxMachines {
  database: Database
  clock: Clock
  log: Log
}

/** Everybody's mail, by way of the real outbox: what was never committed never comes. */
export function createMailbox(deps: MailboxMachines) {
  const messages: Message[] = []
  const transport: Transport = {
    send: async (message) => void messages.push(message),
    close: async () => {},
  }
  const outbox = createOutbox({ ...deps, transport })

  return {
    put: (tx: Tx, words: MailContent, options?: PutOptions) =>
      outbox.put(tx, composeMail(words), options),
    /** Sends what is due by the test's clock. @returns how many came */
    delivered: () => outbox.flush(),
    /** What has come, in that order. */
    all: (): readonly Message[] => messages,
    lastTo(email: string): Message | undefined {
      return messages.findLast(({ to }) => to === email)
    },
  }
}
