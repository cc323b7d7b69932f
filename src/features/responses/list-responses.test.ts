import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createForm, type Report, type TestForm, times } from '../../testing/test-form.ts'

const item = (what: string) => ({ what })

/** Reads all pages; calls `meanwhile` after each. */
async function readThrough(form: TestForm, query: string, meanwhile: () => Promise<unknown>) {
  const pages: Report[] = []
  for (let offset: number | null = 0; offset !== null; offset = pages.at(-1)!.next_offset) {
    pages.push(await form.report(`?offset=${offset}&${query}`))
    await meanwhile()
  }
  return pages
}

for (const engine of ENGINES) {
  describe(`the responses of a page on ${engine}`, () => {
    it('are none at first, with the status of the page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      const status = {
        ...{ collecting: true, closed_at: null, closed: false, count: 0, bytes: 0 },
        ...{ max_count: 10_000, max_bytes: 250 * 1024 ** 2 },
      }
      expect(await form.report()).toEqual({
        ...{ status, total: 0, fields: [], summaries: [], summary_text: [], explodable: [] },
        ...{ explode: null, row_fields: [], row_summaries: [], row_summary_text: [] },
        ...{ row_total: 0, responses: [], rows: [], next_offset: null },
      })
      const plain = await createForm(app, owner, { html: '<p>x' })
      expect((await plain.report()).status).toEqual({ ...status, collecting: false })
      const draft = await createForm(app, owner, { publish: false })
      expect((await draft.report()).status.collecting).toBe(false)
    })

    it('are each listed once, although some are submitted again meanwhile', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      for (let at = 0; at < 7; at++) await form.send(`d${at}`, { at })
      let next = 0
      const pages = await readThrough(form, 'limit=3', async () => {
        await form.send(`d${next}`, { at: `changed ${next}` })
        next += 2
      })
      expect(pages.map(({ next_offset }) => next_offset)).toEqual([3, 6, null])
      for (const { total } of pages) expect(total).toBe(7)
      const read = pages.flatMap(({ responses }) => responses.map(({ data }) => data.at))
      expect(read).toEqual([6, 5, 4, 3, 2, 1, 'changed 0'])
      expect((await form.report('?offset=7')).responses).toEqual([])
      expect((await form.report('?offset=2147483647')).next_offset).toBe(null)
    })

    it('are all listed, although others arrive meanwhile', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      for (let at = 0; at < 6; at++) await form.send(`d${at}`, { at })
      let next = 10
      const pages = await readThrough(form, 'limit=2', async () => {
        if (next < 12) await form.send(`d${next}`, { at: next++ })
      })
      const read = pages.flatMap(({ responses }) => responses.map(({ data }) => data.at))
      expect([...new Set(read)]).toEqual([5, 4, 3, 2, 1, 0])
    })

    it('count each object of a list that mixes, also of lists of objects before it', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      await form.send('d1', { list: [{ n: 1 }, { n: 1 }] })
      await form.send('d2', { list: ['x', { n: 1 }] })
      const { summaries } = await form.report()
      expect(summaries[0]).toMatchObject({
        type: 'multi',
        counts: [
          { value: '{"n":1}', count: 3 },
          { value: 'x', count: 1 },
        ],
      })
    })

    it('are filtered by words and values, with summaries, parts and a file of what matches', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      for (let at = 0; at < 9; at++) {
        await form.send(`d${at}`, { at, colour: at % 3 === 0 ? 'red' : 'blue', note: `n${at}` })
      }
      const where = (fields: object) => `where=${encodeURIComponent(JSON.stringify(fields))}`
      const red = await form.report(`?limit=2&${where({ colour: 'red' })}`)
      const numbers = ({ responses }: Report) => responses.map(({ data }) => data.at)
      expect([red.total, red.status.count, red.next_offset]).toEqual([3, 9, 2])
      expect(numbers(red)).toEqual([6, 3])
      expect(red.summaries.find(({ key }) => key === 'at')).toMatchObject({ mean: 3, answered: 3 })
      const rest = await form.report(`?limit=2&offset=2&${where({ colour: 'red' })}`)
      expect([numbers(rest), rest.next_offset]).toEqual([[0], null])
      const both = await form.report(`?search=N4&${where({ colour: 'blue', at: 4 })}`)
      expect(numbers(both)).toEqual([4])
      const since = red.responses[1]!.submitted_at
      expect(numbers(await form.report(`?since=${since}&${where({ colour: 'red' })}`))).toEqual([6])
      const none = await form.report('?search=lunch')
      expect([none.total, none.responses, none.next_offset]).toEqual([0, [], null])
      const path = `/pages/${form.id}/responses?format=csv&${where({ colour: 'red' })}`
      const csv = (await owner.call<string>('GET', path)).body.trim().split('\r\n')
      expect(csv).toHaveLength(4)
      expect(csv.join()).not.toContain('blue')
    })

    it('are filtered by the items of a list that is split, with their places', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      const [soup, tea] = [item('soup'), item('tea')]
      await form.send('d1', { who: 'Ann', items: [soup, tea, soup] })
      await form.send('d2', { who: 'Bob', items: [tea] })
      await form.send('d3', { who: 'Cem', items: [] })
      const query = `?explode=items&where=${encodeURIComponent('{"what":"soup"}')}`
      const result = await form.report(query)
      const rowsOf = ({ rows }: Report) => rows.map((row) => [row.values.who, row.item])
      expect(rowsOf(result)).toEqual([
        ['Ann', 1],
        ['Ann', 3],
      ])
      expect([result.total, result.row_total, result.next_offset]).toEqual([1, 2, null])
      expect(result.row_summaries).toMatchObject([{ key: 'what', answered: 2 }])
      expect(result.responses[0]!.data.items).toEqual([soup, tea, soup])
      const second = await form.report(`${query}&limit=1&offset=1`)
      expect(rowsOf(second)).toEqual([['Ann', 3]])
      const { body } = await owner.call<string>(
        'GET',
        `/pages/${form.id}/responses${query}&format=csv`,
      )
      const lines = body.trim().split('\r\n').slice(1)
      expect(lines.map((line) => line.split(',').slice(4))).toEqual([
        ['1', 'Ann', 'soup'],
        ['3', 'Ann', 'soup'],
      ])
      const empty = await form.report('?explode=items&search=cem')
      expect([empty.total, empty.row_total, rowsOf(empty)]).toEqual([1, 0, []])
    })

    it('are refused with filters that name no field or are no object', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await form.send('d1', JSON.stringify({ a: 1, list: [item('x')] }))
      const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [at, 'x']))
      const wrong = [
        ...['', 'x', '[]', 'null', '"a"', '{"a":null}', '{"a":{}}', '{"a":[[]]}'],
        ...['{"b":1}', '{"what":"x"}', '{"constructor":1}', '{"__proto__":"x"}'],
        ...[JSON.stringify(many), JSON.stringify({ a: 'x'.repeat(9000) })],
      ]
      for (const text of wrong) {
        const path = `/pages/${form.id}/responses?explode=none&where=${encodeURIComponent(text)}`
        const { status, body } = await owner.refused('GET', path)
        expect([text, status, body.error.code, body.error.param]).toEqual([
          text,
          ...[400, 'invalid_parameter', 'where'],
        ])
      }
      const { body } = await owner.refused(
        'GET',
        `/pages/${form.id}/responses?search=${'x'.repeat(201)}`,
      )
      expect(body.error.param).toBe('search')
      expect((await form.report('?search=&where={}')).total).toBe(1)
    })

    it('with `since` are exactly those submitted later, each once', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      let since = '2000-01-01T00:00:00Z'
      const seen: string[] = []
      const sent: string[] = []
      const sending = times(40, async (at) => {
        const { id, submit_count } = await form.send(`d${at % 25}`, { at })
        sent.push(`${id} ${submit_count}`)
      })
      async function look() {
        const { responses, total } = await form.report(`?limit=1000&since=${since}`)
        expect(responses).toHaveLength(total)
        for (const { id, submitted_at, submit_count } of responses) {
          expect(submitted_at > since).toBe(true)
          seen.push(`${id} ${submit_count}`)
          expect(submitted_at).toMatch(/\.\d{6}Z$/)
        }
        const newest = responses.map(({ submitted_at }) => submitted_at).sort()
        since = newest.at(-1) ?? since
      }
      for (let at = 0; at < 5; at++) await look()
      await Promise.all(sending)
      await look()
      await look()
      expect(new Set(seen).size).toBe(seen.length)
      // A response that was replaced between two reads is not seen; the last one is.
      const { responses, status } = await form.report()
      const last = responses.map(({ id, submit_count }) => `${id} ${submit_count}`)
      expect(seen).toEqual(expect.arrayContaining(last))
      expect(sent).toEqual(expect.arrayContaining(seen))
      expect(status.count).toBe(25)
      const none = await form.report(`?since=${since}`)
      expect(none).toMatchObject({ total: 0, fields: [], summaries: [], responses: [] })
      expect(none.status.count).toBe(25)
      const offset = `${since.slice(0, -1)}%2B00:00`
      expect((await form.report(`?since=${offset}`)).total).toBe(0)
    })

    it('have a summary of all, or of those since a time, which reflects every change', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const html = '<form data-service><input name="n" type="number" data-label="N"></form>'
      const form = await createForm(app, owner, { html })
      const sum = async (query = '') => {
        const { summaries } = await form.report(`?limit=1${query}`)
        return summaries.map(({ label, type, answered, mean }) => [label, type, answered, mean])
      }
      const sent = []
      for (const n of [1, 2, 6]) sent.push(await form.send(`d${n}`, { n }))
      expect(await sum()).toEqual([['N', 'number', 3, 3]])
      expect(await sum()).toEqual([['N', 'number', 3, 3]])
      expect(await sum(`&since=${sent[1]!.submitted_at}`)).toEqual([['N', 'number', 1, 6]])
      await form.send('d6', { n: 9 })
      expect(await sum()).toEqual([['N', 'number', 3, 4]])
      await owner.call('DELETE', `/pages/${form.id}/responses/${sent[2]!.id}`)
      expect(await sum()).toEqual([['N', 'number', 2, 1.5]])
      await owner.edit(form.id, 'type="number" data-label="N"', '', { publish: true })
      expect(await sum()).toEqual([[null, 'text', 2, undefined]])
    })

    it('and their summary are from one snapshot, although others arrive meanwhile', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      let isOver = false
      async function sendOn(device: string) {
        for (let at = 0; !isOver; at++) await form.send(`${device} ${at % 30}`, { a: String(at) })
      }
      const sending = times(3, (at) => sendOn(`d${at}`))
      for (let at = 0; at < 15; at++) {
        const report = await form.report('?limit=1000')
        const { status, total, responses, summaries } = report
        expect([status.count, responses.length]).toEqual([total, total])
        expect(summaries.map(({ answered }) => answered)).toEqual(total === 0 ? [] : [total])
        const bytes = responses.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)
        expect(status.bytes).toBe(bytes)
        const newest = responses.slice(0, 50).map(({ data }) => data.a)
        expect<unknown[]>((summaries[0]?.samples ?? []).map(({ value }) => value)).toEqual(newest)
      }
      isOver = true
      await Promise.all(sending)
    })

    it('are visible to the owner only', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      await form.send('one', { a: 'secret' })
      const stranger = await app.owner()
      for (const query of ['', '?format=csv']) {
        const path = `/pages/${form.id}/responses${query}`
        const refused = await stranger.refused('GET', path)
        expect(refused.body.error.code).toBe('page_not_found')
        expect((await app.api(path)).status).toBe(401)
      }
    })
  })

  describe(`split rows on ${engine}`, () => {
    it('are listed in pages together with the responses, until both end', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      await form.send('a', { x: 1, list: [item('a1'), item('a2'), item('a3')] })
      await form.send('b', { x: 2 })
      await form.send('c', { x: 3, list: [] })
      await form.send('d', { x: 4, list: [item('d1'), item('d2')] })
      const pages = await readThrough(form, 'limit=2', () => form.send('b', { x: 2 }))
      const rows = pages.map((page) => page.rows.map(({ item, values }) => [item, values.what]))
      const second = [
        [1, 'a1'],
        [2, 'a2'],
      ]
      const first = [
        [1, 'd1'],
        [2, 'd2'],
      ]
      // A response without items has no row.
      expect(rows).toEqual([first, second, [[3, 'a3']]])
      expect(pages.map(({ responses }) => responses.length)).toEqual([2, 2, 0])
      expect(pages.map(({ next_offset }) => next_offset)).toEqual([2, 4, null])
      for (const page of pages) expect(page).toMatchObject({ explode: 'list', row_total: 5 })
      const within = await form.report('?limit=3&offset=1')
      expect(within.rows.map(({ values }) => values.what)).toEqual(['d2', 'a1', 'a2'])
      expect(within.rows[0]!.values).toEqual({ x: 4, what: 'd2' })
      const none = await form.report('?limit=2&offset=2&explode=none')
      expect(none).toMatchObject({ explode: null, rows: [], row_total: 0, next_offset: null })
    })

    it('are those of items that have a field, also in lists with null among them', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await form.send('a', { x: 1, list: [null, item('a1'), {}, { nested: {} }, item('a2')] })
      await form.send('b', { x: 2, list: [{}, null] })
      await form.send('c', { x: 3, list: [item('c1')] })
      const report = await form.report()
      expect(report.rows.map(({ item, values }) => [values.x, item, values.what])).toEqual([
        [3, 1, 'c1'],
        [1, 2, 'a1'],
        [1, 5, 'a2'],
      ])
      expect(report).toMatchObject({
        ...{ total: 3, explode: 'list', row_total: 3, next_offset: null },
        row_summaries: [{ key: 'what', answered: 3 }],
      })
      expect(report.summaries[1]).toMatchObject({ key: 'list', type: 'rows', items: 3 })
      const { body } = await owner.call<string>('GET', `/pages/${form.id}/responses?format=csv`)
      const lines = body.trim().split('\r\n').slice(1)
      expect(lines.map((line) => line.split(',').slice(4))).toEqual([
        ['1', '3', 'c1'],
        ['', '2', ''],
        ['2', '1', 'a1'],
        ['5', '1', 'a2'],
      ])
    })

    it('are none of a list that has other values too, which are choices', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      await form.send('a', { list: [item('a1'), 'a word'] })
      const report = await form.report()
      expect(report).toMatchObject({ explode: null, explodable: [], row_total: 0, rows: [] })
      expect(report.fields).toMatchObject([{ key: 'list', type: 'multi' }])
    })

    it('are those of the named list; an unknown name is refused', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      const path = `/pages/${form.id}/responses`
      // Without responses every name could exist.
      expect((await form.report('?explode=things')).explode).toBe(null)
      const { submitted_at } = await form.send('a', {
        things: [item('x')],
        more: [item('y')],
      })
      expect((await form.report('?explode=more')).rows[0]!.values).toMatchObject({ what: 'y' })
      for (const query of ['explode=thing', 'explode=a', 'explode=thing&format=csv']) {
        const { status, body } = await owner.refused('GET', `${path}?${query}`)
        expect(status).toBe(400)
        expect(body.error).toMatchObject({ code: 'unknown_explode_key', param: 'explode' })
        expect(body.error.message).toContain('"things", "more"')
      }
      const since = `since=${submitted_at}`
      expect((await form.report(`?explode=more&${since}`)).explode).toBe(null)
      await form.send('b', { a: 1 })
      expect(await form.report(`?explode=more&${since}`)).toMatchObject({
        ...{ explode: null, total: 1, explodable: [], rows: [] },
      })
      const late = await owner.refused('GET', `${path}?explode=thing&${since}`)
      expect(late.body.error.code).toBe('unknown_explode_key')
    })
  })
}

it('reports that are asked for at once are each made in a turn of the event loop', async () => {
  await using app = await testApp('sqlite')
  const form = await createForm(app, await app.owner())
  for (let at = 0; at < 3; at++) await form.send(`d${at}`, { at })
  const expected = await form.report()
  const turns: number[] = []
  let [turn, isDone] = [0, false]
  const countTurns = () => {
    turn += 1
    if (!isDone) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const reports = times(8, async () => {
    const report = await form.report()
    turns.push(turn)
    return report
  })
  expect(await Promise.all(reports)).toEqual(times(8, () => expected))
  isDone = true
  expect(new Set(turns).size).toBe(8)
})
