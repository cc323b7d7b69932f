/** Cookies, tokens and mailed links of version 0.1 still work. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HEADER } from './app-session.ts'
import { type Answer, dataOf, type Fields, send } from './client.ts'
import { everyCase } from './expect.ts'
import { outboxOf } from './gates/mail.ts'
import { type Person, person } from './gates/person.ts'
import { server } from './server.ts'
import { cleanUp } from './start.ts'
import { type Earlier, ENGINES, openEarlier } from './upgrade.ts'

interface Receipt {
  readonly id: string
  readonly submit_count: number
}

/** The headers of a frame's request. */
const FRAMED = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }

afterAll(cleanUp)

for (const engine of ENGINES) {
  describe.skipIf(!server.own)(`credentials of version 0.1 in ${engine}`, () => {
    let it: Earlier
    beforeAll(async () => {
      it = await openEarlier(engine)
    }, 240_000)
    afterAll(() => it?.close())

    async function expectOpen(who: Person, name: string): Promise<void> {
      const answer = await who.read(it.pathOf(name))
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      expect(answer.text).toContain(`Content of the ${name} page`)
    }
    async function expectShut(who: Person, name: string): Promise<void> {
      expect((await who.read(it.pathOf(name))).status, name).toBe(403)
    }
    /** Uses a mailed link, and expects that it is closed afterwards. */
    async function useLink(link: string, who = person(it.base), status = 303): Promise<Answer> {
      const view = await who.open(link)
      expect(view.status, view.text.slice(0, 300)).toBe(200)
      const done = await who.submit(view)
      expect(done.status, done.text.slice(0, 300)).toBe(status)
      expect((await who.open(link)).status, 'once').toBe(410)
      return done
    }

    test('a session cookie is signed in, as the owner of its pages', async () => {
      const who = it.holding(...it.facts.cookies.session)
      const account = await who.open('/app')
      expect(account.status).toBe(200)
      expect(account.text).toContain(it.facts.emails.pro)
      expect(account.text).toContain('Olive Owner')
      await expectOpen(who, 'private')
      await expectOpen(who, 'draft')
      await expectShut(it.holding(...it.facts.cookies.guestSession), 'private')
    })

    test('a session lets an invited account in where signing in is asked for', async () => {
      await expectOpen(it.holding(...it.facts.cookies.guestSession), 'signIn')
      await expectShut(it.holding(...it.facts.cookies.email), 'signIn')
    })

    test('sessions are listed, and ended from another one', async () => {
      const other = it.holding(...it.facts.cookies.otherSession)
      expect((await other.open('/app')).status).toBe(200)
      const who = it.holding(...it.facts.cookies.session)
      const headers = { ...HEADER, origin: it.base }
      const ended = await who.ask('/app/api/sessions', { method: 'DELETE', headers })
      expect(ended.status).toBe(200)
      expect((await other.open('/app')).status).toBe(303)
      expect((await who.open('/app')).status).toBe(200)
    })

    test('a cookie of a confirmed address opens what the address may open', async () => {
      const who = it.holding(...it.facts.cookies.email)
      for (const name of ['people', 'emailGate']) await expectOpen(who, name)
      for (const name of ['private', 'password']) await expectShut(who, name)
      const [cookie] = it.facts.cookies.email
      const altered = cookie!.value.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
      await expectShut(it.holding({ ...cookie!, value: altered }), 'people')
    })

    test('a visit goes on, uncounted, where the view limit is reached', async () => {
      const path = `${it.pathOf('usedUpDeck')}/more.html`
      expect((await person(it.base).read(path)).status).toBe(410)
      const more = await it.holding(...it.facts.cookies.visit).read(path)
      expect(more.status).toBe(200)
      expect(more.text).toContain('Content of the more page')
      expect((await it.pageOf('usedUpDeck')).views).toBe(1)
    })

    test('the addresses that frames were given lead to the files of their page', async () => {
      await everyCase(
        it.facts.frames.map((frame) => [frame.files + frame.path, frame] as const),
        async ({ files, path, has }) => {
          const newVisitor = person(it.base)
          const entry = await newVisitor.read(files + path, FRAMED)
          const to = entry.headers.get('location')
          const answer = to === null ? entry : await newVisitor.read(to, FRAMED)
          expect(answer.status).toBe(200)
          expect(answer.text).toContain(has)
          const altered = files.replace(/.\/$/, (end) => (end === 'A/' ? 'E/' : 'A/'))
          expect((await newVisitor.read(altered + path, FRAMED)).status).toBe(404)
        },
      )
    })

    test('on https, cookies have the names they had', async () => {
      const { session, guestSession, email, password } = it.facts.cookies
      const read = (name: string, cookie: string) =>
        send(it.base + it.pathOf(name), {
          headers: { host: 'pages.example', 'sec-fetch-dest': 'empty', cookie },
        })
      const held = [
        ['private', `__Host-handbill_session=${session[0]!.value}`],
        ['signIn', `__Host-handbill_session=${guestSession[0]!.value}`],
        ['people', `__Host-handbill_email=${email[0]!.value}`],
      ] as const
      await it.restartBehind('https://pages.example')
      try {
        for (const [name, cookie] of held) {
          expect((await read(name, cookie)).status, name).toBe(200)
          expect((await read(name, cookie.replace('__Host-', ''))).status, name).toBe(403)
        }
        const pass = `handbill_pass=${password[0]!.value}`
        expect((await read('password', pass)).status).toBe(200)
        const visit = `handbill_visit=${it.facts.cookies.visit[0]!.value}`
        expect((await read('usedUpDeck', visit)).status).toBeLessThan(400)
      } finally {
        await it.restart({})
      }
    })

    test('a cookie of a password gate opens its page, until the password is another', async () => {
      const who = it.holding(...it.facts.cookies.password)
      await expectOpen(who, 'password')
      await expectShut(who, 'idempotent')
      const path = `/pages/${it.facts.pages.password!.id}`
      dataOf(await it.call('pro', 'PATCH', path, { password: 'another one' }))
      await expectShut(who, 'password')
    })

    test('a browser that answered before replaces its answer', async () => {
      const { page, receipt } = it.facts.responses.byBrowser
      const who = it.holding(...it.facts.cookies.responder)
      const { text } = await who.read(it.pathOf(page))
      const [, token] = /data-token="([^"]+)"/.exec(text) ?? []
      const [, stamp] = /data-stamp="([^"]+)"/.exec(text) ?? []
      const body = { id: 'upgraded-browser', data: '{"remarks":"by the browser"}', token, stamp }
      const next = dataOf<Receipt>(await it.respond(body))
      expect(next).toMatchObject({ id: receipt.id, submit_count: receipt.submit_count + 1 })
    })

    test('a form that was open answers with the token it had, for device and address', async () => {
      const { byToken, byGrant, inShell } = it.facts.responses
      const counts = new Map<string, number>()
      for (const { page, token, stamp, receipt } of [byToken, byGrant, inShell]) {
        const id = `upgraded-${counts.size}-${token.length}`
        const data = JSON.stringify({ remarks: `later ${page}`, items: [{ a: 1 }, { a: 2 }] })
        const next = dataOf<Receipt>(await it.respond({ id, data, token, stamp }))
        counts.set(receipt.id, (counts.get(receipt.id) ?? receipt.submit_count) + 1)
        expect(next).toMatchObject({ id: receipt.id, submit_count: counts.get(receipt.id) })
        const path = `/pages/${it.facts.pages[page]!.id}/responses`
        const { responses } = dataOf<{ responses: Fields[] }>(await it.call('pro', 'GET', path))
        const stored = responses.find((response) => response.id === receipt.id)
        expect(stored).toMatchObject({ data: { remarks: `later ${page}` } })
      }
    })

    test('an answer that is sent again is not counted again', async () => {
      const { sent, receipt } = it.facts.responses.resent
      expect(dataOf<object>(await it.respond(sent))).toEqual(receipt)
    })

    test('a token of a form is none for another page', async () => {
      const { byToken, byGrant } = it.facts.responses
      const body = { id: 'upgraded-foreign', data: '{}' }
      const token = `${byGrant.token.split('.')[0]}.${byToken.token.split('.').slice(1).join('.')}`
      expect((await it.respond({ ...body, token, stamp: byGrant.stamp })).status).toBe(403)
      const { token: own } = byToken
      expect((await it.respond({ ...body, token: own, stamp: byGrant.stamp })).status).toBe(403)
    })

    test('a link of a mail signs in', async () => {
      const who = person(it.base)
      const done = await useLink(it.facts.links.signIn, who)
      expect(done.headers.get('location')).toBe('/app')
      expect((await who.open('/app')).text).toContain(it.facts.emails.pro)
      expect((await who.open(it.facts.links.used)).status, 'used before').toBe(410)
    })

    test('a link of a mail confirms an address and opens the page', async () => {
      const who = person(it.base)
      const done = await useLink(it.facts.links.openPage, who)
      expect(done.headers.get('location')).toBe(it.pathOf('people'))
      await expectOpen(who, 'people')
    })

    test('forms that were open take the codes of their mails, in their browser alone', async () => {
      const { signInCode, gateCode } = it.facts.forms
      for (const { action, fields, code, link } of [signInCode, gateCode]) {
        const thief = await person(it.base).post(action, { ...fields, code })
        expect(thief.status).toBe(403)
        expect((await person(it.base).open(link)).status, 'not used by that').toBe(200)
      }
      const owner = it.holding(...signInCode.cookies)
      const done = await owner.post(signInCode.action, {
        ...signInCode.fields,
        code: signInCode.code,
      })
      expect([done.status, done.headers.get('location')]).toEqual([303, '/app'])
      expect((await owner.open('/app')).text).toContain(it.facts.emails.pro)
      const bob = it.holding(...gateCode.cookies)
      await bob.post(gateCode.action, { ...gateCode.fields, code: gateCode.code })
      await expectOpen(bob, 'people')
      for (const { link } of [signInCode, gateCode]) {
        expect((await person(it.base).open(link)).status, 'used with its code').toBe(410)
      }
    })

    test('the links of requests for access let in and keep out', async () => {
      const { links, people, pages } = it.facts
      const { carol, dave, erin } = people
      const approved = await useLink(links.approve, undefined, 200)
      expect(approved.text).toContain(`${carol} may open`)
      const denied = await useLink(links.deny, undefined, 200)
      expect(denied.text).toContain(`${dave} may not open`)
      expect((await it.pageOf('requests')).allowed_emails.sort()).toEqual([carol, erin])
      const path = `/pages/${pages.requests!.id}/access-requests`
      const requests = dataOf<{ email: string; decision: string }[]>(
        await it.call('pro', 'GET', path),
      )
      const decisions = requests.map(({ email, decision }) => [email, decision])
      expect(Object.fromEntries(decisions)).toEqual({
        [carol]: 'approve',
        [dave]: 'deny',
        [erin]: 'approve',
      })
      const [mail] = await outboxOf(it.dataDir).all(carol, 1)
      expect(mail!.links).toContain(it.base + it.pathOf('requests'))
    })

    test('the links that stop mails stop them', async () => {
      const { stopViews, stopResponses } = it.facts.links
      const stops = [
        [stopViews, 'watched', 'notify_on_view'],
        [stopResponses, 'survey', 'notify_on_response'],
      ] as const
      for (const [link, page, setting] of stops) {
        expect((await it.pageOf(page))[setting]).toBe(true)
        const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
        expect((await send(it.base + link, { method: 'POST', body })).status).toBe(200)
        expect((await it.pageOf(page))[setting]).toBe(false)
      }
    })

    test('browsers find what a page has stored, under the key it had', async () => {
      const shell = await person(it.base).open(it.pathOf('storing'))
      expect(shell.text).toContain(`data-key="${it.facts.storageKey}"`)
    })

    test('a page of before gets a host of its own', async () => {
      const port = new URL(it.base).port
      await it.restart({ CONTENT_URL: `http://{page}.content.test:${port}` })
      const sent = await person(it.base).open(it.pathOf('storing'))
      const { host, pathname } = new URL(sent.headers.get('location')!)
      expect(host).toMatch(new RegExp(`^[a-z2-7]{26}\\.content\\.test:${port}$`))
      expect(pathname).toBe('/~/visit')
    })
  })
}
