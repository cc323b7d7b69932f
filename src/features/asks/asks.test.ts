import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { FORM, times } from '../../testing/test-form.ts'
import type { AskResult } from './contract.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const PEOPLE = [ANN, BEN]
const POLL = { kind: 'poll', question: 'Which one?', options: ['A', 'B'] }
const HTML = '<title>Plan</title><p>words'

type Created = AskResult & { mailed: string[]; links: { who: string; url: string }[] }

async function refused(owner: Owner, method: string, path: string, body?: object) {
  const { status, body: answer } = await owner.refused(method, path, body)
  return [status, answer.error.code]
}
const ask = (owner: Owner, fields: object) =>
  owner.ask<Created>('POST', '/asks', { people: PEOPLE, ...fields })
const read = (owner: Owner, id: string, query = '') =>
  owner.ask<AskResult>('GET', `/asks/${id}${query}`)

async function vote(
  app: TestApp,
  pageId: string,
  { email, isOwner = false }: { email: string; isOwner?: boolean },
  option: string,
): Promise<void> {
  const page = (await app.pages.find(pageId))!
  const who = { isOwner, emails: [email], device: email }
  const participant = app.viewers.participantOf(page, who)
  await app.polls.vote(page, participant, { option, is_named: true, name: null })
}

let submissions = 0
async function fillIn(app: TestApp, pageId: string, email: string, data: object): Promise<void> {
  const page = (await app.pages.find(pageId))!
  const viewer = app.viewers.viewerOf(page, { device: email, email })
  const form = { name: null, page_version: null, path: '', controls: [] }
  await app.responses.submit(page, viewer, {
    ...{ ...form, id: `submission-${++submissions}`, data: JSON.stringify(data) },
  })
}

for (const engine of ENGINES) {
  describe(`what is asked on ${engine}`, () => {
    it('makes a page for these people alone, mails them, and says who answered and who has not', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const made = await ask(owner, { html: HTML, question: POLL, message: 'By noon, please' })
      expect(made).toMatchObject({
        ...{ kind: 'poll', answered: [], waiting: PEOPLE, outcome: null },
        page: { title: 'Plan' },
      })
      expect(app.mails.map(({ to }) => to).toSorted()).toEqual(PEOPLE)
      expect(JSON.stringify(app.mails)).toContain('By noon, please')
      expect(await owner.ask('GET', `/pages/${made.page.id}`)).toMatchObject({
        ...{ access: 'people', allowed_emails: PEOPLE, is_published: true },
        ...{ collect_votes: true, poll_named: true, poll_require_email: true },
      })
      await vote(app, made.page.id, { email: ANN }, 'A')
      await vote(app, made.page.id, { email: ANN }, 'B')
      expect(await read(owner, made.id)).toMatchObject({
        answered: [{ who: ANN, answer: { option: 'B' } }],
        ...{ waiting: [BEN], outcome: null },
      })
      await vote(app, made.page.id, { email: BEN }, 'A')
      const result = await read(owner, made.id)
      expect([result.waiting, result.outcome]).toEqual([[], 'all_answered'])
      expect(result.answered.map(({ who }) => who)).toEqual(PEOPLE)
    })

    it('is answered by the owner of the account, whom an agent may ask', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { email } = owner
      const made = await ask(owner, { html: HTML, question: POLL, people: [email] })
      await vote(app, made.page.id, { email, isOwner: true }, 'A')
      expect(await read(owner, made.id)).toMatchObject({
        ...{ outcome: 'all_answered', answered: [{ who: email, answer: { option: 'A' } }] },
      })
    })

    it('is answered by a form with the data as sent, and not by others or before it was asked', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const invited = { access: 'people', allowed_emails: ['eve@example.com', ANN] }
      const { id } = await owner.publish(FORM, invited)
      await fillIn(app, id, ANN, { a: 'before' })
      const made = await ask(owner, { page_id: id, question: { kind: 'form' } })
      expect(made.waiting).toEqual(PEOPLE)
      const page = await owner.ask<{ allowed_emails: string[] }>('GET', `/pages/${id}`)
      expect(page.allowed_emails).toEqual(['eve@example.com', ANN, BEN])
      await fillIn(app, id, 'eve@example.com', { a: 'no' })
      await fillIn(app, id, BEN, { 2: 'two', a: 'x' })
      expect(await read(owner, made.id)).toMatchObject({
        answered: [{ who: BEN, version_no: null, answer: { data: { 2: 'two', a: 'x' } } }],
        waiting: [ANN],
      })
    })

    it('takes the label of a link for the person for whom the link was made', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish(FORM, { access: 'people', allowed_emails: [ANN] })
      for (const link of [{ label: 'Ben', email: BEN }, { label: 'The board' }]) {
        await owner.ask('POST', `/pages/${id}/links`, link)
      }
      const question = { kind: 'form' }
      const made = await ask(owner, { page_id: id, people: [ANN, 'Ben', BEN], question })
      expect(made.waiting).toEqual(PEOPLE)
      const body = { page_id: id, people: [ANN, 'The board'], question }
      const { body: answer } = await owner.refused('POST', '/asks', body)
      expect(answer.error).toMatchObject({ code: 'invalid_parameter', param: 'people.1' })
      expect((await owner.refused('POST', '/asks', { ...body, people: ['ann@'] })).status).toBe(400)
    })

    it('is waited for: the answer comes with the last person, at the deadline, or empty', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const made = await ask(owner, { html: HTML, question: POLL })
      const waiting = read(owner, made.id, '?wait_s=30')
      await vote(app, made.page.id, { email: ANN }, 'A')
      await vote(app, made.page.id, { email: BEN }, 'A')
      expect((await waiting).outcome).toBe('all_answered')
      const due_at = app.clock.after(HOUR_MS)
      const second = await ask(owner, { html: HTML, title: 'Two', question: POLL, due_at })
      expect((await read(owner, second.id)).outcome).toBeNull()
      app.advance(HOUR_MS + 1)
      expect((await read(owner, second.id, '?wait_s=30')).outcome).toBe('deadline')
    })

    it('tells who waits no answer that came once the key had ended, however soon', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const made = await ask(owner, { html: HTML, question: POLL })
      const account = (await app.accounts.findByEmail(owner.email))!
      const { run } = app.operations.find(({ contract }) => contract.name === 'getAsk')!
      let hasEnded = false
      /** The key ends the moment after it was asked for, and the last person answers. */
      async function renew() {
        if (hasEnded) throw new Error('The key has ended.')
        hasEnded = true
        await vote(app, made.page.id, { email: BEN }, 'A')
      }
      const input = { ask_id: made.id, wait_s: 20 }
      const subject = { account, context: { renew } }
      const waiting = run(subject as never, input as never, undefined as never)
      while (app.feedback.countWaits() === 0) await Bun.sleep(5)
      await vote(app, made.page.id, { email: ANN }, 'A')
      await expect(waiting).rejects.toThrow('has ended')
    })

    it('is asked although too many requests wait, once, of at most 50 people', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const account = (await app.accounts.findByEmail(owner.email))!
      const query = { ...{ own: false, limit: 50, wait_s: 50 }, page: null }
      const gone = new AbortController()
      const context = { signal: () => gone.signal }
      const waiting = times(1000, () => app.feedback.read(account, query, context))
      while (app.feedback.countWaits() < 1000) await Bun.sleep(5)
      const people = times(50, (at) => `person${at}@example.com`)
      const made = await ask(owner, { html: HTML, question: POLL, people, wait_s: 30 })
      expect([made.waiting, made.outcome]).toEqual([people, null])
      expect(made.links.map(({ who }) => who)).toEqual(people)
      expect(await refused(owner, 'GET', `/asks/${made.id}?wait_s=30`)).toEqual([
        429,
        'rate_limited',
      ])
      expect((await read(owner, made.id)).outcome).toBeNull()
      gone.abort()
      await Promise.all(waiting)
      const over = { html: HTML, question: POLL, people: [...people, ANN] }
      const { status, body } = await owner.refused('POST', '/asks', over)
      expect([status, body.error.param]).toEqual([400, 'people'])
      expect(body.error.message).toContain('50')
      expect(await owner.ask<object[]>('GET', '/pages')).toHaveLength(1)
    })

    it('can be cancelled, and belongs to its account', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await ask(owner, { html: HTML, question: POLL })
      const other = await app.owner()
      expect(await refused(other, 'GET', `/asks/${id}`)).toEqual([404, 'ask_not_found'])
      expect(await refused(other, 'POST', `/asks/${id}/cancellation`)).toEqual([
        404,
        'ask_not_found',
      ])
      const cancelled = await owner.ask<AskResult>('POST', `/asks/${id}/cancellation`)
      expect(cancelled.outcome).toBe('cancelled')
    })

    it('is gone with its page, also while its first call waits', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const fields = { html: HTML, question: POLL, people: PEOPLE, wait_s: 1 }
      const asking = refused(owner, 'POST', '/asks', fields)
      while ((await app.rows('asks')).length === 0) await Bun.sleep(5)
      const [page] = await owner.ask<{ id: string }[]>('GET', '/pages')
      await owner.ask('DELETE', `/pages/${page!.id}`)
      expect(await asking).toEqual([404, 'ask_not_found'])
    })

    it('never opens a page further, changes another poll, or leaves a page behind that asks nobody', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const refusal = (fields: object) =>
        refused(owner, 'POST', '/asks', { people: PEOPLE, question: POLL, ...fields })
      const open = await owner.publish(HTML, {})
      expect(await refusal({ page_id: open.id })).toEqual([409, 'ask_unfit'])
      const poll = { collect_votes: true, poll_question: 'Other?', poll_options: ['A', 'B'] }
      const invited = { access: 'people', allowed_emails: [ANN], ...poll }
      const other = await owner.publish('<title>Other</title>', invited)
      expect(await refusal({ page_id: other.id })).toEqual([409, 'ask_unfit'])
      const form = { page_id: other.id, question: { kind: 'form' } }
      expect(await refusal(form)).toEqual([409, 'ask_unfit'])
      const stored = await owner.ask<{ allowed_emails: string[] }>('GET', `/pages/${other.id}`)
      expect(stored.allowed_emails).toEqual([ANN])
      expect(await refusal({ html: HTML, question: { kind: 'form' } })).toEqual([409, 'ask_unfit'])
      expect(await refusal({ html: HTML, people: [] })).toEqual([400, 'invalid_parameter'])
      expect(await refusal({})).toEqual([400, 'invalid_parameter'])
      const late = { html: HTML, due_at: '2020-01-01T00:00:00Z' }
      expect(await refusal(late)).toEqual([400, 'invalid_parameter'])
      const foreign = await (await app.owner()).publish(HTML, {})
      expect(await refusal({ page_id: foreign.id })).toEqual([400, 'invalid_parameter'])
      const pages = await owner.ask<{ id: string }[]>('GET', '/pages')
      expect(pages.map(({ id }) => id).toSorted()).toEqual([open.id, other.id].toSorted())
      expect(app.mails).toEqual([])
    })
  })
}
