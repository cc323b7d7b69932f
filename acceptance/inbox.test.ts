/** What waits for an owner on all pages, by `GET /inbox`. */
import { expect, test } from 'bun:test'
import { appOf } from './app-session.ts'
import { approver, confirmed } from './approvals/approver.ts'
import { type Answer, dataOf, type Owner, type Page, send } from './client.ts'
import { listOf, panelOf } from './comments/panel.ts'
import { expectRefusal } from './expect.ts'
import { formTo, person } from './gates/person.ts'
import { newEmail, newOwner, own, signedIn } from './gates/setup.ts'
import { html, word } from './material.ts'

interface Item {
  readonly kind: string
  readonly id: string
  readonly at: string
  readonly page: Page
  readonly [part: string]: unknown
}
interface Inbox {
  readonly items: Item[]
  readonly counts: { threads: number; requests: number; decisions: number; responses: number }
  readonly unread: number
  readonly next_cursor: string | null
}

const inboxOf = async (by: Owner, query = '') =>
  dataOf<Inbox>(await by.call('GET', `/inbox${query}`))

const comment = async (page: Page, body: string) => (await (await panelOf(page)).comment(body)).id

async function askFor({ slug }: Page, email: string): Promise<void> {
  const who = person()
  const { action, fields } = formTo(await who.open(`/p/${slug}`), '/request')
  await who.post(action, { ...fields, email })
}

/** An owner with a thread, a request and a decision, in this order. */
async function busy() {
  const by = await newOwner()
  const [ann, ben] = [newEmail('ann'), newEmail('ben')]
  const publish = (settings: object) => by.publish({ html: html(word('plan')), ...settings })
  const talk = await publish({ allow_comments: true, title: word('talk') })
  const invited = await publish({ access: 'people', allow_access_requests: true })
  const signed = await publish({ collect_approvals: true, approver_emails: [ann] })
  const threadId = await comment(talk, 'Why nine?')
  await askFor(invited, ben)
  await approver(await confirmed(ann)).decide(signed, { note: 'Fine.' })
  return { by, ann, ben, talk, invited, signed, threadId }
}

own('GET inbox has what waits on all pages, newest first, with its page and counts', async () => {
  const { by, ann, ben, talk, invited, signed, threadId } = await busy()
  const { items, counts, unread, next_cursor: next } = await inboxOf(by)
  expect(counts).toEqual({ threads: 1, requests: 1, decisions: 1, responses: 0 })
  expect(unread).toBe(3)
  expect(next).toBeNull()
  expect(items).toMatchObject([
    {
      kind: 'decision',
      page: { id: signed.id },
      decision: {
        email: ann,
        decision: 'approved',
        note: 'Fine.',
        version_no: 1,
        is_current: true,
      },
    },
    { kind: 'request', page: { id: invited.id }, request: { email: ben, decision: null } },
    { kind: 'thread', id: threadId, thread: (await listOf(by, talk))[0]! as object },
  ])
  const { id, slug, title, url } = talk
  expect(items[2]!.page).toEqual({ id, slug, title, url, allow_comments: true } as never)
  const app = appOf(await signedIn(by.email))
  expect(dataOf<Inbox>(await app('GET', '/inbox')).items).toEqual(items)
})

own('a viewer’s reply moves its thread to the front, the owner’s own does not', async () => {
  const { by, talk, threadId } = await busy()
  const reply = { body: 'Nine is too early.', parent_id: threadId }
  dataOf(await by.call('POST', `/pages/${talk.id}/comments`, reply), 201)
  const kinds = async () => (await inboxOf(by)).items.map(({ kind, is_read }) => [kind, is_read])
  expect(await kinds()).toEqual([
    ['decision', false],
    ['request', false],
    ['thread', true],
  ])
  await (await panelOf(talk)).comment('Then ten?', { parent_id: threadId })
  expect((await kinds())[0]).toEqual(['thread', false])
})

own('what is resolved, hidden or decided leaves the inbox', async () => {
  const { by, ann, talk, invited, threadId } = await busy()
  const reply = { body: 'Nine is too early.', parent_id: threadId }
  dataOf(await by.call('POST', `/pages/${talk.id}/comments`, reply), 201)
  const { items } = await inboxOf(by)
  const path = `/pages/${talk.id}/comments/${threadId}`
  dataOf(await by.call('PATCH', path, { is_hidden: true }))
  const request = items.find(({ kind }) => kind === 'request')!.id
  const decide = `/pages/${invited.id}/access-requests/${request}`
  dataOf(await by.call('POST', decide, { decision: 'approve' }))
  const left = await by.call('GET', '/inbox')
  const counts = { threads: 0, requests: 0, decisions: 1, responses: 0 }
  expect(dataOf<Inbox>(left).counts).toEqual(counts)
  expect(left.text).toContain(ann)
  expect(left.text).not.toContain('Why nine?')
  expect(left.text).not.toContain('too early')
})

own('the inbox is read in parts: none skips or repeats what has not changed', async () => {
  const by = await newOwner()
  const page = await by.publish({ html: html(word('plan')), allow_comments: true })
  const ids: string[] = []
  for (const body of ['one', 'two', 'three', 'four', 'five']) {
    ids.unshift(await comment(page, body))
  }
  const first = await inboxOf(by, '?limit=2')
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  await comment(page, 'six')
  dataOf(await by.call('PATCH', `/pages/${page.id}/comments/${ids[1]}`, { state: 'resolved' }))
  const second = await inboxOf(by, `?limit=2&cursor=${first.next_cursor}`)
  const third = await inboxOf(by, `?limit=2&cursor=${second.next_cursor}`)
  expect([...second.items, ...third.items].map(({ id }) => id)).toEqual(ids.slice(2))
  expect(third).toMatchObject({ counts: { threads: 5 }, next_cursor: null })
})

own('the inbox is filtered by kind and page, and names the pages that have something', async () => {
  const { by, talk, invited, signed, threadId } = await busy()
  await comment(talk, 'Why ten?')
  const { items, counts } = await inboxOf(by, `?kind=thread&page_id=${talk.id}&limit=1`)
  expect(items).toMatchObject([{ kind: 'thread', thread: { body: 'Why ten?' } }])
  expect(counts).toEqual({ threads: 2, requests: 0, decisions: 0, responses: 0 })
  const older = await inboxOf(by, `?kind=thread&page_id=${talk.id}`)
  expect(older.items.map(({ id }) => id)).toEqual([items[0]!.id, threadId])
  expect((await inboxOf(by, `?kind=thread&page_id=${signed.id}`)).items).toEqual([])
  expect((await inboxOf(by, '?kind=request')).items).toMatchObject([{ page: { id: invited.id } }])
  const pages = dataOf<(Page & { items: number })[]>(await by.call('GET', '/inbox/pages'))
  expect(pages[0]).toMatchObject({ id: talk.id, title: talk.title, items: 2 })
  expect(pages.map(({ id }) => id).sort()).toEqual([talk.id, invited.id, signed.id].sort())
  const other = await newOwner()
  expectRefusal(await other.call('GET', `/inbox?page_id=${talk.id}`), 400, 'invalid_parameter')
  expect(dataOf<Page[]>(await other.call('GET', '/inbox/pages'))).toEqual([])
})

own('PATCH inbox marks items as read and done; what somebody writes anew comes back', async () => {
  const { by, talk, threadId } = await busy()
  const mark = async (owner: Owner, said: object) =>
    dataOf<Inbox & { ids: string[] }>(await owner.call('PATCH', '/inbox', said))
  const seen = await mark(by, { ids: [threadId], is_read: true })
  expect(seen).toMatchObject({ ids: [threadId], unread: 2 })
  const done = await mark(by, { ids: [threadId], is_done: true })
  expect(done.counts).toEqual({ threads: 0, requests: 1, decisions: 1, responses: 0 })
  expect((await inboxOf(by, '?state=done')).items.map(({ id }) => id)).toEqual([threadId])
  await (await panelOf(talk)).comment('And ten?', { parent_id: threadId })
  const [first] = (await inboxOf(by, '?state=unread')).items
  expect(first).toMatchObject({ id: threadId, is_read: false, is_done: false })
  const other = await newOwner()
  expect((await mark(other, { ids: [threadId], is_done: true })).ids).toEqual([])
  expect((await inboxOf(by)).items[0]!.id).toBe(threadId)
})

own('nobody else reads any of it, and a cursor that no answer had is refused', async () => {
  const { by } = await busy()
  const { next_cursor: cursor } = await inboxOf(by, '?limit=1')
  const other = await newOwner()
  const counts = { threads: 0, requests: 0, decisions: 0, responses: 0 }
  for (const query of ['', `?cursor=${cursor}`]) {
    expect(await inboxOf(other, query)).toEqual({ items: [], counts, unread: 0, next_cursor: null })
  }
  const refused: [string, string][] = [
    ['?cursor=x', 'cursor'],
    [`?cursor=${'x'.repeat(300)}`, 'cursor'],
    ['?limit=0', 'limit'],
    ['?limit=201', 'limit'],
    ['?kind=threads', 'kind'],
    ['?page_id=', 'page_id'],
    ['?page_id=pg_1%00', 'page_id'],
  ]
  for (const [query, param] of refused) {
    const answer: Answer = await by.call('GET', `/inbox${query}`)
    expectRefusal(answer, 400, 'invalid_parameter')
    expect(answer.json).toMatchObject({ error: { param } })
  }
})

test('the inbox asks for a key', async () => {
  expectRefusal(await send('/api/v1/inbox'), 401, 'missing_key')
})
