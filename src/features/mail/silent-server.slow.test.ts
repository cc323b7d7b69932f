import { expect, it } from 'bun:test'
import { MAX_SENDING, type Transport } from '../../platform/mail/index.ts'
import { testApp } from '../../testing/app.ts'
import { composeMail, createOutbox } from './index.ts'

const CONTENT = { to: 'ann@example.org', paragraphs: ['One'], reason: 'A test.' }
const invitation = composeMail({ ...CONTENT, subject: 'Invitation' })
const signIn = composeMail({ ...CONTENT, subject: 'Sign in', code: '123456' })

it('sends a code at once while the mail server is silent about many other mails', async () => {
  await using app = await testApp('sqlite')
  const silence = Promise.withResolvers<void>()
  const isSent = Promise.withResolvers<void>()
  let count = 0
  const transport: Transport = {
    async send({ subject }) {
      count += 1
      if (subject === signIn.subject) return isSent.resolve()
      await silence.promise
    },
    close: async () => silence.resolve(),
  }
  const outbox = createOutbox({ ...app, transport, leaseMs: 1200 })
  await outbox.start()
  await app.database.write(async (tx) => {
    for (let nth = 0; nth < 2 * MAX_SENDING; nth++) await outbox.put(tx, invitation)
  })
  // More are taken as long as there is a place for them.
  for (let before = -1; before < count; await Bun.sleep(500)) before = count
  await app.database.write((tx) => outbox.put(tx, signIn))
  await isSent.promise
  expect(count).toBeLessThanOrEqual(MAX_SENDING)
  silence.resolve()
  await outbox.stop()
}, 240_000)
