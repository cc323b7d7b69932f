import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { emptyDatabase } from '../../../testing/empty-database.ts'
import { testSecrets } from '../../../testing/test-secrets.ts'
import { MIGRATIONS, migrate } from '../migrate.ts'
import { inboxOrder } from './0023-inbox-order.ts'

const AT = MIGRATIONS.indexOf(inboxOrder)
const EARLIER = MIGRATIONS.slice(0, AT)

const page = (id: string, settings: { access?: string; [setting: string]: unknown }) =>
  sql`INSERT INTO pages (id, account_id, slug, title, settings, password_sealed, access_epoch,
      source, draft_id, published_id, published_at, is_listed, revision, created_at, updated_at,
      access, search_text)
    VALUES (${id}, 'acc_1', ${id}, NULL, ${JSON.stringify(settings)}, NULL, 1, 'api', 'm', NULL,
      NULL, 0, 1, '2026', '2026', ${settings.access ?? 'link'}, '')`
const comment = (id: string, parentId: string | null, at: string) =>
  sql`INSERT INTO comments (id, page_id, parent_id, author_kind, author_key, submission_id, body,
      path, version_no, file_hash, anchor_places, anchor_manifest_id, state, is_hidden, is_deleted,
      created_at, revision)
    VALUES (${id}, 'asks', ${parentId}, 'owner', 'owner', ${id}, 'x', '', 1, 'h', '[]', 'm', 'open',
      0, 0, ${at}, 1)`
const request = (id: string, pageId: string, decidedAt: string | null) =>
  sql`INSERT INTO access_requests (id, page_id, account_id, email, created_at, decided_at)
    VALUES (${id}, ${pageId}, 'acc_1', ${id}, '2026', ${decidedAt})`
const decision = (id: string, email: string, importedAt: string | null = null) =>
  sql`INSERT INTO approval_decisions (id, page_id, email, decision, manifest_id, version_no,
      decided_at, imported_at)
    VALUES (${id}, 'asks', ${email}, 'approved', 'm', 1, ${id}, ${importedAt})`

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`what waited before is in the inbox, on ${engine}`, async () => {
    await using it = await emptyDatabase(engine)
    await migrate(it.database, testSecrets, EARLIER)
    const approvals = { collect_approvals: true, approver_emails: ['ann', 'ben'] }
    await it.run(
      sql`INSERT INTO accounts (id, email, plan, created_at)
        VALUES ('acc_1', 'ann@example.com', 'free', '2026')`,
      page('asks', { access: 'people', allow_access_requests: true, ...approvals }),
      page('closed', { access: 'link', allow_access_requests: true }),
      comment('thread', null, '1'),
      comment('reply', 'thread', '3'),
      comment('alone', null, '2'),
      request('waits', 'asks', null),
      request('decided', 'asks', '2026'),
      request('elsewhere', 'closed', null),
      decision('1', 'ann'),
      decision('2', 'ann'),
      decision('3', 'ann', '2026'),
      decision('4', 'former'),
    )

    const through = MIGRATIONS.slice(0, AT + 1)
    expect(await migrate(it.database, testSecrets, through)).toEqual(['0023-inbox-order'])

    const comments = await it.rows<Record<string, unknown>>('comments')
    expect(new Map(comments.map((row) => [row.id, row.last_at]))).toEqual(
      new Map<unknown, unknown>([
        ['thread', '3'],
        ['reply', null],
        ['alone', '2'],
      ]),
    )
    const decisions = await it.rows<Record<string, unknown>>('approval_decisions')
    expect([...comments, ...decisions].every((row) => row.account_id === 'acc_1')).toBe(true)
    const listed = async (table: string) =>
      (await it.rows<Record<string, unknown>>(table))
        .filter((row) => row.in_inbox === 1)
        .map(({ id }) => id)
    expect(await listed('access_requests')).toEqual(['waits'])
    expect(await listed('approval_decisions')).toEqual(['2'])
  })
}
