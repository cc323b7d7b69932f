import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { leastProcessorMs } from '../../testing/processor-time.ts'
import { createThread } from '../../testing/test-comments.ts'
import { sequence } from '../events/index.ts'
import type { InboxAnswer } from './contract.ts'

const PAGES = 1000
const COMMENTS = 10_000
const THREADS = COMMENTS / 2
/** Older than the threads. */
const RESPONSES = 95_000
const CHUNK = 100

/** Stores copies of a row, each with the members that `change` gives for its number. */
async function copy<T extends 'pages' | 'comments' | 'feedback_events'>(
  app: TestApp,
  table: T,
  { count, change }: { count: number; change(at: number): object },
): Promise<void> {
  const [row] = await app.rows(table)
  await app.database.write(async (tx) => {
    for (let from = 0; from < count; from += CHUNK) {
      const rows = Array.from({ length: CHUNK }, (_, at) => ({ ...row!, ...change(from + at) }))
      await tx
        .insertInto(table)
        .values(rows as never)
        .execute()
    }
  })
}

/** An owner with many pages that ask for everything, and comments on a few of them. */
async function busyOwner(app: TestApp): Promise<Owner> {
  const owner = await app.owner()
  const asking = { allow_access_requests: true, access: 'people', collect_approvals: true }
  const talk = await createThread(app, owner, { ...asking, approver_emails: ['ann@example.com'] })
  await talk.post('one', 'Why nine?')
  const number = (at: number) => String(at).padStart(26, '0')
  await copy(app, 'pages', {
    count: PAGES,
    change: (at) => ({ id: `pg_${number(at)}`, slug: `page-${at}`, title: null }),
  })
  const trashed_at = '2026-01-01T00:00:00.000000Z'
  await copy(app, 'pages', {
    count: PAGES,
    change: (at) => ({ id: `pg_trash_${at}`, slug: `trash-${at}`, title: null, trashed_at }),
  })
  await copy(app, 'comments', {
    count: COMMENTS,
    change(at) {
      const time = new Date(1_700_000_000_000 + at * 1000).toISOString().replace('Z', '000Z')
      const isReply = at % 2 === 1
      return {
        id: `cmt_${number(at)}`,
        page_id: `pg_${number(Math.floor(at / 2) % 200)}`,
        parent_id: isReply ? `cmt_${number(at - 1)}` : null,
        submission_id: `s${at}`,
        created_at: time,
      }
    },
  })
  await copy(app, 'feedback_events', {
    count: RESPONSES + THREADS,
    change(at) {
      const thread = at - RESPONSES
      const id = thread < 0 ? `rsp_${number(at)}` : `cmt_${number(2 * thread)}`
      const type = thread < 0 ? 'response' : 'comment'
      const pageId = `pg_${number(thread < 0 ? 200 + (at % 800) : thread % 200)}`
      return { type, number: at + 2, object_id: id, item_id: id, page_id: pageId, is_read: at % 2 }
    },
  })
  return owner
}

test('the inbox costs little with 100,000 items on 1,000 pages, beside 1,000 in the trash', async () => {
  await using app = await testApp('sqlite')
  const owner = await busyOwner(app)
  const read = (query: string) => owner.ask<InboxAnswer>('GET', `/inbox?${query}`)
  const { counts, items } = await read('limit=50')
  expect(counts).toMatchObject({ threads: THREADS + 1, responses: RESPONSES })
  expect(items).toHaveLength(50)
  const last = `page_id=pg_${'0'.repeat(26)}`
  expect((await read(last)).counts.threads).toBe(THREADS / 200)
  // 20 ms on a machine that does nothing else; reading all items would take 200 ms.
  for (const query of ['limit=50', 'limit=1', 'state=unread&kind=request']) {
    expect(await leastProcessorMs(() => read(query), 5)).toBeLessThan(150)
  }
  // 0.1 ms; reading all events would take 20 ms.
  const sweep = () => sequence.sweep(app.database, app.clock)
  expect(await leastProcessorMs(sweep)).toBeLessThan(5)
}, 240_000)
