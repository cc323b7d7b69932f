import { describe, expect, it } from 'bun:test'
import { parseTimestamp } from '../../model/times.ts'
import { type Clock, createClock } from '../../platform/clock.ts'
import { type Message, Rejected, type Transport } from '../../platform/mail/index.ts'
import { DAY_MS, ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { composeMail, createOutbox } from './index.ts'

const MAIL = composeMail({
  to: 'ann@example.com',
  subject: 'Hello',
  paragraphs: ['One', 'Two'],
  reason: 'A test.',
})

/** A transport that records messages, after `fail` returned null. */
function recordingTransport(fail: (message: Message) => Error | null = () => null) {
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
function outboxDeps({ database, clock, log }: TestApp, transport: Transport) {
  return { database, clock, log, transport }
}
function outboxOf(app: TestApp, transport: Transport) {
  return createOutbox(outboxDeps(app, transport))
}

for (const engine of ENGINES) {
  describe(`the outbox on ${engine}`, () => {
    it('stores a mail if and only if the transaction that causes it is committed', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = recordingTransport()
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

    it('sends each mail once, however many nodes send', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = recordingTransport()
      const nodes = [outboxOf(app, transport), outboxOf(app, transport), outboxOf(app, transport)]
      for (let i = 0; i < 30; i++) await app.database.write((tx) => nodes[0]!.put(tx, MAIL))
      await Promise.all(nodes.map((node) => node.flush()))
      expect(sent).toHaveLength(30)
      expect(new Set(sent.map(({ id }) => id)).size).toBe(30)
    })

    it('retries a mail that failed until it is sent', async () => {
      await using app = await testApp(engine)
      let tries = 0
      const { sent, transport } = recordingTransport(() => {
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

    it('sends what waits for a time of a clock that was set back since', async () => {
      await using app = await testApp(engine)
      let isDown = true
      const { sent, transport } = recordingTransport(() => (isDown ? new Error('down') : null))
      const outbox = outboxOf(app, transport)
      const put = (subject: string, more = {}) =>
        app.database.write((tx) => outbox.put(tx, { ...MAIL, subject }, more))
      await put('given up')
      await app.database.write((tx) =>
        tx.updateTable('outbox').set({ not_before: '9999-12-31T00:00:00.000000Z' }).execute(),
      )
      await put('retried')
      app.advance(2 * DAY_MS)
      await outbox.flush()
      await put('new')
      app.advance(-2 * DAY_MS)
      await put('later', { not_before: app.clock.after(HOUR_MS) })
      isDown = false
      expect(await outbox.flush()).toBe(0)
      await outbox.start()
      // Before the row says that it was sent, a jump of the clock would end the lease on it.
      const stored = app.database.read.selectFrom('outbox').where('sent_at', 'is not', null)
      while ((await stored.select('id').execute()).length < 1) await Bun.sleep(5)
      app.advance(31_000)
      await outbox.flush()
      await outbox.stop()
      expect(sent.map(({ subject }) => subject)).toEqual(['new', 'retried'])
    })

    it('retries no earlier and no later where the clock is set forward and right again', async () => {
      await using app = await testApp(engine)
      const tries: number[] = []
      const { transport } = recordingTransport(() => {
        tries.push(app.clock.ms())
        return new Error('down')
      })
      const outbox = outboxOf(app, transport)
      app.advance(10 * HOUR_MS)
      app.clock.now()
      app.advance(-10 * HOUR_MS)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      await outbox.flush()
      await outbox.flush()
      expect(tries).toHaveLength(1)
      app.advance(38_000)
      await outbox.flush()
      expect(tries).toHaveLength(2)
    })

    it('sends no mail twice that is being sent while the clock is set back', async () => {
      await using app = await testApp(engine)
      const { promise, resolve } = Promise.withResolvers<void>()
      const slow: Transport = { send: () => promise, close: async () => {} }
      const { sent, transport } = recordingTransport()
      await app.database.write((tx) => outboxOf(app, transport).put(tx, MAIL))
      const sending = outboxOf(app, slow).flush()
      while ((await app.rows('outbox'))[0]!.attempts === 0) await Bun.sleep(1)
      const before = (await app.rows('outbox'))[0]!.not_before
      app.advance(-10 * HOUR_MS)
      const other = outboxOf(app, transport)
      await other.start()
      expect((await app.rows('outbox'))[0]!.not_before < before).toBe(true)
      expect(await other.flush()).toBe(0)
      resolve()
      expect(await sending).toBe(1)
      await other.stop()
      expect(sent).toEqual([])
    })

    it('is not taken from a node that sends by one whose clock is up to 20 seconds ahead', async () => {
      await using app = await testApp(engine)
      const { promise, resolve } = Promise.withResolvers<void>()
      const slow: Transport = { send: () => promise, close: async () => {} }
      const { sent, transport } = recordingTransport()
      const ahead = createClock(() => app.clock.ms() + 19_000)
      const behind = createClock(() => app.clock.ms() - 19_000)
      const nodeAt = (clock: Clock) => createOutbox({ ...outboxDeps(app, transport), clock })
      await app.database.write((tx) => outboxOf(app, transport).put(tx, MAIL))
      const sending = outboxOf(app, slow).flush()
      while ((await app.rows('outbox'))[0]!.attempts === 0) await Bun.sleep(1)
      // A mail is renewed every ten seconds.
      app.advance(10_000)
      for (const clock of [ahead, behind]) {
        const node = nodeAt(clock)
        await node.start()
        expect(await node.flush()).toBe(0)
        await node.stop()
      }
      resolve()
      expect(await sending).toBe(1)
      expect(sent).toEqual([])
    })

    it('gives up a mail that is rejected, and leaves it with its error', async () => {
      await using app = await testApp(engine)
      const { transport } = recordingTransport(() => new Rejected('550 no such user'))
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      await outbox.flush()
      app.advance(1000 * MINUTE_MS)
      expect(await outbox.flush()).toBe(0)
      const [row] = await app.rows('outbox')
      expect(row).toMatchObject({ sent_at: null, attempts: 1, last_error: '550 no such user' })
      expect(app.log.lines.at(-1)).toMatchObject({ level: 'error', msg: 'a mail was given up' })
    })

    it('replaces an unsent mail by one with the same key', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = recordingTransport()
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

    it('sends a replaced mail at its first time', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = recordingTransport()
      const outbox = outboxOf(app, transport)
      const soon = parseTimestamp(new Date(app.clock.ms() + MINUTE_MS).toISOString())!
      const late = parseTimestamp(new Date(app.clock.ms() + HOUR_MS).toISOString())!
      for (const [to, notBefore] of [
        ['ann@example.com', soon],
        ['bob@example.com', late],
      ] as const) {
        const mail = { ...MAIL, to }
        await app.database.write((tx) =>
          outbox.put(tx, mail, { dedupe_key: 'k', not_before: notBefore }),
        )
      }
      expect(await outbox.flush()).toBe(0)
      app.advance(MINUTE_MS)
      expect(await outbox.flush()).toBe(1)
      expect(sent.map(({ to }) => to)).toEqual(['bob@example.com'])
    })

    it('retries for about three days, with waits from half a minute to six hours', async () => {
      await using app = await testApp(engine)
      const tries: number[] = []
      const { transport } = recordingTransport(() => {
        tries.push(app.clock.ms())
        return new Error('no route')
      })
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      for (let i = 0; i < 60; i++) {
        await outbox.flush()
        const [row] = await app.rows('outbox')
        if (row!.not_before.startsWith('9999')) break
        expect(row).toMatchObject({ last_error: 'no route', sent_at: null })
        app.advance(Date.parse(row!.not_before) - app.clock.ms() + 1)
      }
      const waits = tries.slice(1).map((at, i) => at - tries[i]!)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(30_000)
      expect(Math.max(...waits)).toBeLessThanOrEqual(6 * HOUR_MS + 1000)
      expect((tries.at(-1)! - tries[0]!) / DAY_MS).toBeWithin(2.5, 4)
      expect(app.log.lines.at(-1)).toMatchObject({ level: 'error', msg: 'a mail was given up' })
    })

    it('erases the text of a sent mail, and deletes the mail after a month', async () => {
      await using app = await testApp(engine)
      const { transport } = recordingTransport(({ to }) =>
        to[0] === 'x' ? new Rejected('no') : null,
      )
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      await app.database.write((tx) => outbox.put(tx, { ...MAIL, to: 'x@example.com' }))
      await outbox.flush()
      app.advance(29 * DAY_MS)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      expect(await outbox.sweep()).toBe(0)
      const sent = (await app.rows('outbox')).find(({ sent_at }) => sent_at !== null)
      expect(sent).toMatchObject({ text_body: '', html_body: '' })
      app.advance(2 * DAY_MS)
      const stuck = createOutbox({
        ...outboxDeps(app, transport),
        sweepFiles: () => Promise.reject(new Error('the folder is gone')),
      })
      expect(await stuck.sweep().catch(({ message }) => message)).toBe('the folder is gone')
      expect(await app.rows('outbox')).toMatchObject([{ sent_at: null, attempts: 0 }])
    })

    it('ignores a failure that is reported after the lease is over', async () => {
      await using app = await testApp(engine)
      const { promise, reject } = Promise.withResolvers<void>()
      const stuck: Transport = { send: () => promise, close: async () => {} }
      const { sent, transport } = recordingTransport()
      await app.database.write((tx) => outboxOf(app, transport).put(tx, MAIL))
      const late = outboxOf(app, stuck).flush()
      while ((await app.rows('outbox'))[0]!.attempts === 0) await Bun.sleep(1)
      app.advance(6 * MINUTE_MS)
      expect(await outboxOf(app, transport).flush()).toBe(1)
      reject(new Error('cut off'))
      expect(await late).toBe(0)
      expect(sent).toHaveLength(1)
      expect(await app.rows('outbox')).toMatchObject([{ last_error: null }])
      expect((await app.rows('outbox'))[0]!.sent_at).not.toBeNull()
      app.advance(DAY_MS)
      expect(await outboxOf(app, transport).flush()).toBe(0)
    })

    it('is not delayed by a slow mail, and stops without waiting for it', async () => {
      await using app = await testApp(engine)
      const { promise, reject } = Promise.withResolvers<void>()
      const { sent, transport } = recordingTransport()
      const server: Transport = {
        send: (message) => (message.subject === 'slow' ? promise : transport.send(message)),
        close: async () => reject(new Error('closed')),
      }
      const outbox = createOutbox({ ...outboxDeps(app, server), stopMs: 50 })
      await outbox.start()
      await app.database.write((tx) => outbox.put(tx, { ...MAIL, subject: 'slow' }))
      for (let i = 0; i < 20; i++) await app.database.write((tx) => outbox.put(tx, MAIL))
      while (sent.length < 20) await Bun.sleep(5)
      await outbox.stop()
      const waiting = (await app.rows('outbox')).filter(({ sent_at }) => sent_at === null)
      expect(waiting).toMatchObject([{ subject: 'slow', last_error: 'closed', attempts: 1 }])
    })

    it('misses no mail that is put while workers end', async () => {
      await using app = await testApp(engine)
      const { sent, transport } = recordingTransport()
      const outbox = outboxOf(app, transport)
      await outbox.start()
      for (let n = 1; n <= 100; n++) {
        await app.database.write((tx) => outbox.put(tx, MAIL))
        if (n % 3 > 0) continue
        // The commit wakes a worker: this is well before the timer does.
        for (let i = 0; sent.length < n && i < 1000; i++) await Bun.sleep(1)
        expect(sent).toHaveLength(n)
      }
      await outbox.stop()
    }, 20_000)

    it('sends the mails of a node that died once their lease is over', async () => {
      await using app = await testApp(engine)
      const { promise, reject } = Promise.withResolvers<void>()
      const taken = Promise.withResolvers<void>()
      const send = () => {
        taken.resolve()
        return promise
      }
      const dying: Transport = { send, close: async () => {} }
      const { sent, transport } = recordingTransport()
      const outbox = outboxOf(app, transport)
      await app.database.write((tx) => outbox.put(tx, MAIL))
      const dead = outboxOf(app, dying).flush()
      await taken.promise
      expect(await outbox.flush()).toBe(0)
      app.advance(6 * MINUTE_MS)
      expect(await outbox.flush()).toBe(1)
      expect(sent).toHaveLength(1)
      reject(new Error('died'))
      await dead
    })

    it('keeps a mail that takes longer to send than its lease', async () => {
      await using app = await testApp(engine)
      const { promise, resolve } = Promise.withResolvers<void>()
      const slow: Transport = { send: () => promise, close: async () => {} }
      const { sent, transport } = recordingTransport()
      await app.database.write((tx) => outboxOf(app, transport).put(tx, MAIL))
      const sending = createOutbox({ ...app, transport: slow, leaseMs: 30 }).flush()
      const leaseEnd = async () => (await app.rows('outbox'))[0]!.not_before as string
      while ((await app.rows('outbox'))[0]!.attempts === 0) await Bun.sleep(1)
      for (let renewal = 0; renewal < 3; renewal++) {
        app.advance(20)
        const before = await leaseEnd()
        while ((await leaseEnd()) === before) await Bun.sleep(1)
        expect(await outboxOf(app, transport).flush()).toBe(0)
      }
      resolve()
      expect(await sending).toBe(1)
      expect(sent).toHaveLength(0)
    })

    it('sends a mail as soon as it is put', async () => {
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

describe('the outbox of two nodes of one PostgreSQL', () => {
  it('sends each mail once, and a mail that is put on one node wakes the other', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const { sent, transport } = recordingTransport()
    const here = outboxOf(app, transport)
    const there = createOutbox({ ...app, database: node.database, transport })
    await there.start()
    await app.database.write((tx) => here.put(tx, MAIL))
    for (let i = 0; sent.length < 1 && i < 1000; i++) await Bun.sleep(5)
    expect(sent).toHaveLength(1)
    await here.start()
    const put = () => app.database.write((tx) => here.put(tx, MAIL))
    await Promise.all(Array.from({ length: 60 }, put))
    while ((await app.rows('outbox')).some(({ sent_at }) => sent_at === null)) await Bun.sleep(5)
    await Promise.all([here.stop(), there.stop()])
    expect(sent).toHaveLength(61)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(61)
  })
})
