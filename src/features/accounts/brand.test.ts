import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported } from '../../testing/archives.ts'
import { base64 } from '../../testing/material.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { sized } from '../../testing/sized-pictures.ts'
import { PDF } from '../../testing/views.ts'
import { BROWSER } from '../../testing/visitor.ts'

const NAME = 'Ann Li'
const SHARED = `${NAME} shared this with you`
const LOGO = sized.png(200, 80)

interface Own {
  accent: string | null
  logo: string | null
}

/** An owner who presents themselves. */
async function withBrand(app: TestApp) {
  const owner = await app.owner()
  const session = await sessionOf(app, owner.email)
  const change = (changes: object) => session.ask<Own>('PATCH', '/account', changes)
  const { logo } = await change({ name: NAME, accent: 'teal', logo_base64: base64(LOGO) })
  return { owner, session, change, logo: logo! }
}

const textOf = async (app: TestApp, slug: string) => (await app.open(`/p/${slug}`, BROWSER)).text()
const pictureOf = async (app: TestApp, slug: string) =>
  (await app.open(`/p/${slug}/~/preview.png`)).headers.get('etag')

for (const engine of ENGINES) {
  describe(`the brand of an account on ${engine}`, () => {
    it('stands on its gates, from the next request on, without its address', async () => {
      await using app = await testApp(engine)
      const { owner, change, logo } = await withBrand(app)
      for (const settings of [
        { access: 'password', password: 'open sesame' },
        { access: 'people', allowed_emails: ['bo@example.com'], allow_access_requests: true },
        { access: 'people', allowed_emails: ['bo@example.com'], require_signin: true },
        { access: 'email_gate' },
      ]) {
        const { slug } = await owner.publish('<p>x', {
          ...settings,
          title: `Secret ${settings.access}${'require_signin' in settings}`,
        })
        const gate = await textOf(app, slug)
        expect(gate).toContain(`<img src="${logo}" alt="" height="32"><span>${SHARED}</span>`)
        expect(gate).toContain('data-accent="teal"')
        expect(gate).not.toContain(owner.email)
        expect(gate).not.toContain('Secret')
        await change({ name: null, accent: 'pink', logo_base64: null })
        const without = await textOf(app, slug)
        expect(without).not.toContain('class="brand"')
        expect(without).toContain('data-accent="pink"')
        await change({ name: NAME, accent: 'teal', logo_base64: base64(LOGO) })
      }
    })

    it('gives way to the accent of a page; blue, the default, is none', async () => {
      await using app = await testApp(engine)
      const { owner, change } = await withBrand(app)
      const page = await owner.publish('<p>x', { access: 'private' })
      const seen = async () => /data-accent="(\w+)"/.exec(await textOf(app, page.slug))![1]
      expect([page.accent, await seen()]).toEqual(['blue', 'teal'])
      expect((await owner.update(page.id, { accent: 'red' })).accent).toBe('red')
      expect(await seen()).toBe('red')
      expect((await owner.update(page.id, { accent: 'blue' })).accent).toBe('blue')
      expect(await seen()).toBe('teal')
      await change({ accent: 'blue' })
      expect(await seen()).toBe('blue')
      await change({ accent: null })
      expect(await seen()).toBe('blue')
    })

    it('is on notices about what was shared, and on none about what was not', async () => {
      await using app = await testApp(engine)
      const { owner, logo } = await withBrand(app)
      const branded = async (slug: string) => {
        const text = await textOf(app, slug)
        expect(text).not.toContain(owner.email)
        return [text.includes(SHARED), text.includes(logo)]
      }
      const expired = await owner.publish('<p>x', { expires_at: '2020-01-01T00:00:00Z' })
      expect(await branded(expired.slug)).toEqual([true, true])
      const draft = await owner.publish('<p>x', { publish: false })
      expect(await branded(draft.slug)).toEqual([false, false])
      const own = await owner.publish('<p>x', { access: 'private' })
      expect(await branded(own.slug)).toEqual([false, false])
      expect(await branded('nothing-here')).toEqual([false, false])
      const { suspend, end } = app.accountSuspension
      const account = (await app.accounts.findByEmail(owner.email))!
      await suspend(account, null)
      expect(await branded(expired.slug)).toEqual([false, false])
      expect((await app.open(logo)).status).toBe(404)
      await end(account, null)
      expect(await branded(expired.slug)).toEqual([true, true])
    })

    it('is in the bar of the viewer, in mails, and in the picture of a link', async () => {
      await using app = await testApp(engine)
      const { owner, change, logo } = await withBrand(app)
      const file = await owner.publish(PDF())
      const viewer = await textOf(app, file.slug)
      expect(viewer).toContain(
        `<p id="by"><img src="${logo}" alt="" height="32"><span>Ann Li</span>`,
      )
      expect(viewer).toContain('data-accent="teal"')
      expect(viewer).not.toContain(owner.email)
      const before = await pictureOf(app, file.slug)
      await change({ name: 'Bo' })
      const after = await pictureOf(app, file.slug)
      expect(after).not.toBe(before)
      await change({ accent: 'red' })
      expect(await pictureOf(app, file.slug)).not.toBe(after)

      const shared = { access: 'people', allowed_emails: ['bo@example.com'] }
      const { id } = await owner.publish('<p>x', shared)
      await owner.ask('POST', `/pages/${id}/invitations`, {})
      await app.mailbox.delivered()
      const { html } = app.mailbox.lastTo('bo@example.com')!
      expect(html).toContain('>“Bo” · Handbill</p>')
      expect(html).toContain('background:#b3261e')
      // Whom the owner invites knows by the address who it is.
      expect(html).toContain(owner.email)
      // Nothing in a mail is loaded.
      expect(html).not.toMatch(/<img|src=/)
    })

    it('has a logo that is a picture and can be nothing else', async () => {
      await using app = await testApp(engine)
      const { session, change, logo } = await withBrand(app)
      const answer = await app.open(logo)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect(base64(await answer.bytes())).toBe(base64(LOGO))
      for (const bytes of [
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        Buffer.from('<!doctype html><script>alert(1)</script>'),
        Buffer.from('GIF89a'),
        Buffer.alloc(0),
        LOGO.subarray(0, 18),
        sized.png(1025, 80),
        sized.png(80, 40_000),
        sized.png(15, 80),
        await sized.webp(2000, 80),
        await sized.jpeg(80, 2000),
        Buffer.concat([LOGO, Buffer.alloc(128 * 1024)]),
      ]) {
        const refused = await session.refused('PATCH', '/account', { logo_base64: base64(bytes) })
        expect(refused[0]).toBe(400)
        expect(['bad_logo', 'invalid_parameter']).toContain(refused[1])
      }
      for (const [kind, type] of [
        ['webp', 'image/webp'],
        ['jpeg', 'image/jpeg'],
      ] as const) {
        const next = await change({ logo_base64: base64(await sized[kind](300, 90)) })
        expect((await app.open(next.logo!)).headers.get('content-type')).toBe(type)
      }
      expect((await app.open(logo)).status).toBe(404)
      expect(await app.rows('logos')).toHaveLength(1)
      expect((await app.open('/~/logos/x')).status).toBe(404)
    })

    it('moves with an export where the account has none, and is deleted with the account', async () => {
      await using app = await testApp(engine)
      const { owner, session, logo } = await withBrand(app)
      await owner.publish('<p>x')
      const target = await app.owner()
      const there = await sessionOf(app, target.email)
      await there.ask('PATCH', '/account', { name: 'Own name' })
      await imported(app, target, await exported(app, owner))
      expect(await there.ask<Own>('GET', '/account')).toMatchObject({
        name: 'Own name',
        accent: 'teal',
        logo,
      })
      for (const [email, by] of [
        [owner.email, session],
        [target.email, there],
      ] as const) {
        expect((await app.open(logo)).status).toBe(200)
        await by.call('POST', '/account/deletion', { email })
      }
      expect(await app.rows('logos')).toEqual([])
      expect((await app.open(logo)).status).toBe(404)
    })
  })
}
