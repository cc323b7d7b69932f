import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { NUMBERED } from '../../testing/numbered.ts'
import { createEvents, type Event } from './index.ts'

const VIEW: Event = { kind: 'view', pageId: 'pg_1', count: 2, total: 7, notifyOwner: true }
const RESPONSE: Event = {
  ...NUMBERED,
  kind: 'response',
  pageId: 'pg_1',
  count: 1,
  notifyOwner: true,
  respondent: 'ann@example.com',
  email: null,
  isFirst: true,
}

for (const engine of ENGINES) {
  describe(`events on ${engine}`, () => {
    it('reach the listeners of their kind alone, in the order in which these were added', async () => {
      await using app = await testApp(engine)
      const events = createEvents()
      const recorded: [string, Event][] = []
      const listenerOf = (name: string) => async (_tx: unknown, event: Event) => {
        recorded.push([name, event])
      }
      events.addListener(['view', 'response'], listenerOf('first'))
      events.addListener(['response'], listenerOf('second'))
      await app.database.write((tx) => events.record(tx, VIEW))
      expect(recorded).toEqual([['first', VIEW]])
      await app.database.write((tx) => events.record(tx, RESPONSE))
      expect(recorded.slice(1)).toEqual([
        ['first', RESPONSE],
        ['second', RESPONSE],
      ])
    })

    it('are undone with what caused them when a listener fails', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      const events = createEvents()
      events.addListener(['view'], app.ownerMails.onEvent)
      events.addListener(['view'], async () => {
        throw new Error('the listener failed')
      })
      const recording = app.database.write((tx) => events.record(tx, { ...VIEW, pageId: id }))
      await expect(recording).rejects.toThrow('the listener failed')
      expect(await app.rows('event_counts')).toEqual([])
      expect(await app.rows('outbox')).toEqual([])
    })

    it('mail nobody where the owner does not ask for it, and count nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      const event = { ...VIEW, pageId: id, notifyOwner: false }
      await app.database.write((tx) => app.ownerMails.onEvent(tx, event))
      expect(await app.rows('event_counts')).toEqual([])
      expect(app.mails).toEqual([])
    })
  })
}
