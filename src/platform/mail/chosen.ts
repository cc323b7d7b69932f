import type { Transport } from './index.ts'

/** What a transport is opened for. */
interface MailServer {
  smtpUrl: string | null
  mailFrom: string
}

/**
 * Sends each mail through the server that is chosen then. What an earlier one is sending goes on.
 */
export async function chosenTransport(
  chosen: () => MailServer,
  open: (server: MailServer) => Promise<Transport>,
): Promise<Transport> {
  let current: (MailServer & { transport: Promise<Transport> }) | null = null
  const opened: Promise<Transport>[] = []

  function transport(): Promise<Transport> {
    const { smtpUrl, mailFrom } = chosen()
    const isSame = current?.smtpUrl === smtpUrl && current.mailFrom === mailFrom
    if (current === null || !isSame) {
      current = { smtpUrl, mailFrom, transport: open({ smtpUrl, mailFrom }) }
      opened.push(current.transport)
    }
    return current.transport
  }

  // A folder that cannot be made ends the start.
  await transport()
  return {
    get delivers() {
      return chosen().smtpUrl !== null
    },
    send: async (message) => (await transport()).send(message),
    async close() {
      for (const each of opened) await (await each).close()
    },
  }
}
