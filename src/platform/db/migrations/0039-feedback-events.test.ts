import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'
import { feedbackEvents } from './0039-feedback-events.ts'

const EARLIER = MIGRATIONS.slice(0, MIGRATIONS.indexOf(feedbackEvents))

const page = (id: string, accountId: string, importingAt: string | null = null) =>
  sql`INSERT INTO pages (id, account_id, slug, settings, access_epoch, source, draft_id, is_listed,
      revision, created_at, updated_at, access, search_text, importing_at)
    VALUES (${id}, ${accountId}, ${id}, '{}', 1, 'api', 'm', 0, 1, '2026', '2026', 'link', '',
      ${importingAt})`
interface Comment {
  by?: 'owner' | 'anonymous'
  of?: string
  state?: string
  hidden?: 1
  page?: string
}
const comment = (
  at: string,
  { by = 'anonymous', of, state = 'open', hidden, page }: Comment = {},
) =>
  sql`INSERT INTO comments (id, page_id, parent_id, author_kind, author_key, submission_id, body,
      path, version_no, file_hash, anchor_places, anchor_manifest_id, state, is_hidden, is_deleted,
      created_at, revision, account_id, last_at)
    VALUES (${`c${at}`}, ${page ?? 'p1'}, ${of ?? null}, ${by}, 'key', ${at}, 'x', '', 1, 'h', '[]',
      'm', ${state}, ${hidden ?? 0}, 0, ${at}, 1, 'acc_1', ${at})`
const request = (at: string, decidedAt: string | null, inInbox: number) =>
  sql`INSERT INTO access_requests (id, page_id, account_id, email, created_at, decided_at, in_inbox)
    VALUES (${`r${at}`}, 'p1', 'acc_1', ${at}, ${at}, ${decidedAt}, ${inInbox})`
const decision = (at: string, inInbox: number, importedAt: string | null = null) =>
  sql`INSERT INTO approval_decisions (id, page_id, email, decision, manifest_id, version_no,
      decided_at, imported_at, account_id, in_inbox)
    VALUES (${`d${at}`}, 'p1', 'ann', 'approved', 'm', 1, ${at}, ${importedAt}, 'acc_1', ${inInbox})`
const account = (id: string) =>
  sql`INSERT INTO accounts (id, email, plan, created_at) VALUES (${id}, ${id}, 'free', '2026')`

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`what viewers did before is one sequence, and waits as it did, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, EARLIER)
    await it.run(
      ...[account('acc_1'), account('acc_2'), page('p1', 'acc_1'), page('p2', 'acc_2')],
      ...[page('hidden', 'acc_1', '2026'), comment('00', { page: 'hidden' })],
      ...[comment('01'), comment('02', { of: 'c01' }), comment('03', { of: 'c01', by: 'owner' })],
      ...[comment('04', { by: 'owner' }), comment('05', { state: 'resolved' })],
      ...[comment('06', { hidden: 1 }), comment('07'), comment('20', { page: 'p2' })],
      ...[request('08', null, 1), request('09', '2026', 0), request('10', null, 0)],
      ...[decision('11', 0), decision('12', 1), decision('13', 0, '2026')],
      sql`INSERT INTO responses (id, page_id, viewer, respondent, submitted_at, created_at, path,
          submit_count, data, size_bytes, submissions)
        VALUES ('s14', 'p1', 'v', 'Ann', '14', '14', '', 1, '{}', 2, '')`,
      sql`INSERT INTO polls (page_id, vote_count, option_count) VALUES ('p1', 2, 1)`,
      sql`INSERT INTO votes (page_id, voter, option_no, email, name, voted_at)
        VALUES ('p1', 'named', 1, 'ann', 'Ann', '15')`,
      sql`INSERT INTO votes (page_id, voter, ballot) VALUES ('p1', 'secret', 'sealed')`,
    )

    expect(await migrate(it.database, testSecrets)).toContain('0039-feedback-events')

    type Row = Record<string, unknown>
    const rows = (await it.rows<Row>('feedback_events')).sort(
      (a, b) => Number(a.number) - Number(b.number),
    )
    const one = rows.filter((row) => row.account_id === 'acc_1')
    expect(one.map(({ number }) => Number(number))).toEqual(one.map((_, at) => at + 1))
    expect(
      one.map(({ type, object_id: id, item_id: item, is_own: own, is_read: read, place }) =>
        [type, id, item, own, read, place].join(' '),
      ),
    ).toEqual([
      'comment c01 c01 0 1 ',
      'reply c02 c01 0 1 open',
      'reply c03 c01 1 1 ',
      'comment c04 c04 1 1 open',
      'comment c05 c05 0 1 closed',
      'comment c06 c06 0 1 ',
      'comment c07 c07 0 0 open',
      'access_request r08 r08 0 0 open',
      'access_request r09 r09 0 1 closed',
      'access_request r10 r10 0 1 ',
      'approval d11 d11 0 1 ',
      'approval d12 d12 0 1 open',
      'response s14 s14 0 1 done',
      'vote named  0 1 ',
    ])
    const others = rows.filter((row) => row.account_id === 'acc_2')
    expect(others.map(({ number, item_id: id }) => [Number(number), id])).toEqual([[1, 'c20']])
    const counters = await it.rows<Row>('feedback_counters')
    expect(counters.map((row) => [row.account_id, Number(row.last_number)]).sort()).toEqual([
      ['acc_1', 14],
      ['acc_2', 1],
    ])
  })
}
