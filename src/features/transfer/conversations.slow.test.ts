import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, testApp } from '../../testing/app.ts'
import { exported, imported, type Row, rowsIn } from '../../testing/archives.ts'
import { discussed } from '../../testing/discussed.ts'
import { rowCounts } from '../../testing/dump.ts'

for (const engine of ENGINES) {
  describe(`what visitors gave, on ${engine}`, () => {
    it('fails the page, with nothing left, where a row is not as it must be', async () => {
      await using app = await testApp(engine)
      const [owner, target] = [await app.owner(), await app.owner()]
      await discussed(app, owner)
      const archive = await exported(app, owner)
      const name = [...archive.keys()].find((each) => each.endsWith('comments.ndjson'))!
      const folder = name.slice(0, -'comments.ndjson'.length)
      const [first, reply] = rowsIn(archive, 'comments')
      const at = (hour: number) => new Date(Date.UTC(2026, 0, 1) + hour * 1000).toISOString()
      const many = (count: number, row: (index: number) => Row) =>
        Array.from({ length: count }, (_, index) => ({ ...first, ...row(index) }))
      const numbered = (index: number): Row => {
        const time = at(index)
        return { id: `c${index}`, created_at: `${time.slice(0, -1)}000Z` }
      }
      const vote = { option_no: 1, email: null, name: null, voted_at: null }
      const asks = { email: 'a@example.com', decided_at: null, decision: null }
      const wrong: [string, Row[], string][] = [
        ['comments', [{ ...first, body: '' }], 'not valid'],
        ['comments', [{ ...first, body: 'x'.repeat(5001) }], 'not valid'],
        ['comments', [{ ...first, anchor: { html: '<b>' } }], 'not valid'],
        ['comments', [{ ...first, version_no: 1e300 }], 'not valid'],
        ['comments', [{ ...first, author_email: 'no address' }], 'not valid'],
        ['comments', [{ ...first, created_at: '2026-02-30T00:00:00.000000Z' }], 'not valid'],
        ['comments', [{ ...first, created_at: '9999-01-01T00:00:00.000000Z' }], 'future'],
        ['comments', [first!, first!], 'order'],
        ['comments', [reply!], 'to no comment'],
        ['comments', [first!, reply!, { ...reply, ...numbered(0), parent_id: reply!.id }], 'order'],
        ['comments', many(10_001, numbered), 'more than 10,000'],
        [
          'comments',
          many(1002, (index) => ({ ...numbered(index), parent_id: index === 0 ? null : 'c0' })),
          'more replies',
        ],
        ['votes', [vote], 'no option'],
        ['votes', [{ ...vote, email: 'a@example.com' }], 'not valid'],
        [
          'poll_options',
          [
            { option_no: 1, text: 'A' },
            { option_no: 1, text: 'B' },
          ],
          'the same',
        ],
        ['access_requests', [{ ...asks, created_at: 'now' }], 'not valid'],
        ['view_hours', [{ hour: 1, views: 5, viewers: 9 }], 'contradict'],
        [
          'view_hours',
          [
            { hour: 2, views: 1, viewers: 1 },
            { hour: 1, views: 1, viewers: 1 },
          ],
          'contradict',
        ],
      ]
      await target.ask('GET', '/pages')
      await app.quiet()
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      const before = await rowCounts(app)
      for (const [file, rows, reason] of wrong) {
        const input = new Map(archive)
        const lines = rows.map((row) => JSON.stringify(row)).join('\n')
        input.set(`${folder}${file}.ndjson`, lines)
        const [page] = await imported(app, target, input)
        expect([file, reason, page!.status, page!.reason]).toEqual([
          ...[file, reason, 'failed'],
          expect.stringContaining(reason),
        ])
      }
      await app.quiet()
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      expect(await rowCounts(app)).toEqual(before)
    }, 240_000)
  })
}
