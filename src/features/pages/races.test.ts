import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { rowCounts } from '../../testing/dump.ts'
import { htmlOf } from '../../testing/material.ts'
import type { Answer, Owner, Refused } from '../../testing/people.ts'

interface Write {
  method: string
  path: string
  body?: object
}
const patch = (body: object): Write => ({ method: 'PATCH', path: '', body })
const edit = (find: string, replace: string, more = {}): Write => ({
  method: 'PATCH',
  path: '/html',
  body: { edits: [{ find, replace }], ...more },
})
const publish: Write = { method: 'POST', path: '/publish' }
const restore: Write = { method: 'POST', path: '/versions/1/restore' }

/** Sends both writes; the second ends after the first has read the page and before it writes. */
async function race(app: TestApp, owner: Owner, id: string, first: Write, second: Write) {
  const send = ({ method, path, body }: Write) =>
    owner.call<Refused>(method, `/pages/${id}${path}`, body)
  const hold = app.holdWrite()
  const late = send(first)
  await hold.reached
  const early = await send(second)
  const before = await rowCounts(app)
  hold.release()
  return { early, late: await late, before }
}

function expectConflict({ status, body }: Answer<Refused>): void {
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  expect(body.error.message).toContain('nothing was written')
}

for (const engine of ENGINES) {
  describe(`writes at the same time on ${engine}`, () => {
    it('of content: the first one succeeds, the other is 409 and writes nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const late: Write[] = [
        patch({ html: '<!doctype html><p>late', title: 'Late' }),
        edit('base', 'late'),
        edit('base', 'late', { publish: true }),
        publish,
        restore,
        { ...restore, body: { publish: true } },
      ]
      const early = [patch({ html: '<!doctype html><p>early' }), edit('base', 'early')]
      for (const first of late) {
        for (const second of early) {
          const { id, slug } = await owner.publish('<!doctype html><p>old')
          await owner.update(id, { html: '<!doctype html><p>base' })
          const raced = await race(app, owner, id, first, second)
          expect(raced.early.status).toBe(200)
          expectConflict(raced.late)
          expect(await rowCounts(app)).toEqual(raced.before)
          expect(await owner.html(id)).toBe('<!doctype html><p>early')
          expect(await (await app.open(`/p/${slug}`)).text()).toBe('<!doctype html><p>old')
          const now = await owner.page(id)
          expect(now).toMatchObject({ title: null, has_unpublished_changes: true })
          expect(await owner.versions(id)).toHaveLength(3)
        }
      }
    })

    it('of content, eight of them, save as many versions as are answered 200', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const size of [200, 70_000]) {
        const { id } = await owner.publish(htmlOf(size))
        const texts = Array.from({ length: 8 }, () => htmlOf(size))
        const writes = texts.map((html) => owner.call<Refused>('PATCH', `/pages/${id}`, { html }))
        const answers = await Promise.all(writes)
        const won = texts.filter((_, at) => answers[at]!.status === 200)
        expect(won.length).toBeGreaterThanOrEqual(1)
        for (const answer of answers) if (answer.status !== 200) expectConflict(answer)
        expect(await owner.versions(id)).toHaveLength(1 + won.length)
        expect(won).toContain(await owner.html(id))
      }
    })

    it('of content and of settings both succeed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<!doctype html><p>base')
      const settings = patch({ title: 'Named', accent: 'red', slug: 'named-page' })
      const one = await race(app, owner, id, edit('base', 'new'), settings)
      expect([one.early.status, one.late.status]).toEqual([200, 200])
      const two = await race(app, owner, id, patch({ accent: 'green' }), edit('new', 'newer'))
      expect([two.early.status, two.late.status]).toEqual([200, 200])
      const off = { method: 'DELETE', path: '/publish' }
      const three = await race(app, owner, id, publish, off)
      expect([three.early.status, three.late.status]).toEqual([200, 200])
      expect(await owner.html(id)).toBe('<!doctype html><p>newer')
      const whole = { title: 'Named', accent: 'green', slug: 'named-page', is_published: true }
      expect(await owner.page(id)).toMatchObject(whole)
    })

    it('of different settings both succeed', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<!doctype html><p>x')
      const first = patch({ og_title: 'One', access: 'password', max_views: 5 })
      const second = patch({ og_description: 'Two', allow_comments: true, indexed: true })
      const { early, late } = await race(app, owner, id, first, second)
      expect([early.status, late.status]).toEqual([200, 200])
      expect(await owner.page(id)).toMatchObject({
        ...first.body,
        ...second.body,
      })
      const members = ['title', 'og_title', 'og_description', 'slug', 'poll_question'] as const
      const patches = members.map((name, at) => owner.update(id, { [name]: `value-${at}` }))
      await Promise.all(patches)
      const now = await owner.page(id)
      for (const [at, name] of members.entries()) expect(now[name]).toBe(`value-${at}`)
    })

    it('of settings that contradict each other: the later one is 400', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const poll = { poll_question: 'Which?', poll_options: ['this', 'that'] }
      const { id } = await owner.publish('<!doctype html><p>x', poll)
      const on = patch({ collect_votes: true, title: 'Poll' })
      const { early, late, before } = await race(app, owner, id, on, patch({ poll_options: [] }))
      expect(early.status).toBe(200)
      expect([late.status, late.body.error.code]).toEqual([400, 'contradictory_settings'])
      expect(await rowCounts(app)).toEqual(before)
      expect(await owner.page(id)).toMatchObject({ collect_votes: false, title: null })
    })

    it('with a deletion are 404', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const gone = { method: 'DELETE', path: '' }
      const people = { approver_emails: ['ann@example.com'], allowed_emails: ['ann@example.com'] }
      const settings = { allow_comments: true, collect_approvals: true, ...people }
      const post = (path: string, body = {}): Write => ({ method: 'POST', path, body })
      const writes = [
        ...[patch({ html: htmlOf(300) }), patch({ title: 'T' }), publish, gone],
        ...[post('/comments', { body: 'Hi' }), post('/links', { label: 'Ann' })],
        ...[post('/invitations'), post('/approvals/requests')],
        post('/personal-links', { email: 'ann@example.com', purpose: 'view' }),
      ]
      for (const first of writes) {
        const { id } = await owner.publish('<!doctype html><p>x', settings)
        const { early, late, before } = await race(app, owner, id, first, gone)
        expect(early.status).toBe(204)
        expect([late.status, late.body.error.code]).toEqual([404, 'page_not_found'])
        expect(await rowCounts(app)).toEqual(before)
        expect(await app.rows('pages')).toEqual([])
      }
    })

    it('for a page that their body names and that is deleted are 400, and name page_id', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const hook = { url: 'https://receiver.example/hook' }
      const { id: hookId } = await owner.ask('POST', '/webhooks', hook)
      const [people, question] = [['ann@example.com'], { kind: 'approval' }]
      const writes: Required<Write>[] = [
        { method: 'POST', path: '/webhooks', body: hook },
        { method: 'PATCH', path: `/webhooks/${hookId}`, body: {} },
        { method: 'POST', path: '/asks', body: { people, question } },
      ]
      const held: string[] = []
      for (const { method, path, body } of writes) {
        for (let nth = 1; ; nth++) {
          const { id } = await owner.publish('<!doctype html><p>x')
          const hold = app.holdWrite(nth)
          const late = owner.call<Refused>(method, path, { ...body, page_id: id })
          const isHeld = await Promise.race([hold.reached.then(() => true), late.then(() => false)])
          if (isHeld) await owner.call('DELETE', `/pages/${id}`)
          hold.release()
          if (!isHeld) break
          const { status, body: answer } = await late
          const { code, param } = answer.error
          expect([path, status, code, param]).toEqual([path, 400, 'invalid_parameter', 'page_id'])
          held.push(path)
        }
      }
      expect(held).toEqual([writes[0]!.path, writes[1]!.path, ...Array(4).fill('/asks')])
    })

    it('of one slug: one page gets it, and the others keep their own', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const pages = await Promise.all(
        [1, 2, 3, 4].map((at) => owner.publish(`<!doctype html><p>${at}`)),
      )
      const writes = pages.map(({ id }) => owner.call('PATCH', `/pages/${id}`, { slug: 'wanted' }))
      const statuses = (await Promise.all(writes)).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 409, 409, 409])
      const slugs = (await app.rows('pages')).map(({ slug }) => slug)
      expect(slugs.filter((slug) => slug === 'wanted')).toHaveLength(1)
      expect(slugs.filter((slug) => pages.some((page) => page.slug === slug))).toHaveLength(3)
    })
  })

  describe(`If-Match on ${engine}`, () => {
    const tagOf = async (owner: Owner, id: string, path = '') =>
      (await owner.call('GET', `/pages/${id}${path}`)).headers.get('etag')!

    it('is checked by every write: after any change it answers 412 and writes nothing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish('<!doctype html><p>x')
      const old = await tagOf(owner, id)
      expect(await tagOf(owner, id, '/html')).toBe(old)
      await app.open(`/p/${slug}`)
      expect(await tagOf(owner, id)).toBe(old)
      await owner.update(id, { accent: 'red' })
      const before = [await owner.page(id), await rowCounts(app)]
      const writes = [
        ...[
          patch({ title: 'T' }),
          patch({ html: '<!doctype html><p>y' }),
          edit('x', 'y'),
          publish,
          restore,
        ],
        ...[
          { method: 'DELETE', path: '/publish' },
          { method: 'DELETE', path: '' },
        ],
      ]
      for (const { method, path, body } of writes) {
        for (const tag of [old, '"other"', `"other", ${old}`, `W/${await tagOf(owner, id)}`]) {
          const sent = { 'if-match': tag }
          const answer = await owner.call<Refused>(method, `/pages/${id}${path}`, body, sent)
          expect([answer.status, answer.body.error.code]).toEqual([412, 'precondition_failed'])
        }
      }
      expect([await owner.page(id), await rowCounts(app)]).toEqual(before)
    })

    it('allows a write that names the current state of the page, or any state', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<!doctype html><p>x')
      for (const tag of [await tagOf(owner, id), '*', `"a", ${await tagOf(owner, id)}`]) {
        const now = tag === '*' ? tag : tag.replace(/"pg_[^"]*"/, await tagOf(owner, id))
        const body = { title: `T ${tag.length}` }
        const answer = await owner.call('PATCH', `/pages/${id}`, body, { 'if-match': now })
        expect(answer.status).toBe(200)
      }
    })

    it('is checked when the write is made: a change after the request was read makes it 412', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<!doctype html><p>x')
      const sent = { 'if-match': await tagOf(owner, id) }
      for (const { method, path, body } of [
        patch({ title: 'T' }),
        { method: 'DELETE', path: '' },
      ]) {
        const hold = app.holdWrite()
        sent['if-match'] = await tagOf(owner, id)
        const late = owner.call<Refused>(method, `/pages/${id}${path}`, body as object, sent)
        await hold.reached
        await owner.update(id, { og_title: `By another ${method}` })
        hold.release()
        const { status, body: said } = await late
        expect([status, said.error.code]).toEqual([412, 'precondition_failed'])
        expect((await owner.page(id)).title).toBeNull()
      }
    })
  })
}
