import { describe, expect, it } from 'bun:test'
import type { PageSource, Participant } from '../../model/viewer.ts'
import { DAY_MS, ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createBrowser, formsIn } from '../../testing/browser.ts'
import { outcomeOf } from '../../testing/test-form.ts'
import { composeMail } from '../mail/index.ts'
import type { Approvals, Choice } from './contract.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const EVE = 'eve@example.com'
const SETTINGS = { collect_approvals: true, approver_emails: [ANN, BEN] }

function participant(emails: string[], options: Partial<Participant> = {}): Participant {
  const [email = null] = emails
  const kind = email === null ? 'anonymous' : 'confirmed'
  return { kind, email, emails, key: 'key', deviceKey: 'device', alias: 'Amber Heron', ...options }
}

/** A published page with approvers, and what people do with it. */
async function signOff(app: TestApp, settings: object = {}) {
  const owner = await app.owner()
  const { id } = await owner.publish('<title>Plan</title><p>one', { ...SETTINGS, ...settings })
  const pageOf = async () => (await app.pages.find(id))!
  const sourceOf = async (): Promise<PageSource> => {
    const { published_id: manifestId, published_at: pageVersion } = await pageOf()
    return { pageVersion, manifestId, path: '' }
  }

  interface Prepared {
    emails?: string[]
    decision?: Choice
    note?: string | null
    source?: PageSource
  }
  async function prepare({ emails = [ANN], source, ...fields }: Prepared = {}) {
    const subject = {
      page: await pageOf(),
      participant: participant(emails),
      source: source ?? (await sourceOf()),
    }
    const input = { decision: 'approved' as const, note: null, ...fields }
    return app.approvals.prepare(subject, input)
  }

  return {
    id,
    owner,
    pageOf,
    sourceOf,
    prepare,
    read: () => owner.ask<Approvals>('GET', `/pages/${id}/approvals`),
    async view(emails: string[], options: Partial<Participant> = {}) {
      const subject = {
        page: await pageOf(),
        participant: participant(emails, options),
        source: await sourceOf(),
      }
      const { version, state } = await app.approvals.view(subject, null)
      expect(await app.approvals.view(subject, version)).toEqual({ version, state: null })
      return state!
    },
    changes: async (emails: string[]) =>
      app.approvals.changesFor({
        page: await pageOf(),
        participant: participant(emails),
        source: await sourceOf(),
      }),
    /** Presses the button of the confirming page, with that address confirmed in the browser. */
    async decide(email: string, values: Prepared = {}) {
      const path = (await prepare({ emails: [email], ...values }))!
      return confirm(app, path, email)
    },
    async republish(html: string) {
      await owner.update(id, { html })
      await owner.ask('POST', `/pages/${id}/publish`)
    },
  }
}

/** A browser that has confirmed the address. */
async function browserOf(app: TestApp, email: string | null) {
  const browser = createBrowser(app)
  if (email === null) return browser
  const { token } = await app.database.write((tx) =>
    app.confirmations.start(tx, { purpose: 'sign_in', email }),
  )
  await app.accounts.add({ email, plan: 'free' }).catch(() => null)
  await browser.send(await browser.get(`/app/confirm/${token}`))
  return browser
}

async function confirm(app: TestApp, path: string, email: string | null) {
  const browser = await browserOf(app, email)
  const response = await browser.get(path)
  const text = await response.clone().text()
  const answer = await browser.send(response)
  return {
    shown: text,
    headers: response.headers,
    status: answer.status,
    text: await answer.text(),
  }
}

const lastLinkTo = (app: TestApp, email: string) =>
  new URL(app.mails.findLast(({ to }) => to === email)!.button!.url).pathname

for (const engine of ENGINES) {
  describe(`decisions on ${engine}`, () => {
    it('count once they are confirmed on our own page, which names them and cannot be framed', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const path = await page.prepare({ decision: 'changes_requested', note: 'Prices & <b>dates' })
      expect((await page.read()).counts).toEqual({ approved: 0, changes_requested: 0, waiting: 2 })
      const { shown, headers, status, text } = await confirm(app, path!, ANN)
      expect(shown).toContain('Request changes to “Plan”')
      expect(shown).toContain('version 1')
      expect(shown).toContain('Prices &amp; &lt;b&gt;dates')
      expect(shown).toContain(ANN)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect([status, text]).toEqual([200, expect.stringContaining('Changes requested')])
      const read = await page.read()
      expect(read.counts).toEqual({ approved: 0, changes_requested: 1, waiting: 1 })
      expect(read.approvers[0]).toMatchObject({
        email: ANN,
        decision: 'changes_requested',
        note: 'Prices & <b>dates',
        version_no: 1,
        is_current: true,
      })
    })

    it('are not made by opening the link, twice by one link, or without the form', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const path = (await page.prepare())!
      const browser = await browserOf(app, ANN)
      for (const method of ['GET', 'HEAD']) await browser.ask(path, { method })
      expect((await browser.post(path, {})).status).toBe(403)
      const response = await browser.get(path)
      const { fields } = formsIn(await response.text())[0]!
      const foreign = { origin: 'null', 'sec-fetch-site': 'cross-site' }
      expect((await browser.post(path, fields, foreign)).status).toBe(403)
      expect((await page.read()).counts.approved).toBe(0)
      expect((await browser.post(path, fields)).status).toBe(200)
      const second = await browser.post(path, fields)
      expect([second.status, await second.text()], 'the second press of a double click').toEqual([
        200,
        expect.stringContaining('You have approved version 1'),
      ])
      app.advance(MINUTE_MS)
      expect((await browser.post(path, fields)).status).toBe(410)
      expect((await page.read()).approvers[0]!.history).toHaveLength(1)
    })

    it('are refused in a browser that has not confirmed the address: a stolen link is nothing', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const path = (await page.prepare())!
      for (const email of [null, EVE, BEN]) {
        expect((await confirm(app, path, email)).status).toBe(403)
      }
      expect((await page.read()).counts.waiting).toBe(2)
      expect((await confirm(app, path, ANN)).status).toBe(200)
    })

    it('are made with one mail: the link of the request confirms the address', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.owner.ask('POST', `/pages/${page.id}/approvals/requests`, { emails: [ANN] })
      const browser = createBrowser(app)
      const path = (await page.prepare({ note: 'Fine' }))!
      expect((await browser.send(await browser.get(path))).status).toBe(403)
      await browser.send(await browser.get(lastLinkTo(app, ANN)))
      expect((await browser.send(await browser.get(path))).status).toBe(200)
      expect((await page.read()).approvers[0]).toMatchObject({ decision: 'approved', note: 'Fine' })
      expect(app.mails.filter(({ to }) => to === ANN)).toHaveLength(1)
    })

    it('are refused without an approver’s address, and for a version that is not shown', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      expect(await outcomeOf(page.prepare({ emails: [] }))).toBe('not_an_approver')
      expect(await outcomeOf(page.prepare({ emails: [EVE] }))).toBe('not_an_approver')
      const source = await page.sourceOf()
      const forged = { ...source, manifestId: 'f'.repeat(64) }
      expect(await outcomeOf(page.prepare({ source: forged }))).toBe('page_changed')
      await page.republish('<title>Plan</title><p>two')
      expect(await outcomeOf(page.prepare({ source }))).toBe('page_changed')
      await page.owner.update(page.id, { collect_approvals: false })
      expect(await outcomeOf(page.prepare())).toBe('approvals_off')
      await page.owner.update(page.id, { collect_approvals: true })
      await page.owner.call('DELETE', `/pages/${page.id}/publish`)
      expect(await outcomeOf(page.prepare({ source }))).toBe('approvals_off')
    })

    it('are refused once the approver is removed, also when prepared before, and stay in the record', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN, { note: 'Kept' })
      const path = (await page.prepare({ decision: 'changes_requested' }))!
      await page.owner.update(page.id, { approver_emails: [BEN] })
      expect((await confirm(app, path, ANN)).status).toBe(403)
      expect(await outcomeOf(page.prepare())).toBe('not_an_approver')
      expect(JSON.stringify(await page.read())).not.toContain(ANN)
      const record = await app.approvals.recordOf(await page.pageOf())
      expect(record.approvers.map(({ email }) => email)).toEqual([BEN])
      expect(record.decisions).toMatchObject([{ email: ANN, decision: 'approved', note: 'Kept' }])
    })

    it('are refused when the gate no longer lets the approver in', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app, { access: 'people', allowed_emails: [ANN] })
      const path = (await page.prepare())!
      await page.owner.update(page.id, { allowed_emails: [BEN] })
      expect((await confirm(app, path, ANN)).status).toBe(403)
      await page.owner.update(page.id, { access: 'password', password: 'open sesame' })
      expect((await confirm(app, path, ANN)).status).toBe(403)
      await page.owner.update(page.id, { access: 'link' })
      expect((await confirm(app, path, ANN)).status).toBe(200)
    })

    it('belong to the content that was shown: after other content is published they wait again', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN)
      const path = (await page.prepare({ emails: [BEN] }))!
      await page.republish('<title>Plan</title><p>two')
      expect((await confirm(app, path, BEN)).text).toContain('Other content has been published')
      const read = await page.read()
      expect(read).toMatchObject({ version_no: 2, counts: { approved: 0, waiting: 2 } })
      for (const approver of read.approvers) {
        expect(approver).toMatchObject({ decision: 'approved', version_no: 1, is_current: false })
      }
      await page.republish('<title>Plan</title><p>one')
      expect(await page.read()).toMatchObject({ version_no: 3, counts: { approved: 2 } })
    })

    it('replace the approver’s earlier one, and a double confirmation is one', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const [first, second] = [await page.prepare(), await page.prepare()]
      await confirm(app, first!, ANN)
      await confirm(app, second!, ANN)
      expect((await page.read()).approvers[0]!.history).toHaveLength(1)
      await page.decide(ANN, { decision: 'changes_requested', note: 'No' })
      const [ann] = (await page.read()).approvers
      expect(ann).toMatchObject({ decision: 'changes_requested', note: 'No' })
      expect(ann!.history.map(({ decision }) => decision)).toEqual([
        'changes_requested',
        'approved',
      ])
    })

    it('of two tabs at once are one, and one while its approver is removed waits nowhere', async () => {
      await using app = await testApp(engine)
      const browser = await browserOf(app, ANN)
      const open = async (page: Awaited<ReturnType<typeof signOff>>) =>
        browser.get(await page.prepare())
      for (let round = 0; round < 4; round++) {
        const page = await signOff(app)
        const tabs = [await open(page), await open(page)]
        const answers = await Promise.all(tabs.map((tab) => browser.send(tab)))
        expect(answers.map(({ status }) => status)).toEqual([200, 200])
        expect((await page.read()).approvers[0]!.history).toHaveLength(1)
        const other = await signOff(app)
        const tab = await open(other)
        const removing = other.owner.update(other.id, { approver_emails: [BEN] })
        await Promise.all([browser.send(tab), removing])
        const inbox = await other.owner.ask<{ items: object[] }>('GET', '/inbox')
        expect(inbox.items).toEqual([])
      }
    })

    it('mail the owner each time, refusals too, until one click stops the mails', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN)
      await page.decide(BEN, { decision: 'changes_requested', note: 'Wrong year' })
      const mails = app.mails.filter(({ to }) => to === page.owner.email)
      expect(mails.map(({ subject }) => subject)).toEqual([
        `${ANN} approved “Plan”`,
        `${BEN} requested changes to “Plan”`,
      ])
      expect(composeMail(mails[1]!).text).toContain('Wrong year')
      const link = new URL(mails[0]!.unsubscribeUrl!).pathname
      expect((await createBrowser(app).ask(link, { method: 'POST' })).status).toBe(200)
      await page.decide(ANN, { decision: 'changes_requested' })
      expect(app.mails.filter(({ to }) => to === page.owner.email)).toHaveLength(2)
      expect(await page.owner.page(page.id)).toMatchObject({ notify_on_decision: false })
    })

    it('count in the order in which they were made, also where the clock was set back', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      app.advance(10 * HOUR_MS)
      await page.decide(ANN, { decision: 'changes_requested' })
      app.advance(-10 * HOUR_MS)
      await page.decide(ANN)
      expect(await page.read()).toMatchObject({ counts: { approved: 1, changes_requested: 0 } })
      const [ann] = (await page.read()).approvers
      expect(ann!.history.map(({ decision }) => decision)).toEqual([
        'approved',
        'changes_requested',
      ])
    })

    it('and requests are heard of by panels that are open, where the clock was set back', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const ask = (emails: string[]) =>
        page.owner.ask('POST', `/pages/${page.id}/approvals/requests`, { emails })
      app.advance(10 * HOUR_MS)
      await page.decide(ANN)
      await ask([ANN, BEN])
      app.advance(-10 * HOUR_MS)
      const subject = {
        page: await page.pageOf(),
        participant: participant([BEN]),
        source: await page.sourceOf(),
      }
      let shownVersion = (await app.approvals.view(subject, null)).version
      for (const change of [() => page.decide(BEN), () => ask([ANN])]) {
        await change()
        const { version, state } = await app.approvals.view(subject, shownVersion)
        expect(version).not.toBe(shownVersion)
        expect(state).not.toBeNull()
        shownVersion = version
      }
    })

    it('stay in force after a downgrade, and are deleted with the page', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await app.accounts.setPlan(page.owner.email, 'free')
      expect((await page.decide(ANN)).status).toBe(200)
      await page.owner.ask('POST', `/pages/${page.id}/approvals/requests`, {})
      expect(await page.read()).toMatchObject({ collecting: true, counts: { approved: 1 } })
      await page.owner.call('DELETE', `/pages/${page.id}`)
      expect(await app.rows('approval_decisions')).toEqual([])
      expect(await app.rows('approval_requests')).toEqual([])
    })

    it('end at a hundred of one approver, and others can still decide', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      for (let at = 0; at < 100; at++) {
        const row = {
          page_id: page.id,
          email: ANN,
          decision: 'approved',
          note: `${at}`,
          proof: 'mail',
        } as const
        const content = { manifest_id: 'x', version_no: 1, decided_at: app.clock.now() }
        await app.database.write((tx) =>
          tx
            .insertInto('approval_decisions')
            .values({ id: `dec_${at}`, ...row, ...content })
            .execute(),
        )
      }
      expect(await outcomeOf(page.prepare())).toBe('too_many_decisions')
      expect((await page.decide(BEN)).status).toBe(200)
    })
  })

  describe(`what viewers read of approvals on ${engine}`, () => {
    it('is their own decision, or that of all approvers where the page shares them', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN, { note: 'Secret of Ann' })
      expect(await page.view([])).toMatchObject({ mine: null, others: null, waiting: null })
      expect(JSON.stringify(await page.view([EVE]))).not.toMatch(/ann|ben|secret/i)
      const ben = await page.view([BEN])
      expect(ben.mine).toEqual({ email: BEN, decision: null, due_at: null })
      expect(JSON.stringify(ben)).not.toMatch(/ann|secret/i)
      await page.owner.update(page.id, { approvals_visibility: 'shared' })
      expect((await page.view([BEN])).others).toMatchObject([{ email: ANN, note: 'Secret of Ann' }])
      expect(JSON.stringify(await page.view([EVE]))).not.toMatch(/ann|ben|secret/i)
      const owner = await page.view([page.owner.email], { kind: 'owner' })
      expect(owner).toMatchObject({ mine: null, others: [{ email: ANN }], waiting: [BEN] })
    })

    it('is nothing once approvals are off, which keeps the decisions', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN)
      await page.owner.update(page.id, { collect_approvals: false })
      expect(await outcomeOf(page.view([ANN]))).toBe('approvals_off')
      expect(await page.read()).toMatchObject({ collecting: false, counts: { approved: 1 } })
      await page.owner.update(page.id, { collect_approvals: true })
      expect((await page.view([ANN])).mine!.decision).toMatchObject({ decision: 'approved' })
    })

    it('is what changed in the text since the own decision', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.republish('<title>Plan</title><p>same<p>old words<p>end')
      await page.decide(ANN)
      expect((await page.changes([ANN])).files).toEqual([])
      await page.republish('<title>Plan</title><p>same<p>new words<p>end')
      expect(await page.changes([ANN])).toEqual({
        from_version_no: 2,
        to_version_no: 3,
        is_cut: false,
        files: [
          {
            path: '',
            state: 'changed',
            lines: [
              { kind: 'same', text: 'same' },
              { kind: 'removed', text: 'old words' },
              { kind: 'added', text: 'new words' },
              { kind: 'same', text: 'end' },
            ],
          },
        ],
      })
      expect(await outcomeOf(page.changes([EVE]))).toBe('not_an_approver')
      expect((await page.changes([BEN])).files).toEqual([])
    })

    it('says so when the version of the decision is no longer kept', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN)
      for (let at = 2; at <= 53; at++) await page.republish(`<p>${at}`)
      expect(await page.changes([ANN])).toMatchObject({ from_version_no: 1, files: null })
    })
  })

  describe(`requests for approval on ${engine}`, () => {
    it('mail those who are awaited, or those named, with what the owner wrote', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      await page.decide(ANN)
      const before = app.mails.length
      const path = `/pages/${page.id}/approvals/requests`
      const dueAt = new Date(app.clock.ms() + 2 * DAY_MS).toISOString()
      const answer = await page.owner.call<{ data: object }>('POST', path, {
        message: 'Prices are final.\n<b>Look</b>',
        due_at: dueAt,
      })
      expect(answer.status).toBe(202)
      expect(answer.body.data).toMatchObject({ asked: [{ email: BEN }], not_admitted: [] })
      const [mail, ...more] = app.mails.slice(before)
      expect(more).toEqual([])
      expect(mail!.to).toBe(BEN)
      expect(mail!.button!.url).toContain('/app/confirm/')
      expect(mail!.otherLinks![0]!.url).toBe((await page.owner.page(page.id)).url)
      const text = composeMail(mail!).text
      for (const part of [
        page.owner.email,
        '“Plan”',
        'Prices are final.',
        '<b>Look</b>',
        'due by',
      ]) {
        expect(text).toContain(part)
      }
      const [, ben] = (await page.read()).approvers
      expect(ben!.asked_at).toMatch(/^\d{4}-/)
      expect(ben!.due_at).toContain(dueAt.slice(0, 19))
      await page.owner.ask('POST', path, { emails: [ANN] })
      expect(app.mails.at(-1)!.to).toBe(ANN)
    })

    it('are refused where there is nothing to ask, and mail nobody then', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const path = `/pages/${page.id}/approvals/requests`
      const refused = async (body: object) =>
        (await page.owner.refused('POST', path, body)).body.error
      expect(await refused({ emails: [EVE] })).toMatchObject({ param: 'emails' })
      expect(await refused({ emails: [ANN, EVE] })).toMatchObject({ param: 'emails' })
      expect(await refused({ due_at: '2001-01-01T00:00:00Z' })).toMatchObject({ param: 'due_at' })
      expect(await refused({ due_at: 'soon' })).toMatchObject({ param: 'due_at' })
      expect(await refused({ message: 'x'.repeat(2001) })).toMatchObject({ param: 'message' })
      expect(await refused({ subject: 'x' })).toMatchObject({ code: 'unknown_parameter' })
      await page.owner.call('DELETE', `/pages/${page.id}/publish`)
      expect(await refused({})).toMatchObject({ code: 'nothing_published' })
      await page.owner.update(page.id, { collect_approvals: false })
      expect(await refused({})).toMatchObject({ code: 'approvals_off' })
      const stranger = await app.owner()
      expect((await stranger.refused('POST', path, {})).status).toBe(404)
      expect(app.mails).toEqual([])
      expect(await app.rows('approval_requests')).toEqual([])
    })

    it('remind nobody who decides at the moment of the request', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app)
      const path = (await page.prepare())!
      const hold = app.holdWrite()
      const asking = page.owner.ask('POST', `/pages/${page.id}/approvals/requests`, {
        due_at: '5d',
      })
      await hold.reached
      expect((await confirm(app, path, ANN)).status).toBe(200)
      hold.release()
      await asking
      app.advance(4 * DAY_MS + MINUTE_MS)
      const before = app.mails.length
      expect(await app.approvals.remind()).toBe(1)
      expect(app.mails.slice(before).map(({ to }) => to)).toEqual([BEN])
    })

    it('leave out approvers whom the page’s access refuses, and name them', async () => {
      await using app = await testApp(engine)
      const page = await signOff(app, { access: 'people', allowed_emails: [BEN] })
      const path = `/pages/${page.id}/approvals/requests`
      expect(await page.owner.ask('POST', path, {})).toMatchObject({
        asked: [{ email: BEN }],
        not_admitted: [ANN],
      })
      await page.owner.update(page.id, { access: 'private', approver_emails: [ANN] })
      expect(await page.owner.ask('POST', path, {})).toMatchObject({
        asked: [],
        not_admitted: [ANN],
      })
      expect(app.mails.map(({ to }) => to)).toEqual([BEN])
    })

    it('are limited', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const page = await signOff(app)
      const path = `/pages/${page.id}/approvals/requests`
      for (let at = 0; at < 30; at++) await page.owner.ask('POST', path, { emails: [ANN] })
      expect((await page.owner.refused('POST', path, {})).status).toBe(429)
    })
  })

  describe(`reminders on ${engine}`, () => {
    async function asked(app: TestApp, inDays: number) {
      const page = await signOff(app)
      const dueAt = new Date(app.clock.ms() + inDays * DAY_MS).toISOString()
      await page.owner.ask('POST', `/pages/${page.id}/approvals/requests`, {
        due_at: dueAt,
        message: 'Please look',
      })
      app.mails.length = 0
      return page
    }

    it('come three days and one day before the due date, and never more', async () => {
      await using app = await testApp(engine)
      await asked(app, 7)
      const sentAfter: number[] = []
      for (let hours = 0; hours < 9 * 24; hours += 6) {
        if ((await app.approvals.remind()) > 0) sentAfter.push(hours)
        app.advance(6 * HOUR_MS)
      }
      expect(sentAfter).toEqual([4 * 24, 6 * 24])
      expect(app.mails.map(({ to }) => to).sort()).toEqual([ANN, ANN, BEN, BEN])
      expect(composeMail(app.mails[0]!).text).toContain('Please look')
      expect(app.mails[0]!.subject).toContain('is due by')
    })

    it('are one when the server was down at the first, and none after the due date', async () => {
      await using app = await testApp(engine)
      await asked(app, 7)
      app.advance(6 * DAY_MS + HOUR_MS)
      expect(await app.approvals.remind()).toBe(2)
      expect(await app.approvals.remind()).toBe(0)
      await asked(app, 7)
      app.advance(8 * DAY_MS)
      expect(await app.approvals.remind()).toBe(0)
    })

    it('stop for those who have decided, were removed or may not open the page', async () => {
      await using app = await testApp(engine)
      const page = await asked(app, 7)
      await page.decide(ANN, { decision: 'changes_requested' })
      app.mails.length = 0
      app.advance(4 * DAY_MS + MINUTE_MS)
      expect(await app.approvals.remind()).toBe(1)
      expect(app.mails.map(({ to }) => to)).toEqual([BEN])
      await page.owner.update(page.id, { approver_emails: [ANN] })
      app.advance(2 * DAY_MS)
      expect(await app.approvals.remind()).toBe(0)
      const closed = await asked(app, 7)
      await closed.owner.update(closed.id, { access: 'private' })
      app.advance(4 * DAY_MS + MINUTE_MS)
      expect(await app.approvals.remind()).toBe(0)
    })

    it('are sent once however many look at the same time', async () => {
      await using app = await testApp(engine)
      await asked(app, 7)
      const nodes = engine === 'postgres' ? [app, await app.node()] : [app]
      app.advance(4 * DAY_MS + MINUTE_MS)
      const looks = [0, 1, 2].flatMap(() => nodes.map((node) => node.approvals.remind()))
      const sent = await Promise.all(looks)
      expect(sent.reduce((sum, each) => sum + each, 0)).toBe(2)
      expect(await app.mailbox.delivered()).toBeGreaterThan(0)
      const reminders = app.mailbox.all().filter(({ subject }) => subject.startsWith('Reminder'))
      expect(reminders).toHaveLength(2)
    })
  })
}
