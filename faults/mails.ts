import { SMTPServer } from 'smtp-server'

const WAIT_MS = 120_000
const POLL_MS = 50

/** A mail server that keeps what it gets in memory. */
export async function startMails() {
  const received: { to: string; text: string }[] = []
  let accepts = true
  let refused = 0
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect(_session, done) {
      if (accepts) return done()
      refused += 1
      done(Object.assign(new Error('Not now'), { responseCode: 421 }))
    },
    async onData(stream, { envelope }, done) {
      try {
        const bytes = await Array.fromAsync(stream as AsyncIterable<Buffer>)
        const text = Buffer.concat(bytes).toString()
        for (const { address } of envelope.rcptTo) received.push({ to: address, text })
        done()
      } catch {
        // The server was killed in the middle of a mail, and sends it again.
      }
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const to = (email: string) => received.filter((mail) => mail.to === email)
  const until = async (isThere: () => boolean) => {
    const end = Date.now() + WAIT_MS
    while (!isThere() && Date.now() < end) await Bun.sleep(POLL_MS)
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    countTo: (email: string) => to(email).length,
    /** How often a mail was refused. */
    refused: () => refused,
    /** Refuses all mails, or takes them again. */
    setAccepting(isAccepting: boolean): void {
      accepts = isAccepting
    },
    /** Waits until each address has a mail, two minutes at most. */
    wait: (emails: readonly string[]) => until(() => emails.every((email) => to(email).length > 0)),
    /** The link in the last mail to the address. */
    async linkTo(email: string): Promise<string> {
      await until(() => to(email).length > 0)
      const text = to(email).at(-1)?.text.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? ''
      const [link] = /http:\/\/\S+\/app\/confirm\/\S+/.exec(text) ?? []
      if (link === undefined) throw new Error(`${email} has no link: ${text.slice(0, 500)}`)
      return link
    },
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
export type Mails = Awaited<ReturnType<typeof startMails>>
