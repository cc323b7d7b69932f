import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import type { Owner } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import type { Link } from '../links/contract.ts'
import type { Forgotten } from './contract.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const YEAR_MS = 365 * DAY_MS

/** A page that was sent to both by links, which both opened behind its gate. */
async function openedPage(app: TestApp, owner: Owner, settings = {}) {
  const page = await owner.publish('<title>Plan</title><p>x', { access: 'email_gate', ...settings })
  const links: Link[] = []
  for (const email of [ANN, BEN]) {
    const link = { label: email, email, ...(email === BEN && { max_views: 3 }) }
    const made = await owner.ask<Link>('POST', `/pages/${page.id}/links`, link)
    const viewer = { address: '', program: email, confirmed: { email, manifestId: null } }
    const how = { limited: false, notify: false, linkId: made.id }
    await app.views.count(page.id, { ...how, viewer })
    await app.links.markOpened(page.id, made.id)
    links.push(made)
  }
  return { page, links }
}
const linksOf = (owner: Owner, id: string) => owner.ask<Link[]>('GET', `/pages/${id}/links`)
const viewersOf = async (owner: Owner, id: string) =>
  (await owner.ask<{ email: string }[]>('GET', `/pages/${id}/viewers`)).map(({ email }) => email)

/** The pages of the first openings by a link that the inbox and feedback have. */
const openings = async (app: TestApp) =>
  (await app.rows('feedback_events'))
    .filter(({ type, link_id: link }) => type === 'opened' && link !== null)
    .map(({ page_id: id }) => id)
    .sort()

for (const engine of ENGINES) {
  describe(`what is known of people on ${engine}`, () => {
    it('is forgotten after 13 months, and the views stay', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page, links } = await openedPage(app, owner)
      app.advance(YEAR_MS + 20 * DAY_MS)
      const recent = await openedPage(app, owner)
      await app.privacy.sweep()
      expect((await linksOf(owner, page.id)).every((link) => link.first_opened_at)).toBe(true)
      expect(await viewersOf(owner, page.id)).toHaveLength(2)
      app.advance(20 * DAY_MS)
      await app.privacy.sweep()
      const nothing = { first_opened_at: null, last_opened_at: null, sent_at: null }
      const [ben, ann] = await linksOf(owner, page.id)
      expect([ann, ben]).toMatchObject([
        { ...nothing, id: links[0]!.id, opens: 0, state: 'active' },
        // Its limit needs the number.
        { ...nothing, id: links[1]!.id, opens: 1, state: 'active' },
      ])
      expect(await viewersOf(owner, page.id)).toEqual([])
      expect((await owner.page(page.id)).views).toBe(2)
      expect(await openings(app)).toEqual([recent.page.id, recent.page.id])
      expect(await viewersOf(owner, recent.page.id)).toHaveLength(2)
      expect((await linksOf(owner, recent.page.id))[0]).toMatchObject({ opens: 1 })
    })

    it('is forgotten of refusals by a link as well, and not of those without one', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page, links } = await openedPage(app, owner)
      await app.views.countFacts(page.id, [
        ['refusal', 'password'],
        ['link_refusal', `${links[0]!.id} password`],
      ])
      const facets = async () =>
        (await app.rows('view_facets')).map(({ facet }) => facet).filter((is) => /refusal/.test(is))
      expect((await facets()).sort()).toEqual(['link_refusal', 'refusal'])
      app.advance(2 * YEAR_MS)
      await app.privacy.sweep()
      expect(await facets()).toEqual(['refusal'])
    })

    it('is kept as long as operators say', async () => {
      await using app = await testApp(engine)
      await app.accounts.addFirst({ email: 'op@example.com', plan: 'team' })
      const operator = await sessionOf(app, 'op@example.com')
      const owner = await app.owner()
      const { page } = await openedPage(app, owner)
      for (const months of [0, 121, 1.5, '2']) {
        const change = { people_retention_months: months }
        const refused = await operator.refused('PATCH', '/operator/settings', change)
        expect(refused[0]).toBe(400)
      }
      await operator.ask('PATCH', '/operator/settings', { people_retention_months: 2 })
      app.advance(58 * DAY_MS)
      await app.privacy.sweep()
      expect(await viewersOf(owner, page.id)).toHaveLength(2)
      app.advance(5 * DAY_MS)
      await app.privacy.sweep()
      expect(await viewersOf(owner, page.id)).toEqual([])
    })

    it('is forgotten in short transactions', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { page } = await openedPage(app, owner)
      const [row] = await app.rows('confirmed_viewers')
      const more = Array.from({ length: 1200 }, (_, at) => ({ ...row!, email: `p${at}@x.org` }))
      for (let at = 0; at < more.length; at += 100) {
        const some = more.slice(at, at + 100)
        await app.database.write((tx) => tx.insertInto('confirmed_viewers').values(some).execute())
      }
      app.advance(2 * YEAR_MS)
      await app.privacy.sweep()
      expect(await app.rows('confirmed_viewers')).toEqual([])
      expect((await owner.page(page.id)).views).toBe(2)
    })

    it('is forgotten of one person where its owner says so, on their pages alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const other = await app.owner()
      const { page } = await openedPage(app, owner)
      const { page: theirs } = await openedPage(app, other)
      const { page: trashed } = await openedPage(app, owner)
      await owner.ask('POST', `/pages/${trashed.id}/trash`)
      const current = await owner.publish('<p>y', { access: 'people', allow_access_requests: true })
      await app.access.requestAccess((await app.pages.find(current.id))!, ANN)
      const forgotten = await owner.ask<Forgotten>('POST', '/people/forget', {
        email: 'Ann@Example.com',
      })
      expect(forgotten).toEqual({ email: ANN, links: 2, viewers: 2, access_requests: 1 })
      expect((await linksOf(owner, page.id)).map(({ email }) => email)).toEqual([BEN])
      expect(await openings(app)).toEqual([page.id, trashed.id, theirs.id, theirs.id].sort())
      expect(await viewersOf(owner, page.id)).toEqual([BEN])
      expect((await owner.page(page.id)).views).toBe(2)
      expect(await app.rows('access_requests')).toEqual([])
      expect(JSON.stringify(await owner.ask('GET', '/inbox'))).not.toContain(ANN)
      expect(JSON.stringify(await owner.ask('GET', '/feedback?cursor=start'))).not.toContain(ANN)
      expect(await viewersOf(other, theirs.id)).toHaveLength(2)
      expect(await linksOf(other, theirs.id)).toHaveLength(2)
      const again = await owner.ask<Forgotten>('POST', '/people/forget', { email: ANN })
      expect(again).toEqual({ email: ANN, links: 0, viewers: 0, access_requests: 0 })
    })

    it('is forgotten of one person on all pages, with the mails that were sent', async () => {
      await using app = await testApp(engine, { smtpUrl: 'smtp://mail.example.com' })
      const [owner, other] = [await app.owner(), await app.owner()]
      const { page } = await openedPage(app, owner)
      await openedPage(app, other)
      const csv = `${ANN}\n${BEN}`
      await owner.ask('POST', `/pages/${page.id}/links/batch`, { csv })
      await app.mailbox.delivered()
      const forgotten = await app.privacy.forget(ANN, null)
      expect(forgotten).toEqual({ email: ANN, links: 3, viewers: 2, access_requests: 0 })
      for (const table of ['page_links', 'confirmed_viewers', 'outbox'] as const) {
        const stored = JSON.stringify(await app.rows(table))
        expect([stored.includes(ANN), stored.includes(BEN)]).toEqual([false, true])
      }
    })
  })
}
