import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { emailCookie } from '../../testing/content-routes.ts'
import type { Owner } from '../../testing/people.ts'
import { PDF } from '../../testing/views.ts'
import { BROWSER, createVisitor, framePathIn, type Visitor } from '../../testing/visitor.ts'
import type { Link } from '../links/contract.ts'
import type { People, Person, Reminders } from './contract.ts'

const ANN = 'ann@example.com'
const BOB = 'bob@example.net'
const MAILING = { smtpUrl: 'smtp://mail.example.com' } as const

/** A page, and links of it for people. */
async function shared(app: TestApp, settings: object = {}, content: string | object = '<p>words') {
  const owner = await app.owner()
  const page = await owner.publish(content, settings)
  const path = `/p/${page.slug}`
  return {
    owner,
    id: page.id,
    path,
    page: async () => (await app.pages.find(page.id))!,
    link: (label: string, more: object = {}) =>
      owner.ask<Link>('POST', `/pages/${page.id}/links`, { label, ...more }),
    read: async (query = '') => {
      const answer = await owner.call<People>('GET', `/pages/${page.id}/people${query}`)
      expect(answer.status).toBe(200)
      return answer.body
    },
    /** The line of a label or address. */
    async line(who: string): Promise<Person> {
      const { data } = await this.read()
      return data.people.find((line) => line.who === who)!
    },
  }
}

/** A browser that opens the page by a link, and shows it. */
async function come(app: Pick<TestApp, 'fetch'>, { url }: Link, path: string, cookie = '') {
  const visitor = createVisitor(app, BROWSER)
  if (cookie !== '') visitor.keep('/', cookie)
  await visitor.open(new URL(url).pathname)
  const document = await visitor.open(path)
  return { visitor, document, show: () => show(visitor, document.clone()) }
}

async function show(visitor: Visitor, document: Response) {
  const frame = `${await framePathIn(document)}index.html`
  return visitor.open(frame, { 'sec-fetch-dest': 'iframe' })
}

for (const engine of ENGINES) {
  describe(`the people of a page on ${engine}`, () => {
    it('are a line for each link, with the browsers and addresses that came by it', async () => {
      await using app = await testApp(engine)
      const page = await shared(app, { access: 'email_gate' })
      const link = await page.link('Ann (Acme)', { email: ANN })
      await page.link('Max')
      const own = await come(app, link, page.path, emailCookie(app, ANN))
      await (await own.show()).text()
      const forwarded = await come(app, link, page.path, emailCookie(app, BOB))
      await forwarded.show()
      const first = await page.line('Ann (Acme)')
      expect(first).toMatchObject({
        ...{ via: 'link', link_id: link.id, email: ANN, state: 'active', sent: null },
        addresses: [ANN, BOB],
        opened: { views: 2, devices: 2 },
      })
      expect(first.opened.first_at).not.toBeNull()
      const { data } = await page.read()
      expect(data.people.map(({ who }) => who)).toEqual(['Max', 'Ann (Acme)', BOB, ANN])
      expect(data.people[2]).toMatchObject({
        ...{ via: 'address', email: BOB, link_id: null, reminder: null },
        links: [{ link_id: link.id, label: 'Ann (Acme)' }],
        opened: { views: 1, devices: null },
      })
      expect([data.views, data.without_link]).toEqual([2, 0])
      const unopened = await page.read('?filter=not_opened')
      expect(unopened.data.people.map(({ who }) => who)).toEqual(['Max'])
      expect(unopened.data.views).toBe(2)
    })

    it('are told with when they were mailed that they are invited', async () => {
      await using app = await testApp(engine, MAILING)
      const page = await shared(app, { access: 'people', allowed_emails: [ANN, BOB] })
      const invitations = `/pages/${page.id}/invitations`
      await page.owner.ask('POST', invitations, { emails: [ANN] })
      for (const email of [ANN, BOB]) {
        const visitor = createVisitor(app, BROWSER)
        visitor.keep('/', emailCookie(app, email))
        expect((await visitor.open(page.path)).status).toBe(200)
      }
      const { body } = await page.owner.call<{ data: [{ mailed_at: string }] }>('GET', invitations)
      const { mailed_at: at } = body.data[0]
      expect((await page.line(ANN)).sent).toEqual({ at, bounced_at: null })
      expect((await page.line(BOB)).sent).toBeNull()
    })

    it('never have an address that a browser confirmed elsewhere', async () => {
      await using app = await testApp(engine)
      const page = await shared(app)
      const link = await page.link('Ann')
      const { show } = await come(app, link, page.path, emailCookie(app, BOB))
      await show()
      await createVisitor(app, BROWSER).open(page.path)
      const { data } = await page.read()
      expect(data.people).toMatchObject([{ who: 'Ann', addresses: [], opened: { devices: 1 } }])
      expect(JSON.stringify(data)).not.toContain('bob')
      for (const table of ['link_visitors', 'confirmed_viewers'] as const) {
        expect(JSON.stringify(await app.rows(table))).not.toContain('bob')
      }
    })

    it('wrote, voted and decided, by the link and by the address, and secret votes are nobody’s', async () => {
      await using app = await testApp(engine)
      const poll = { collect_votes: true, poll_question: 'Which?', poll_options: ['A', 'B'] }
      const request = { collect_approvals: true, approver_emails: [BOB], allow_comments: true }
      const page = await shared(app, { ...poll, ...request, poll_require_email: true })
      const link = await page.link('Ann')
      const current = await page.page()
      const facts = { isOwner: false, emails: [BOB], device: 'd' }
      const bob = { ...app.viewers.participantOf(current, facts), linkId: link.id }
      const source = { pageVersion: null, manifestId: current.published_id, path: '' }
      const subject = { page: current, participant: bob, source }
      await app.polls.vote(current, bob, { option: 'A', is_named: false })
      expect(await page.line('Ann')).toMatchObject({ votes: 0, comments: 0, addresses: [] })
      expect((await page.read()).data.people).toHaveLength(1)
      await page.owner.update(page.id, { poll_named: true })
      const named = await page.page()
      await app.polls.vote(named, bob, { option: 'B', is_named: true })
      const { comment } = await app.comments.post(subject, { id: 'c1', body: 'Hello' })
      await app.comments.post(subject, { id: 'c2', body: 'More', parent_id: comment.id })
      const nobody = { isOwner: false, emails: [], device: 'e' }
      const anonymous = { ...app.viewers.participantOf(named, nobody), linkId: link.id }
      const bodies = { ...subject, participant: anonymous }
      await app.comments.post(bodies, { id: 'c3', body: 'Me too', name: 'Eve' })
      await app.approvals.prepare(subject, { decision: 'changes_requested', note: null })
      const [row] = await app.rows('confirmations')
      const input = { email: BOB, details: JSON.parse(row!.details!) }
      await app.database.write((tx) => app.approvals.record(tx, named, input as never))
      const acts = { votes: 1, decision: { decision: 'changes_requested', version_no: 1 } }
      expect(await page.line('Ann')).toMatchObject({ ...acts, comments: 3, addresses: [BOB] })
      expect(await page.line(BOB)).toMatchObject({
        ...{ ...acts, comments: 2, opened: { views: 0 } },
        links: [{ link_id: link.id, label: 'Ann' }],
      })
      const viewers = await page.owner.ask<object[]>('GET', `/pages/${page.id}/viewers`)
      expect(viewers).toEqual([])
      await app.comments.withdraw(named, bob, comment.id)
      expect((await page.line(BOB)).comments).toBe(1)
    })

    it('have the time and the pages that were measured, and none where a browser refuses', async () => {
      await using app = await testApp(engine)
      const page = await shared(app, {}, PDF())
      const link = await page.link('Ann')
      const report = async (more: Record<string, string> = {}) => {
        const { visitor, document } = await come(app, link, page.path)
        const html = await document.text()
        const file = await framePathIn(new Response(html))
        await visitor.open(`${file}a.pdf`, { 'sec-fetch-dest': 'empty' })
        const [, token = ''] = /data-time="([^"]*)"/.exec(html) ?? []
        const [, stamp = ''] = /data-stamp="([^"]*)"/.exec(html) ?? []
        app.advance(MINUTE_MS)
        const body = JSON.stringify({
          token,
          stamp,
          seconds: 20,
          parts: [
            ['1', 9],
            ['3', 11],
          ],
        })
        const init = { method: 'POST', headers: more, body }
        await app.fetch(new Request('http://handbill.test/~/time', init))
      }
      await report({ dnt: '1' })
      const quiet = await page.line('Ann')
      expect([quiet.seconds, quiet.progress, quiet.opened.devices]).toEqual([null, null, 1])
      await report()
      expect(await page.line('Ann')).toMatchObject({
        ...{ seconds: 20, progress: { sheet: 3, sections: null } },
        opened: { views: 2, devices: 2 },
      })
    })

    it('were refused, by link and with the reason', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'people', allowed_emails: [BOB] }
      const page = await shared(app, settings)
      const link = await page.link('Ann', { email: ANN })
      await page.link('Max')
      for (let at = 0; at < 3; at += 1) await come(app, link, page.path, emailCookie(app, ANN))
      await page.owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'off' })
      await createVisitor(app, BROWSER).open(new URL(link.url).pathname)
      await createVisitor(app, BROWSER).open(page.path)
      expect((await page.line('Ann')).refusals).toEqual([
        { reason: 'link_closed', count: 1 },
        { reason: 'not_invited', count: 3 },
      ])
      expect((await page.line('Max')).refusals).toEqual([])
      await page.owner.ask('PATCH', `/pages/${page.id}/links/${link.id}`, { state: 'active' })
      await page.owner.update(page.id, { expires_at: '1m' })
      app.advance(2 * MINUTE_MS)
      await come(app, link, page.path)
      expect((await page.line('Ann')).refusals[0]).toEqual({ reason: 'expired', count: 1 })
    })

    it('add up to the views, however many open it at once, on two nodes', async () => {
      await using app = await testApp(engine)
      const page = await shared(app)
      const links = [await page.link('Ann'), await page.link('Ben'), await page.link('Max')]
      const node = engine === 'postgres' ? await app.node() : app
      const opened = Array.from({ length: 90 }, async (_, at) => {
        const on = at % 2 === 0 ? app : node
        const link = links[at % 4]
        if (link === undefined) return createVisitor(on, BROWSER).open(page.path)
        const { document, show } = await come(on, link, page.path)
        await show()
        return document
      })
      const reading = async () => {
        const { data } = await page.read()
        const byLink = data.people.reduce((sum, { opened }) => sum + opened.views, 0)
        expect(byLink + data.without_link).toBe(data.views)
        expect(data.without_link).toBeGreaterThanOrEqual(0)
        return data
      }
      const during = [reading(), reading(), reading()]
      for (const answer of await Promise.all(opened)) expect(answer.status).toBe(200)
      await Promise.all(during)
      if (node !== app) await node.views.flush()
      const { views, without_link: without, people } = await reading()
      expect([views, without]).toEqual([90, 22])
      expect(people.map(({ opened }) => opened.views)).toEqual([22, 23, 23])
      expect(people.map(({ opened }) => opened.devices)).toEqual([22, 23, 23])
    })

    it('come in parts, and all of them as a file that no spreadsheet runs', async () => {
      await using app = await testApp(engine)
      const page = await shared(app, { access: 'email_gate' })
      const link = await page.link('=HYPERLINK("http://x")')
      await page.link('Ben, the other')
      const { show } = await come(app, link, page.path, emailCookie(app, '+bob@example.net'))
      await show()
      const names: string[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const part: People = await page.read(`?limit=1&offset=${offset}`)
        names.push(...part.data.people.map(({ who }) => who))
        expect(part.data.people.length).toBeLessThanOrEqual(1)
        offset = part.next_offset
      }
      expect(names).toEqual(['Ben, the other', '=HYPERLINK("http://x")', '+bob@example.net'])
      const file = await page.owner.call<string>('GET', `/pages/${page.id}/people?format=csv`)
      expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const [head, ...rows] = file.body.trimEnd().split('\r\n')
      expect(head).toStartWith('who,via,link_id,email,state')
      expect(rows).toHaveLength(3)
      expect(rows[0]).toStartWith('"Ben, the other",link,')
      expect(rows[1]).toStartWith('"\'=HYPERLINK(""http://x"")",link,')
      expect(rows[2]).toStartWith("'+bob@example.net,address,")
    })

    it('are their owner’s alone, on every plan', async () => {
      await using app = await testApp(engine)
      const page = await shared(app)
      const link = await page.link('Ann (Acme)', { email: ANN, note: 'a secret note' })
      const { visitor, show, document } = await come(app, link, page.path)
      const answers = [document, await show(), await visitor.open(`${page.path}/~/viewer`)]
      for (const answer of answers) expect(await answer.text()).not.toMatch(/Acme|ann@|secret/)
      const other = await app.owner()
      for (const call of ['GET /people', 'POST /people/reminders']) {
        const [method = '', rest] = call.split(' ')
        expect((await other.call(method, `/pages/${page.id}${rest}`)).status).toBe(404)
      }
      expect((await visitor.open(`/api/v1/pages/${page.id}/people`)).status).toBe(401)
      const free = await app.owner({ plan: 'free' })
      const { id } = await free.publish('<p>x')
      expect((await free.call('GET', `/pages/${id}/people`)).status).toBe(200)
    })
  })

  describe(`reminders on ${engine}`, () => {
    const remind = (owner: Owner, id: string, body: object = {}) =>
      owner.ask<Reminders>('POST', `/pages/${id}/people/reminders`, body)

    it('go to who has not opened, once a day and three times in all', async () => {
      await using app = await testApp(engine, MAILING)
      const page = await shared(app)
      const ann = await page.link('Ann', { email: ANN })
      const again = await page.link('Ann again', { email: ANN })
      const bob = await page.link('Bob', { email: BOB })
      const max = await page.link('Max')
      await (await come(app, bob, page.path)).show()
      const message = 'Please look by Friday.'
      const calls = [{ message }, { message }].map((body) => remind(page.owner, page.id, body))
      const sent = (await Promise.all(calls)).flatMap(({ reminded }) => reminded)
      expect(sent).toHaveLength(1)
      expect([ann.id, again.id]).toContain(sent[0]!)
      const [mail] = app.mails
      expect(mail).toMatchObject({ to: ANN })
      expect(JSON.stringify(mail)).toContain(message)
      expect(mail!.subject).toContain('reminds you of')
      const named = await remind(page.owner, page.id, { link_ids: [bob.id, max.id, ann.id] })
      const reasons = named.not_reminded.map(({ reason }) => reason)
      expect(reasons).toEqual(['opened', 'no_address', 'reminded_today'])
      for (let day = 0; day < 4; day += 1) {
        app.advance(DAY_MS + MINUTE_MS)
        await remind(page.owner, page.id)
      }
      expect(app.mails).toHaveLength(3)
      const line = await page.line('Ann')
      expect(line.reminder).toMatchObject({ count: 3, not_now: 'reminded_enough' })
      const unknown = await page.owner.call('POST', `/pages/${page.id}/people/reminders`, {
        link_ids: ['lnk_none'],
      })
      expect([unknown.status, app.mails.length]).toEqual([404, 3])
    })

    it('and links end for good once their recipient stops them', async () => {
      await using app = await testApp(engine, MAILING)
      const page = await shared(app)
      const link = await page.link('Ann', { email: ANN })
      await remind(page.owner, page.id)
      const path = new URL(app.mails[0]!.unsubscribeUrl!).pathname
      const ask = (method: string, to = path) => createVisitor(app, BROWSER).open(to, {}, method)
      for (const method of ['GET', 'HEAD']) expect((await ask(method)).status).toBe(200)
      app.advance(DAY_MS + MINUTE_MS)
      expect((await remind(page.owner, page.id)).reminded).toEqual([link.id])
      expect((await ask('POST', `${path}x`)).status).toBe(404)
      expect((await ask('POST')).status).toBe(200)
      app.advance(DAY_MS + MINUTE_MS)
      const stopped = [{ link_id: link.id, reason: 'unsubscribed' }]
      expect(await remind(page.owner, page.id, { link_ids: [link.id] })).toMatchObject({
        reminded: [],
        not_reminded: stopped,
      })
      const other = await page.owner.publish('<p>y')
      const batch = { people: [{ email: ANN }, { email: BOB }] }
      const made = await page.owner.ask<{ mailed: string[]; not_mailed: object[] }>(
        'POST',
        `/pages/${other.id}/links/batch`,
        batch,
      )
      expect([made.mailed, made.not_mailed]).toEqual([
        [BOB],
        [{ email: ANN, reason: 'unsubscribed' }],
      ])
      expect(app.mails).toHaveLength(3)
      expect(JSON.stringify(await app.rows('link_mail_stops'))).not.toContain('ann')
    })

    it('go to nobody who could not open the page, or whose mail came back', async () => {
      await using app = await testApp(engine, MAILING)
      const page = await shared(app, { access: 'people', allowed_emails: [BOB] })
      const ann = await page.link('Ann', { email: ANN })
      const bob = await page.link('Bob', { email: BOB })
      app.mailbox.refused.add(BOB)
      const first = await remind(page.owner, page.id)
      expect(first.not_reminded).toEqual([{ link_id: ann.id, reason: 'not_admitted' }])
      await app.mailbox.delivered()
      expect((await page.line('Bob')).sent!.bounced_at).not.toBeNull()
      app.advance(2 * DAY_MS)
      const second = await remind(page.owner, page.id, { link_ids: [bob.id] })
      expect(second.not_reminded).toEqual([{ link_id: bob.id, reason: 'bounced' }])
      const off = { link_ids: [ann.id] }
      await page.owner.ask('PATCH', `/pages/${page.id}/links/${ann.id}`, { state: 'off' })
      expect((await remind(page.owner, page.id, off)).not_reminded[0]).toMatchObject({
        reason: 'link_closed',
      })
    })
  })
}

it('tells that no mail is sent where there is no mail server', async () => {
  await using app = await testApp('sqlite')
  const page = await shared(app)
  const { id } = await page.link('Ann', { email: ANN })
  const answer = await page.owner.ask<Reminders>('POST', `/pages/${page.id}/people/reminders`, {})
  expect(answer).toEqual({
    reminded: [],
    not_reminded: [{ link_id: id, reason: 'no_mail_server' }],
    left: 0,
  })
})
