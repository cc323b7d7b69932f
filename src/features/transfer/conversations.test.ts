import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { exported, imported, type Row, rowsIn } from '../../testing/archives.ts'
import { discussed } from '../../testing/discussed.ts'
import { createPoll } from '../../testing/test-poll.ts'
import type { InboxAnswer } from '../inbox/contract.ts'

function sorted(rows: Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}

/** The rows with what the importing server makes anew replaced by the place in their file. */
function comparable(rows: Row[]): Row[] {
  const ids = new Map(rows.map(({ id }, index) => [id, index]))
  const authors = new Map(rows.map(({ author_key: key }) => [key, 0]))
  for (const [index, key] of [...authors.keys()].entries()) authors.set(key, index)
  return rows.map(({ anchor_manifest_id, ...row }) => ({
    ...row,
    id: ids.get(row.id),
    parent_id: row.parent_id === null ? null : ids.get(row.parent_id),
    author_key: authors.get(row.author_key),
    author_kind: row.author_kind === 'confirmed' ? 'imported' : row.author_kind,
  }))
}

for (const engine of ENGINES) {
  describe(`what visitors gave, on ${engine}`, () => {
    it('is imported: comments with their threads, authors, anchors and states', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const thread = await discussed(one, owner)
      const archive = await exported(one, owner)
      const [page] = await imported(two, target, archive)
      expect(page).toMatchObject({ status: 'imported', left_out: [] })
      const before = await thread.list()
      const after = await target.ask<typeof before>('GET', `/pages/${page!.id}/comments`)
      const anew = (comments: typeof before) =>
        JSON.parse(
          JSON.stringify(comments, (key, value) => {
            return key === 'id' ? '' : value === 'confirmed' ? 'imported' : value
          }),
        )
      expect(anew(after)).toEqual(anew(before))
      expect(before[0]).toMatchObject({ anchor_state: 'moved', version_no: 1 })
      expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id))
      const again = await exported(two, target)
      const [rows, rowsAgain] = [rowsIn(archive, 'comments'), rowsIn(again, 'comments')]
      expect(rows).toHaveLength(7)
      expect(comparable(rowsAgain)).toEqual(comparable(rows))
    })

    it('mails nobody whose address another server confirmed, and takes new comments', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      await discussed(one, owner)
      const [page] = await imported(two, target, await exported(one, owner))
      const path = `/pages/${page!.id}/comments`
      const [first] = await target.ask<{ id: string; replies: object[] }[]>('GET', path)
      await target.ask('POST', path, { body: 'Hello again', parent_id: first!.id })
      const [answered] = await target.ask<{ replies: { body: string }[] }[]>('GET', path)
      expect(answered!.replies.at(-1)!.body).toBe('Hello again')
      const mails = await two.rows('outbox')
      expect(mails.filter(({ to_address: to }) => to === 'ann@example.com')).toEqual([])
      const [counter] = await two.rows('comment_counters')
      expect(counter!.count).toBe(8)
    })

    it('has votes: named ones stay their voters’, secret ones stay secret', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const poll = await createPoll(one, owner, { slug: 'the-poll' })
      await poll.vote('dan', 'B')
      await poll.vote({ device: 'eve', email: 'eve@example.com' }, 'B')
      await poll.update({ poll_require_email: true, poll_named: true })
      await poll.vote({ device: 'ann', email: 'ann@example.com' }, 'A', { name: 'Ann' })
      await poll.update({ poll_options: ['A', 'C'] })
      const archive = await exported(one, owner)
      expect([...archive.values()].join()).not.toContain('eve@example.com')
      const secret = rowsIn(archive, 'votes').filter(({ email }) => email === null)
      const nothing = { email: null, name: null, voted_at: null }
      expect(secret).toEqual([
        { option_no: 2, ...nothing },
        { option_no: 2, ...nothing },
      ])
      // Named votes of one person by two tags, as older servers took them, are both kept.
      const tagged = ['ann+1', 'ann', 'ann+2', 'bob+1'].map((name) => `${name}@example.com`)
      const ofBoth = new Map(archive)
      const votesFile = [...archive.keys()].find((name) => name.endsWith('votes.ndjson'))!
      const named = rowsIn(archive, 'votes').find(({ email }) => email !== null)!
      const lines = tagged.map((email) => JSON.stringify({ ...named, email }))
      ofBoth.set(votesFile, lines.join('\n'))
      const [both] = await imported(two, await two.owner(), ofBoth)
      expect(both).toMatchObject({ status: 'imported' })
      const stored = (await two.rows('votes')).map(({ email }) => email)
      expect(stored.sort()).toEqual(tagged.sort())

      const [page] = await imported(two, target, archive)
      const before = await poll.results()
      const after = await target.ask<typeof before>('GET', `/pages/${page!.id}/poll`)
      expect(after).toEqual(before)
      const again = await exported(two, target)
      expect(sorted(rowsIn(again, 'votes'))).toEqual(sorted(rowsIn(archive, 'votes')))
      const there = (await two.pages.find(page!.id))!
      const facts = { isOwner: false, emails: ['ann@example.com'], device: 'another' }
      const ann = two.viewers.participantOf(there, facts)
      await two.polls.vote(there, ann, { option: 'C', is_named: true, name: 'Ann' })
      const changed = await target.ask<typeof before>('GET', `/pages/${page!.id}/poll`)
      expect(changed.options.map(({ votes }) => votes)).toEqual([0, 1])
    })

    it('has access requests, which the owner of the imported page answers', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const [owner, target] = [await one.owner(), await two.owner()]
      const settings = { access: 'people', allow_access_requests: true, slug: 'asked-for' }
      const { id } = await owner.publish('<p>x', settings)
      const current = (await one.pages.find(id))!
      for (const who of ['ann', 'bob'])
        await one.access.requestAccess(current, `${who}@example.com`)
      type Request = { id: string; email: string; decision: string | null }
      const [newest] = await owner.ask<Request[]>('GET', `/pages/${id}/access-requests`)
      await owner.ask('POST', `/pages/${id}/access-requests/${newest!.id}`, { decision: 'deny' })
      const archive = await exported(one, owner)
      const [page] = await imported(two, target, archive)
      const path = `/pages/${page!.id}/access-requests`
      const there = await target.ask<Request[]>('GET', path)
      const { items } = await target.ask<InboxAnswer>('GET', '/inbox')
      expect(items).toMatchObject([{ kind: 'request', request: { email: 'ann@example.com' } }])
      expect(rowsIn(archive, 'access_requests')).toEqual(there.map(({ id: _id, ...row }) => row))
      expect(there.map(({ email, decision }) => [email, decision])).toEqual([
        ['bob@example.com', 'deny'],
        ['ann@example.com', null],
      ])
      await target.ask('POST', `${path}/${there[1]!.id}`, { decision: 'approve' })
      expect((await target.page(page!.id)).allowed_emails).toEqual(['ann@example.com'])
    })
  })
}
