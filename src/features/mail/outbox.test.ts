import { describe, expect, it } from 'bun:test'
import { type Message, Rejected, type Transport } from '../../platform/mail/index.ts'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { composeMail, createOutbox } from './index.ts'

const MAIL = composeMail({
  to: 'ann@example.com',
  subject: 'Hello',
  paragraphs: ['One', 'Two'],
  why: 'A test.',
})

/** Keeps what it is given; `fail` says what happens first. */
function keeping(fail: (message: Message) => Error | null = () => null) {
  const sent: Message[] = []
  const transport: Transport = {
    async send(message) {
      const err = fail(message)
      if (err !== null) throw err
      sent.push(message)
    },
    async close() {},
  }
  return { sent, transport }
}
function outboxOf(app: TestApp, transport: Transport) {
  return createOutbox({ database: app.database, clock: app.clock, log: app.log, transport })
}

for (const engine of ENGINES) {
  describe(`the outbox on ${engine}`, () => {
    it('holds a mail if and only if what caused it is committed', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = keeping()
      const outbox = outboxOf(app, transport)
      const undone = app.database.write(async (tx) => {
        await outbox.put(tx, MAIL)
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await outbox.flush()).toBe(0)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      expect(await outbox.flush()).toBe(1)
      expect(await outbox.flush()).toBe(0)
      expect(sent).toMatchObject([{ to: 'ann@example.com', subject: 'Hello' }])
    })

    it('sends each once, however many nodes send', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = keeping()
      const nodes = [outboxOf(app, transport), outboxOf(app, transport), outboxOf(app, transport)]
      for (let i = 0; i < 30; i++) await app.database.write((tx) => nodes[0]!.put(tx, MAIL))
      await Promise.all(nodes.map((node) => node.flush()))
      expect(sent).toHaveLength(30)
      expect(new Set(sent.map(({ id }) => id)).size).toBe(30)
    })

    it('tries again later, and then no longer', async () => {
      await using app = await testApp(engine)
      let tries = 0
      const { sent, transport } = keeping(() => {
        tries += 1
        return tries < 3 ? new Error('busy') : null
      })
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      expect(await outbox.flush()).toBe(0)
      expect(await outbox.flush()).toBe(0)
      expect(tries).toBe(1)
      app.advance(MINUTE_MS)
      await outbox.flush()
      expect(tries).toBe(2)
      app.advance(3 * MINUTE_MS)
      expect(await outbox.flush()).toBe(1)
      expect(sent[0]!.id).toMatch(/^mail_/)
    })

    it('gives up what is refused for good, and keeps it to be looked at', async () => {
      await using app = await testApp(engine)
      const { transport } = keeping(() => new Rejected('550 no such user'))
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      await outbox.flush()
      app.advance(1000 * MINUTE_MS)
      expect(await outbox.flush()).toBe(0)
      const [row] = await app.rows('outbox')
      expect(row).toMatchObject({ sent_at: null, attempts: 1, last_error: '550 no such user' })
      expect(app.log.lines.at(-1)).toMatchObject({ level: 'error', msg: 'a mail was given up' })
    })

    it('lets a mail with the same key take the place of one that waits', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = keeping()
      const outbox = outboxOf(app, transport)
      const put = (subject: string) =>
        app.database.write((tx) => outbox.put(tx, { ...MAIL, subject }, { dedupe_key: 'k' }))
      await put('one')
      await put('two')
      await outbox.flush()
      await put('three')
      await outbox.flush()
      expect(sent.map(({ subject }) => subject)).toEqual(['two', 'three'])
    })

    it('sends what a node had in hand when it died, once its lease is over', async () => {
      await using app = await testApp(engine)
      const dying: Transport = { send: () => new Promise(() => {}), close: async () => {} }
      const { sent, transport } = keeping()
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      void outboxOf(app, dying).flush()
      await Bun.sleep(50)
      expect(await outbox.flush()).toBe(0)
      app.advance(6 * MINUTE_MS)
      expect(await outbox.flush()).toBe(1)
      expect(sent).toHaveLength(1)
    })

    it('wakes as soon as something is put', async () => {
      await using app = await testApp(engine)
      const { promise, resolve } = Promise.withResolvers<Message>()
      const transport: Transport = {
        send: async (message) => resolve(message),
        close: async () => {},
      }
      const outbox = outboxOf(app, transport)
      await outbox.start()
      await app.database.write((tx) => outbox.put(tx, MAIL))
      expect((await promise).subject).toBe('Hello')
      await outbox.stop()
    })
  })
}
