import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import type { Approvals } from '../approvals/contract.ts'
import type { PersonalLink } from './contract.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
/** Headers of a program, which gets the page's bytes instead of the shell. */
const RAW = { 'sec-fetch-dest': 'empty' }

async function invited(app: TestApp, settings: object = {}) {
  const owner = await app.owner()
  const input = { access: 'people', allowed_emails: [ANN, BEN], ...settings }
  const page = await owner.publish('<title>Plan</title><p>the content', input)
  const path = `/p/${page.slug}`
  return {
    owner,
    page,
    path,
    async mail(email = ANN): Promise<string> {
      await owner.ask('POST', `/pages/${page.id}/invitations`, { emails: [email] })
      return lastLink(app)
    },
    async hand(email = ANN, purpose = 'view'): Promise<string> {
      const body = { email, purpose }
      const made = await owner.ask<PersonalLink>('POST', `/pages/${page.id}/personal-links`, body)
      return new URL(made.url).pathname
    },
    isOpenTo: async (browser: Browser) => (await browser.get(path, RAW)).status === 200,
  }
}
const lastLink = ({ mails }: TestApp) => new URL(mails.at(-1)!.button!.url).pathname
const locationOf = ({ status, headers }: Response) => [status, headers.get('location')]
async function press(browser: Browser, link: string): Promise<Response> {
  return browser.send(await browser.get(link))
}

for (const engine of ENGINES) {
  describe(`the link of an invitation on ${engine}`, () => {
    it('opens the page by one press, once, in any browser, and without another mail', async () => {
      await using app = await testApp(engine)
      const { owner, path, page, mail, isOpenTo } = await invited(app)
      const link = await mail()
      const [browser, other] = [createBrowser(app), createBrowser(app)]
      const response = await browser.get(link)
      const text = await response.clone().text()
      for (const words of ['Open “Plan”', ANN, 'in this browser']) expect(text).toContain(words)
      expect(text.match(/<button/g)).toHaveLength(1)
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(locationOf(await browser.send(response))).toEqual([303, path])
      expect(await isOpenTo(browser)).toBe(true)
      // The mail is where people look for the page again.
      expect(locationOf(await browser.get(link))).toEqual([303, path])
      const used = await other.get(link)
      expect([used.status, await used.text()]).toEqual([
        410,
        expect.stringContaining('This link works no longer'),
      ])
      expect(await isOpenTo(other)).toBe(false)
      expect(app.mails).toHaveLength(1)
      const list = await owner.ask('GET', `/pages/${page.id}/invitations`)
      expect(list).toEqual([
        { email: ANN, mailed_at: expect.any(String), bounced_at: null },
      ] as never)
    })

    it('tells the owner whose mail was refused, until it is sent after all', async () => {
      await using app = await testApp(engine)
      const { owner, page, mail } = await invited(app)
      app.mailbox.refused.add(ANN)
      const list = async () => {
        await app.mailbox.delivered()
        return owner.ask<[{ bounced_at: string | null }]>('GET', `/pages/${page.id}/invitations`)
      }
      await mail()
      expect(await list()).toMatchObject([{ email: ANN, bounced_at: expect.any(String) }])
      app.mailbox.refused.clear()
      await app.database.write((tx) =>
        tx.updateTable('outbox').set({ not_before: app.clock.now(), attempts: 0 }).execute(),
      )
      expect((await list())[0].bounced_at).toBeNull()
      expect((await app.rows('confirmations'))[0]!.details).toBe('{"purpose":"view"}')
    })

    it('is used up by no GET, HEAD or scanner, and only its hash is stored', async () => {
      await using app = await testApp(engine)
      const { path, mail } = await invited(app)
      const link = await mail()
      const before = await app.rows('confirmations')
      const scanner = createBrowser(app)
      for (let time = 0; time < 3; time++) {
        expect((await scanner.get(link)).status).toBe(200)
        expect((await scanner.ask(link, { method: 'HEAD' })).status).toBe(200)
      }
      // A form without the token of the page that shows it, as a program would send.
      expect((await scanner.post(link, {})).status).toBe(403)
      expect(await app.rows('confirmations')).toEqual(before)
      expect(JSON.stringify(before)).not.toContain(link.split('/').at(-1)!)
      expect(locationOf(await press(createBrowser(app), link))).toEqual([303, path])
    })

    it('works for 14 days, and then mails a new one to the same address, in the same words for all', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, mail, isOpenTo } = await invited(app)
      const link = await mail()
      app.advance(14 * DAY_MS - 60_000)
      const browser = createBrowser(app)
      expect((await browser.get(link)).status).toBe(200)
      app.advance(61_000)
      await app.confirmations.sweep()
      const over = await browser.get(link)
      expect(over.status).toBe(410)
      const text = await over.clone().text()
      expect(text).not.toContain(ANN)
      expect(text).not.toContain('type="email"')
      expect(locationOf(await browser.send(over))).toEqual([303, '/app/link-sent'])
      const sent = await (await browser.get('/app/link-sent')).text()
      expect(sent).toMatch(/a mail with a new link is\sin the outbox/)
      expect([app.mails.length, app.mails.at(-1)!.to]).toEqual([2, ANN])
      const newest = lastLink(app)
      await owner.update(page.id, { allowed_emails: [BEN] })
      const stranger = createBrowser(app)
      const again = await stranger.get(link)
      expect(tokenless(await again.clone().text())).toBe(tokenless(text))
      expect(locationOf(await stranger.send(again))).toEqual([303, '/app/link-sent'])
      expect(app.mails).toHaveLength(2)
      await owner.update(page.id, { allowed_emails: [ANN] })
      expect(locationOf(await press(browser, newest))).toEqual([303, path])
      expect(await isOpenTo(browser)).toBe(true)
      app.advance(91 * DAY_MS)
      await app.confirmations.sweep()
      expect((await createBrowser(app).get(link)).status).toBe(410)
      // The new ones are known for 90 days more.
      expect(await app.rows('confirmations')).toHaveLength(2)
    })

    it('asks for new mails as often as a gate does', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { mail } = await invited(app)
      const link = await mail()
      await press(createBrowser(app), link)
      const browser = createBrowser(app)
      for (let time = 0; time < 8; time++) {
        const { status } = await browser.send(await browser.get(link))
        expect(status).toBe(303)
      }
      expect(app.mails).toHaveLength(6)
    })

    it('leads to the gate once the address was removed, and confirms nothing there', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, mail, isOpenTo } = await invited(app)
      const link = await mail()
      const browser = createBrowser(app)
      const form = await browser.get(link)
      await owner.update(page.id, { allowed_emails: [BEN] })
      expect(locationOf(await browser.get(link))).toEqual([303, path])
      expect(locationOf(await browser.send(form))).toEqual([303, path])
      expect(await isOpenTo(browser)).toBe(false)
      expect([...browser.jar.keys()].filter((name) => name.includes('email'))).toEqual([])
      // It was not used up: the owner may have made a mistake.
      await owner.update(page.id, { allowed_emails: [ANN] })
      expect(locationOf(await press(browser, link))).toEqual([303, path])
      expect(await isOpenTo(browser)).toBe(true)
      await owner.update(page.id, { allowed_emails: [BEN] })
      expect(await isOpenTo(browser)).toBe(false)
    })

    it('leads to the notice of a page that shows one, and is kept', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, mail } = await invited(app)
      const link = await mail()
      const browser = createBrowser(app)
      const past = '2020-01-01T00:00:00Z'
      await owner.update(page.id, { expires_at: past })
      expect(locationOf(await browser.get(link))).toEqual([303, path])
      await owner.update(page.id, { expires_at: null })
      await owner.ask('DELETE', `/pages/${page.id}/publish`)
      expect(locationOf(await browser.get(link))).toEqual([303, path])
      await owner.ask('POST', `/pages/${page.id}/publish`)
      const account = (await app.accounts.findByEmail(owner.email))!
      await app.accountSuspension.suspend(account, null)
      expect(locationOf(await browser.get(link))).toEqual([303, path])
      await app.accountSuspension.end(account, null)
      expect((await browser.get(link)).status).toBe(200)
      await owner.call('DELETE', `/pages/${page.id}`)
      const gone = await browser.get(link)
      const unknown = await browser.get(`/app/confirm/${'x'.repeat(43)}`)
      expect([gone.status, await gone.text()]).toEqual([unknown.status, await unknown.text()])
    })

    it('asks to sign in as that address where the page requires it', async () => {
      await using app = await testApp(engine)
      const { path, mail, isOpenTo } = await invited(app, { require_signin: true })
      const link = await mail()
      const browser = createBrowser(app)
      const view = await browser.get(link)
      expect(await view.clone().text()).toContain(`Sign in as ${ANN}`)
      await browser.send(view)
      expect(await isOpenTo(browser)).toBe(false)
      const done = await press(browser, lastLink(app))
      expect(locationOf(done)).toEqual([303, path])
      expect(await isOpenTo(browser)).toBe(true)
    })
  })

  describe(`a link that the owner hands on, on ${engine}`, () => {
    it('counts on that page alone: it proves the owner’s word, and no address', async () => {
      await using app = await testApp(engine)
      const own = await invited(app)
      const others = await invited(app)
      const link = await own.hand()
      const browser = createBrowser(app)
      expect(await (await browser.get(link)).text()).toContain('in this browser, for this page')
      expect(locationOf(await press(browser, link))).toEqual([303, own.path])
      expect(await own.isOpenTo(browser)).toBe(true)
      expect(await others.isOpenTo(browser)).toBe(false)
      expect(app.mails).toEqual([])
      await own.owner.update(own.page.id, { allowed_emails: [BEN] })
      expect(await own.isOpenTo(browser)).toBe(false)
    })

    it('ends the one before, and is made for people whom the page lets in alone', async () => {
      await using app = await testApp(engine)
      const { owner, page, path, hand } = await invited(app)
      const [first, forBen, second] = [await hand(), await hand(BEN), await hand()]
      const browser = createBrowser(app)
      expect((await browser.get(first)).status).toBe(410)
      expect(locationOf(await press(browser, second))).toEqual([303, path])
      expect((await createBrowser(app).get(forBen)).status).toBe(200)
      const refused = async (email: string, purpose = 'view') =>
        (await owner.refused('POST', `/pages/${page.id}/personal-links`, { email, purpose })).body
          .error.code
      expect(await refused('eve@example.com')).toBe('invalid_parameter')
      expect(await refused(ANN, 'approve')).toBe('invalid_parameter')
      await owner.update(page.id, { access: 'private' })
      expect(await refused(ANN)).toBe('not_admitted')
      await owner.ask('DELETE', `/pages/${page.id}/publish`)
      expect(await refused(ANN)).toBe('nothing_published')
      const stranger = await app.owner()
      const theirs = { email: ANN, purpose: 'view' }
      const { status } = await stranger.refused('POST', `/pages/${page.id}/personal-links`, theirs)
      expect(status).toBe(404)
    })

    it('opens the page at its approval, and the decision says how the address was proved', async () => {
      await using app = await testApp(engine)
      const settings = { collect_approvals: true, approver_emails: [ANN, BEN] }
      const { owner, page, path, hand } = await invited(app, settings)
      const decide = async (browser: Browser, email: string) => {
        const subject = {
          page: (await app.pages.find(page.id))!,
          participant: {
            ...{ kind: 'confirmed' as const, email, emails: [email] },
            ...{ key: 'key', deviceKey: 'device', alias: 'Amber Heron' },
          },
          source: {
            ...{ pageVersion: page.published_at, path: '' },
            manifestId: (await app.pages.find(page.id))!.published_id,
          },
        }
        const input = { decision: 'approved' as const, note: null, email: null }
        await press(browser, (await app.approvals.prepare(subject, input))!)
      }
      const [handed, mailed] = [createBrowser(app), createBrowser(app)]
      expect(locationOf(await press(handed, await hand(ANN, 'approve')))).toEqual([
        303,
        `${path}#~approval`,
      ])
      await decide(handed, ANN)
      await owner.ask('POST', `/pages/${page.id}/approvals/requests`, { emails: [BEN] })
      expect(locationOf(await press(mailed, lastLink(app)))).toEqual([303, `${path}#~approval`])
      await decide(mailed, BEN)
      const { approvers } = await owner.ask<Approvals>('GET', `/pages/${page.id}/approvals`)
      expect(approvers.map(({ email, decision, proof }) => [email, decision, proof])).toEqual([
        [ANN, 'approved', 'owner_link'],
        [BEN, 'approved', 'mail'],
      ])
      const record = await app.approvals.recordOf((await app.pages.find(page.id))!)
      expect(record.decisions.map(({ proof }) => proof)).toEqual(['owner_link', 'mail'])
    })
  })
}

/** Without the tokens of forms and styles, which differ for each browser. */
function tokenless(text: string): string {
  return text.replaceAll(/(value|nonce)="[\w-]{20,}"/g, '')
}
