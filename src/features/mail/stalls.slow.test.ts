import { expect, it } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { smtpTransport } from '../../platform/mail/smtp.ts'
import { testApp } from '../../testing/app.ts'
import { composeMail, createOutbox } from './index.ts'

const CONTENT = { subject: 'Hello', paragraphs: ['One'], reason: 'A test.' }
const invitation = (to: string) => composeMail({ ...CONTENT, to })
const signIn = composeMail({ ...CONTENT, to: 'ann@example.org', code: '123456' })

/** @param answer whether a recipient is ever answered, after so many milliseconds */
async function mailServer(answer: (address: string) => { afterMs: number } | null) {
  const taken: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const result = answer(address)
      if (result !== null) setTimeout(done, result.afterMs)
    },
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        taken.push(envelope.rcptTo[0]!.address)
        done()
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  return { taken, url: `smtp://127.0.0.1:${port}`, close: () => smtp.close(() => {}) }
}

/** How long a sign-in mail takes that is put after `first`. */
async function signInMs(
  first: readonly string[],
  answer: (address: string) => { afterMs: number } | null,
): Promise<number> {
  await using app = await testApp('sqlite')
  const smtp = await mailServer(answer)
  const transport = smtpTransport(smtp.url, 'Handbill <handbill@example.com>')
  const { database, clock, log } = app
  const outbox = createOutbox({ database, clock, log, transport })
  await outbox.start()
  await database.write(async (tx) => {
    for (const to of first) await outbox.put(tx, invitation(to))
  })
  await Bun.sleep(300)
  const began = performance.now()
  await database.write((tx) => outbox.put(tx, signIn))
  while (!smtp.taken.includes(signIn.to) && performance.now() - began < 60_000) await Bun.sleep(20)
  const took = performance.now() - began
  await outbox.stop()
  smtp.close()
  return took
}

const numbered = (count: number, host: string) =>
  Array.from({ length: count }, (_, nth) => `p${nth}@${host}`)

it('a mail to sign in waits for seconds where the mail server is silent about others', async () => {
  const isSilent = (address: string) => address.endsWith('@silent.example')
  const took = await signInMs(numbered(12, 'silent.example'), (address) =>
    isSilent(address) ? null : { afterMs: 0 },
  )
  expect(took).toBeLessThan(20_000)
}, 240_000)

it('a mail to sign in goes before invitations that wait', async () => {
  const took = await signInMs(numbered(200, 'example.org'), () => ({ afterMs: 200 }))
  expect(took).toBeLessThan(4000)
}, 240_000)
