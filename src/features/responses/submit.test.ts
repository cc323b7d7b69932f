import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'
import { createForm, outcomeOf, times } from '../../testing/test-form.ts'

for (const engine of ENGINES) {
  describe(`submissions on ${engine}`, () => {
    it('of a viewer are one response, which has the same id and place after a resubmission', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const first = await form.send('one', { a: 'x' }, { name: 'Ann' })
      await form.send('two', { a: 'y' })
      const again = await form.send('one', { a: 'z', b: 1 })
      expect(first).toEqual({
        id: first.id,
        submitted_at: first.submitted_at,
        submit_count: 1,
      })
      expect(again).toMatchObject({ id: first.id, submit_count: 2 })
      expect(again.submitted_at > first.submitted_at).toBe(true)
      const { responses, total } = await form.report()
      expect(total).toBe(2)
      expect(responses.map(({ data }) => data)).toEqual([{ a: 'y' }, { a: 'z', b: 1 }])
      const [other, own] = responses
      expect(own).toMatchObject({ ...again, created_at: first.submitted_at, name: 'Ann' })
      expect(other!.created_at > own!.created_at).toBe(true)
      expect(JSON.stringify(responses)).not.toContain('"x"')
      expect(await form.verifiedCounter()).toMatchObject({ count: 2 })
    })

    it('have strictly increasing times, even concurrent ones', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const sent = await Promise.all(times(60, (at) => form.send(`d${at % 40}`, { a: at })))
      const instants = sent.map(({ submitted_at }) => submitted_at)
      expect(new Set(instants).size).toBe(60)
      // The times increase even after the clock is set back.
      app.advance(-HOUR_MS)
      const later = await form.send('late', { a: 0 })
      expect(later.submitted_at > instants.sort().at(-1)!).toBe(true)
      const { responses } = await form.report()
      const places = responses.map(({ created_at }) => created_at)
      expect(places).toEqual([...new Set(places)].sort().reverse())
      expect(responses[0]!.id).toBe(later.id)
      expect(await form.verifiedCounter()).toMatchObject({ count: 41 })
    })

    it('of one viewer that are concurrent are one response, and each is counted', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const sent = await Promise.all(times(12, (at) => form.send('one', { a: at })))
      expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
      const counts = sent.map(({ submit_count }) => submit_count).sort((a, b) => a - b)
      expect(counts).toEqual(times(12, (at) => at + 1))
      expect(await form.verifiedCounter()).toMatchObject({ count: 1 })
    })

    it('with a known id get the same receipt and change nothing', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const first = await form.send('one', { a: 1 }, { id: 'first-time' })
      const counter = await app.rows('response_counters')
      expect(await form.send('one', { a: 2 }, { id: 'first-time' })).toEqual(first)
      expect(await app.rows('response_counters')).toEqual(counter)
      const second = await form.send('one', { a: 3 }, { id: 'second-time' })
      expect(await form.send('one', { a: 1 }, { id: 'first-time' })).toEqual(second)
      expect((await form.report()).responses.map(({ data }) => data)).toEqual([{ a: 3 }])
      // Another viewer's id may be the same.
      expect((await form.send('two', { a: 4 }, { id: 'first-time' })).submit_count).toBe(1)
      for (let at = 0; at < 8; at++) await form.send('one', { a: at })
      expect((await form.send('one', { a: 9 }, { id: 'second-time' })).submit_count).toBe(11)
      const atOnce = times(6, () => form.send('three', { a: 1 }, { id: 'all-at-once' }))
      expect((await Promise.all(atOnce)).map(({ submit_count }) => submit_count)).toEqual(
        Array(6).fill(1),
      )
    })

    it('of new viewers are refused at exactly the limit; resubmissions are not', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner({ plan: 'free' })
      const form = await createForm(app, owner)
      for (let at = 0; at < 99; at++) await form.send(`d${at}`, { a: at })
      const outcomes = await Promise.all(
        times(20, (at) => outcomeOf(form.send(`new${at}`, { a: at }))),
      )
      expect(outcomes.filter((one) => one === 'stored')).toHaveLength(1)
      expect(outcomes.filter((one) => one === 'full')).toHaveLength(19)
      expect((await form.send('d7', { a: 'changed' })).submit_count).toBe(2)
      expect(await form.verifiedCounter()).toMatchObject({ count: 100 })
      const { status, responses } = await form.report('?limit=1')
      expect(status).toMatchObject({ count: 100, max_count: 100, max_bytes: 10 * 1024 ** 2 })
      await owner.call('DELETE', `/pages/${form.id}/responses/${responses[0]!.id}`)
      expect(await outcomeOf(form.send('next', { a: 1 }))).toBe('stored')
      expect(await outcomeOf(form.send('last', { a: 1 }))).toBe('full')
      await app.accounts.setPlan(owner.email, 'pro')
      expect(await outcomeOf(form.send('last', { a: 1 }))).toBe('stored')
      expect((await form.report()).status).toMatchObject({ count: 101, max_count: 10_000 })
      await app.accounts.setPlan(owner.email, 'free')
      expect((await form.report()).total).toBe(101)
    })

    it('are refused beyond the bytes of the plan, except resubmissions', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner({ plan: 'free' }))
      const large = 'x'.repeat(250 * 1024)
      const outcomes = await Promise.all(
        times(45, (at) => outcomeOf(form.send(`d${at}`, { a: large }))),
      )
      expect(outcomes.filter((one) => one === 'stored')).toHaveLength(40)
      expect(outcomes.filter((one) => one === 'full')).toHaveLength(5)
      const { bytes } = await form.verifiedCounter()
      expect(bytes).toBeLessThanOrEqual(10 * 1024 ** 2)
      const at = outcomes.indexOf('stored')
      await form.send(`d${at}`, { a: 'é' })
      expect((await form.verifiedCounter()).bytes).toBe(bytes - large.length + 2)
    })

    it('are refused from the closing time on, until the page is reopened', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const original = await form.send('one', { a: 1 }, { id: 'in-time-1' })
      const closedAt = new Date(app.clock.ms() + HOUR_MS).toISOString()
      await form.update({ responses_closed_at: closedAt })
      expect(await outcomeOf(form.send('two', { a: 2 }))).toBe('stored')
      expect((await form.report()).status).toMatchObject({ closed: false })
      app.advance(HOUR_MS)
      for (const device of ['one', 'three']) {
        expect(await outcomeOf(form.send(device, { a: 3 }))).toBe('closed')
      }
      // A repeated submission that was stored in time.
      expect(await form.send('one', { a: 1 }, { id: 'in-time-1' })).toEqual(original)
      const { status, responses } = await form.report()
      expect(status).toMatchObject({ closed: true, collecting: true, count: 2 })
      expect(status.closed_at).toStartWith(closedAt.slice(0, 19))
      expect(responses.map(({ data }) => data.a)).toEqual([2, 1])
      await form.update({ responses_closed_at: null })
      expect(await outcomeOf(form.send('three', { a: 3 }))).toBe('stored')
    })

    it('are deleted with the page, and refused afterwards', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [form, other] = [await createForm(app, owner), await createForm(app, owner)]
      const page = await form.page()
      await other.send('one', { a: 1 })
      const viewer = app.viewers.viewerOf(page, { device: 'late' })
      const late = { id: 'too-late-1', data: '{}', name: null, page_version: null, path: '' }
      const sent = times(10, (at) => outcomeOf(form.send(`d${at}`, { a: at })))
      await Promise.all(sent)
      await owner.call('DELETE', `/pages/${form.id}`)
      const sending = app.responses.submit(page, viewer, { ...late, controls: [] })
      expect(await outcomeOf(sending)).toBe('gone')
      expect((await app.rows('responses')).map(({ page_id }) => page_id)).toEqual([other.id])
      expect(await app.rows('response_counters')).toHaveLength(1)
    })

    it('while the page is deleted are stored or refused, and none is left', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      const page = await form.page()
      const send = (at: number) => {
        const viewer = app.viewers.viewerOf(page, { device: `d${at % 30}` })
        const about = { name: null, page_version: null, path: '', controls: [] }
        return app.responses.submit(page, viewer, { id: `during-${at}`, data: '{}', ...about })
      }
      const before = times(40, (at) => outcomeOf(send(at)))
      const deleting = owner.call('DELETE', `/pages/${form.id}`)
      const after = times(40, (at) => outcomeOf(send(40 + at)))
      expect((await deleting).status).toBe(204)
      const outcomes = await Promise.all([...before, ...after])
      expect(outcomes.filter((one) => one !== 'stored' && one !== 'gone')).toEqual([])
      expect(outcomes).toContain('stored')
      expect(await outcomeOf(send(99))).toBe('gone')
      expect(await app.rows('responses')).toEqual([])
      expect(await app.rows('response_counters')).toEqual([])
    })

    it('survive publishing, edits, renames, expiry, unpublishing, plans and settings', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await form.send('one', { a: 1 })
      const before = await app.rows('responses')
      await owner.edit(form.id, 'name="a"', 'name="b"', { publish: true })
      await form.update({ slug: 'another-name', title: 'T', expires_at: '2020-01-01T00:00Z' })
      await owner.call('DELETE', `/pages/${form.id}/publish`)
      await form.update({ access: 'private', responses_closed_at: '2020-01-01T00:00Z' })
      await app.accounts.setPlan(owner.email, 'free')
      expect(await app.rows('responses')).toEqual(before)
      const { status, responses } = await form.report()
      expect(status).toMatchObject({ collecting: false, closed: true, count: 1, max_count: 100 })
      expect(responses.map(({ data }) => data)).toEqual([{ a: 1 }])
    })
  })

  describe(`a response on ${engine}`, () => {
    it('that is deleted is gone, and its viewer can respond again', async () => {
      await using app = await testApp(engine)
      const [owner, stranger] = [await app.owner(), await app.owner()]
      const form = await createForm(app, owner)
      const other = await createForm(app, owner)
      const [kept, gone] = [await form.send('one', { a: 1 }), await form.send('two', { a: 22 })]
      const path = `/pages/${form.id}/responses/${gone.id}`
      for (const [who, at] of [
        [stranger, path],
        [owner, `/pages/${other.id}/responses/${gone.id}`],
        [owner, `/pages/${form.id}/responses/rsp_none`],
        [owner, `/pages/${form.id}/responses/%00`],
      ] as const) {
        expect((await who.refused('DELETE', at)).status).toBe(404)
      }
      expect(await form.verifiedCounter()).toMatchObject({ count: 2 })
      expect((await owner.call('DELETE', path)).status).toBe(204)
      expect((await owner.refused('DELETE', path)).body.error.code).toBe('response_not_found')
      expect(await form.verifiedCounter()).toEqual({ count: 1, bytes: '{"a":1}'.length })
      const anew = await form.send('two', { a: 3 })
      expect(anew.submit_count).toBe(1)
      expect(anew.id).not.toBe(gone.id)
      const { responses } = await form.report()
      expect(responses.map(({ id }) => id)).toEqual([anew.id, kept.id])
    })

    it('that is deleted during resubmissions is counted correctly', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      const { id } = await form.send('one', { a: 1 })
      const sending = times(8, (at) => form.send('one', { a: 'x'.repeat(at) }))
      const deleting = owner.call('DELETE', `/pages/${form.id}/responses/${id}`)
      await Promise.all([...sending, deleting, ...times(4, (at) => form.send('one', { at }))])
      await form.verifiedCounter()
      await form.send('one', { a: 'last' })
      expect(await form.verifiedCounter()).toMatchObject({ count: 1 })
    })
  })
}

describe('two nodes of one PostgreSQL', () => {
  it('share one limit, one order and one response per viewer', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    const owner = await app.owner({ plan: 'free' })
    const form = await createForm(app, owner)
    for (let at = 0; at < 90; at++) await form.send(`d${at}`, { a: at })
    const outcomes = await Promise.all(
      times(40, (at) =>
        outcomeOf(form.send(`new${at % 20}`, { a: at }, { node: at < 20 ? app : node })),
      ),
    )
    const { responses, total } = await form.report('?limit=1000')
    expect(total).toBe(100)
    expect(outcomes.filter((one) => one === 'full').length).toBeGreaterThanOrEqual(20)
    expect(new Set(responses.map(({ respondent }) => respondent)).size).toBeGreaterThan(90)
    expect(new Set(responses.map(({ submitted_at }) => submitted_at)).size).toBe(100)
    expect(await form.verifiedCounter()).toMatchObject({ count: 100 })
  })
})
