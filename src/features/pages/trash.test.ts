import { describe, expect, it } from 'bun:test'
import { refusesTrashed } from '../../model/operation.ts'
import type { ListedPage } from '../../model/page/page-object.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { FORM, openPage, respond } from '../../testing/form-page.ts'
import type { Owner } from '../../testing/people.ts'
import { createThread } from '../../testing/test-comments.ts'
import { changePage } from './changes.ts'

const DAY_MS = 24 * HOUR_MS

const trash = (owner: Owner, id: string) => owner.ask('POST', `/pages/${id}/trash`)
const takeBack = (owner: Owner, id: string) => owner.ask('DELETE', `/pages/${id}/trash`)

async function titles(owner: Owner, query = ''): Promise<(string | null)[]> {
  return (await owner.ask<ListedPage[]>('GET', `/pages?${query}`)).map(({ title }) => title)
}

async function answerOf(app: TestApp, slug: string) {
  const answer = await app.open(`/p/${slug}`)
  const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, text: await answer.text() }
}

for (const engine of ENGINES) {
  describe(`the trash on ${engine}`, () => {
    it('takes a page offline at once, and gives back what it was', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const settings = { title: 'Plan', access: 'password', password: 'open sesame' }
      const page = await owner.publish('<p>one', settings)
      const draft = await owner.publish('<p>draft', { publish: false })
      await owner.update(page.id, { html: '<p>two' })
      const before = await owner.page(page.id)
      await app.open(`/p/${page.slug}`)

      const trashed = await trash(owner, page.id)
      expect(trashed).toMatchObject({ is_published: false, state: 'trash', closed_by: null })
      expect(trashed.open_to).toBe('nobody: it is in the trash')
      expect(Date.parse(trashed.trashed_at!)).toBeGreaterThan(0)
      const [inTrash, unpublished] = [
        await answerOf(app, page.slug),
        await answerOf(app, draft.slug),
      ]
      expect(inTrash).toEqual(unpublished)
      expect(inTrash.status).toBe(404)
      const again = await trash(owner, page.id)
      expect(again.trashed_at).toBe(trashed.trashed_at)

      const back = await takeBack(owner, page.id)
      expect(back).toEqual(before)
      expect(back).toMatchObject({ state: 'changes', password: 'open sesame' })
      const visitor = app.visitor()
      await visitor.givePassword(`/p/${page.slug}`, 'open sesame')
      expect(await (await visitor.open(`/p/${page.slug}`)).text()).toContain('<p>one')
      const viewed = { ...before, views: 1 }
      expect(await takeBack(owner, page.id)).toEqual(viewed)
      await trash(owner, draft.id)
      expect(await takeBack(owner, draft.id)).toMatchObject({ state: 'draft' })
    })

    it('is left out of lists, counts and the sitemap, and listed by itself', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const one = await owner.publish('<p>one', { title: 'One', indexed: true })
      await owner.publish('<p>two', { title: 'Two', indexed: true })
      const map = async () => (await (await app.open('/sitemap.xml')).text()).includes(one.slug)
      expect(await map()).toBe(true)
      const { id: accountId } = (await app.accounts.findByEmail(owner.email))!
      const storedBytes = async () =>
        (await app.rows('accounts')).find(({ id }) => id === accountId)!.stored_bytes
      const stored = await storedBytes()
      await trash(owner, one.id)
      expect(await map()).toBe(false)
      expect(await titles(owner)).toEqual(['Two'])
      expect(await titles(owner, 'search=one')).toEqual([])
      for (const state of ['live', 'draft', 'changes', 'closed']) {
        expect(await titles(owner, `state=${state}`)).not.toContain('One')
      }
      expect(await titles(owner, 'state=trash')).toEqual(['One'])
      expect(await titles(owner, 'state=trash&search=two')).toEqual([])
      expect(await titles(await app.owner(), 'state=trash')).toEqual([])
      expect(await app.pages.count(accountId, app.database.read)).toMatchObject({ pages: 1 })
      expect(await storedBytes()).toBe(stored)
    })

    it('keeps the slug, and frees the title: what comes back gets a number', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const first = await owner.publish('<p>first', { title: 'Plan', slug: 'the-plan' })
      await trash(owner, first.id)
      const second = await owner.publish('<p>second', { title: 'Plan' })
      expect(second.title).toBe('Plan')
      const { status } = await owner.refused('PATCH', `/pages/${second.id}`, { slug: 'the-plan' })
      expect(status).toBe(409)
      const back = await takeBack(owner, first.id)
      expect([back.title, back.slug, back.state]).toEqual(['Plan (2)', 'the-plan', 'live'])
    })

    it('refuses every change of a page in it, and answers every read', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<p>one')
      await trash(owner, page.id)
      const writes = app.operations
        .map(({ contract }) => contract)
        .filter(refusesTrashed)
        .map(({ http: { method, path } }) => ({ method, path: path.replace('{id}', page.id) }))
      expect(writes.length).toBeGreaterThan(12)
      for (const { method, path } of writes) {
        const place = path.replace(/\{\+?\w+\}/g, '1')
        const { status, body } = await owner.refused(method, place, {})
        expect([`${method} ${path}`, status, body.error.code]).toEqual([
          `${method} ${path}`,
          409,
          'in_trash',
        ])
      }
      expect((await owner.call('GET', `/pages/${page.slug}`)).status).toBe(200)
      expect(await owner.html(page.id)).toBe('<p>one')
      expect(await owner.versions(page.id)).toHaveLength(1)
      const stored = (await app.pages.find(page.id))!
      const change = { onDraft: false, apply: async () => stored }
      await expect(
        changePage(
          app.pages.deps,
          { page: stored, context: { source: 'api', hasIfMatch: false, idempotency: null } },
          change,
        ),
      ).rejects.toMatchObject({ code: 'in_trash' })
    })

    it('hides its comments from the inbox, takes no responses, and keeps both', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const thread = await createThread(app, owner, { title: 'Talk' })
      await thread.post('one', 'First')
      const form = await owner.publish(FORM)
      const opened = await openPage(createBrowser(app), `/p/${form.slug}`)
      expect(await respond(app, opened)).toBe(200)
      const inbox = async () =>
        (await owner.ask<{ items: unknown[] }>('GET', '/inbox')).items.length
      expect(await inbox()).toBe(2)
      await trash(owner, thread.id)
      await trash(owner, form.id)
      expect(await inbox()).toBe(0)
      expect(await owner.ask<unknown[]>('GET', '/inbox/pages')).toEqual([])
      const mails = app.mails.length
      expect(await respond(app, opened)).toBe('404 not_published')
      expect(app.mails).toHaveLength(mails)
      const nothing = { versions: 1, responses: 0, comments: 0, decisions: 0 }
      expect(await owner.ask<object>('GET', `/pages/${form.id}/counts`)).toMatchObject({
        ...nothing,
        responses: 1,
      })
      expect(await owner.ask<object>('GET', `/pages/${thread.id}/counts`)).toMatchObject({
        ...nothing,
        comments: 1,
      })
      await takeBack(owner, thread.id)
      await takeBack(owner, form.id)
      expect(await inbox()).toBe(2)
      expect(await respond(app, opened)).toBe(200)
    })

    it('invites nobody to sign in, and asks no approver', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const approver = 'ann@example.com'
      const page = await owner.publish('<p>one', {
        ...{ access: 'people', allowed_emails: [approver], require_signin: true },
        ...{ collect_approvals: true, approver_emails: [approver] },
      })
      await owner.ask('POST', `/pages/${page.id}/approvals/requests`, {
        due_at: new Date(app.clock.ms() + 4 * DAY_MS).toISOString(),
      })
      expect(await app.pages.invitationOf(approver)).toEqual({ isInvited: true, mustSignIn: true })
      await trash(owner, page.id)
      expect(await app.pages.invitationOf(approver)).toEqual({
        isInvited: false,
        mustSignIn: false,
      })
      app.advance(2 * DAY_MS)
      expect(await app.approvals.remind()).toBe(0)
    })

    it('is emptied of what is in it for thirty days, and of nothing else', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [old, back, late, kept] = [
        await owner.publish('<p>old', { slug: 'old-page' }),
        await owner.publish('<p>back'),
        await owner.publish('<p>late'),
        await owner.publish('<p>kept'),
      ]
      await trash(owner, old.id)
      await trash(owner, back.id)
      app.advance(HOUR_MS)
      await trash(owner, late.id)
      app.advance(30 * DAY_MS - 2 * HOUR_MS)
      expect(await app.pages.sweepTrash()).toBe(0)
      await takeBack(owner, back.id)
      app.advance(HOUR_MS + 1)
      expect(await app.pages.sweepTrash()).toBe(1)
      expect((await owner.call('GET', `/pages/${old.id}`)).status).toBe(404)
      expect((await app.rows('pages')).map(({ id }) => id).toSorted()).toEqual(
        [back.id, late.id, kept.id].toSorted(),
      )
      const other = await app.owner()
      const taken = await other.refused('POST', '/pages', { html: '<p>x', slug: 'old-page' })
      expect(taken.body.error.code).toBe('slug_taken')
      expect((await owner.publish('<p>new', { slug: 'old-page' })).slug).toBe('old-page')
    })

    it('can be deleted from, and goes with its account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [one, two] = [await owner.publish('<p>one'), await owner.publish('<p>two')]
      await trash(owner, one.id)
      await trash(owner, two.id)
      expect((await owner.call('DELETE', `/pages/${one.id}`)).status).toBe(204)
      expect(await app.rows('pages')).toMatchObject([{ id: two.id }])
      const { id: accountId } = (await app.accounts.findByEmail(owner.email))!
      await app.pages.deleteAll(accountId)
      expect(await app.rows('pages')).toEqual([])
      expect(await app.rows('versions')).toEqual([])
    })
  })
}

it('closes a page on every node, and opens it again', async () => {
  await using app = await testApp('postgres')
  const other = await app.node()
  const owner = await app.owner()
  const page = await owner.publish('<p>one')
  // A node hears of what another has written by a message, which takes its time.
  const isSeen = async (status: number) => {
    while ((await other.open(`/p/${page.slug}`)).status !== status) await Bun.sleep(5)
  }
  await isSeen(200)
  await trash(owner, page.id)
  await isSeen(404)
  await takeBack(owner, page.id)
  await isSeen(200)
})
