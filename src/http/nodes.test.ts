/** Two nodes of one PostgreSQL: a write on one takes effect on the other. */
import { describe, expect, it } from 'bun:test'
import type { ServiceConfig } from '../app.ts'
import { testApp } from '../testing/app.ts'
import { createBrowser } from '../testing/browser.ts'
import { type Owner, ownerWith } from '../testing/people.ts'

async function twoNodes(config: Partial<ServiceConfig> = {}) {
  const app = await testApp('postgres', config)
  const node = await app.node()
  const owner = await app.owner()
  const there = ownerWith(node, owner.key, owner.email)
  return { app, node, owner, there, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const HTML = '<!doctype html><p>words'
/** Headers of a program, which gets the page's bytes. */
const RAW = { 'sec-fetch-dest': 'empty' }

describe('on two nodes', () => {
  it('a session that began on one is known to the other, and ends on both', async () => {
    await using made = await twoNodes()
    const { app, node } = made
    const account = await app.accounts.add({ email: 'ann@example.com', plan: 'free' })
    const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
    const session = await node.sessions.find(token)
    expect(session?.account.email).toBe('ann@example.com')
    await node.database.write((tx) => node.sessions.endAll(tx, account.id))
    expect(await app.sessions.find(token)).toBeNull()
  })

  it('a key that was revoked on one is refused by the other at once', async () => {
    await using made = await twoNodes()
    const { app, owner, there } = made
    expect((await there.call('GET', '/pages')).status).toBe(200)
    const [key] = await app.accounts.listKeys(owner.email)
    await app.accounts.revokeKey(key!.id)
    expect((await there.call('GET', '/pages')).status).toBe(401)
  })

  it('an upload to one is used on the other, and the link of one takes one upload', async () => {
    await using made = await twoNodes()
    const { owner, there, node, app } = made
    const { id } = await owner.upload(HTML)
    const page = await there.ask('POST', '/pages', { html_upload: id })
    expect((await node.open(`/p/${page.slug}`)).status).toBe(200)
    const link = await owner.ask<{ url: string }>('POST', '/uploads/links')
    const put = (at: typeof app | typeof node) =>
      at.fetch(new Request(link.url, { method: 'PUT', body: HTML }))
    const statuses = (await Promise.all([app, node].map(put))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 404])
  })

  it('a request with an Idempotency-Key that reaches both makes one page', async () => {
    await using made = await twoNodes()
    const { owner, there } = made
    const create = (at: Owner) =>
      at.call<{ data: { id: string } }>(
        'POST',
        '/pages',
        { html: HTML, title: 'Once' },
        { 'idempotency-key': 'the-same' },
      )
    const answers = await Promise.all([owner, there, owner, there].map(create))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await owner.ask<unknown[]>('GET', '/pages')).toHaveLength(1)
  })

  it('a limit of views that is set on one holds on the other once it is notified', async () => {
    await using made = await twoNodes()
    const { app, node, owner } = made
    const { id, slug } = await owner.publish(HTML)
    for (let n = 0; n < 3; n++) expect((await node.open(`/p/${slug}`)).status).toBe(200)
    const notified = Promise.withResolvers<void>()
    await node.database.listen('page_changed', () => notified.resolve(), notified.resolve)
    await node.views.flush()
    await owner.update(id, { max_views: 5 })
    await notified.promise
    const nodes = [node, app, node, app, node]
    const views = await Promise.all(nodes.map((each) => each.open(`/p/${slug}`)))
    expect(views.map(({ status }) => status).toSorted()).toEqual([200, 200, 410, 410, 410])
    expect((await owner.page(id)).views).toBe(5)
  })

  it('what closes a page on one closes it on the other once it is notified', async () => {
    await using made = await twoNodes()
    const { app, node, owner } = made
    const closings: [number, (id: string) => Promise<unknown>][] = [
      [403, (id) => owner.update(id, { access: 'private' })],
      [403, (id) => owner.update(id, { access: 'password', password: 'four words' })],
      [404, (id) => owner.call('DELETE', `/pages/${id}/publish`)],
      [404, (id) => owner.call('DELETE', `/pages/${id}`)],
    ]
    let onNotified = () => {}
    await node.database.listen(
      'page_changed',
      () => onNotified(),
      () => {},
    )
    for (const [status, close] of closings) {
      const { id, slug } = await owner.publish(HTML)
      expect((await node.open(`/p/${slug}`)).status).toBe(200)
      const notified = new Promise<void>((resolve) => {
        onNotified = resolve
      })
      await close(id)
      await notified
      for (const each of [app, node]) expect((await each.open(`/p/${slug}`)).status).toBe(status)
    }
  })

  it('an account that is suspended on one is served by neither, and by both again afterwards', async () => {
    await using made = await twoNodes()
    const { app, node, owner, there } = made
    const account = await app.accounts.getByEmail(owner.email)
    const slugs = [(await owner.publish(HTML)).slug, (await there.publish(HTML)).slug]
    const statuses = async () => {
      const requests = slugs.flatMap((slug) => [app, node].map((each) => each.open(`/p/${slug}`)))
      return [...new Set((await Promise.all(requests)).map(({ status }) => status))]
    }
    let onNotified = () => {}
    const notified = async (change: Promise<unknown>) => {
      const heard = new Promise<void>((resolve) => {
        onNotified = resolve
      })
      await change
      await heard
    }
    await node.database.listen(
      'page_changed',
      () => onNotified(),
      () => {},
    )
    expect(await statuses()).toEqual([200])
    await notified(app.accountSuspension.suspend(account, null))
    expect(await statuses()).toEqual([410])
    expect((await there.call('GET', '/pages')).status).toBe(403)
    await notified(app.accountSuspension.end(account, null))
    expect(await statuses()).toEqual([200])
    expect((await there.call('GET', '/pages')).status).toBe(200)
  })

  it('a link from a mail that is used at both at the same moment opens once', async () => {
    await using made = await twoNodes()
    const { app, node, owner } = made
    const path = `/p/${(await owner.publish(HTML, { access: 'email_gate' })).slug}`
    for (let n = 0; n < 5; n++) {
      const asking = createBrowser(app)
      await asking.send(await asking.get(path, RAW), { email: `ann${n}@example.com` })
      const link = new URL(app.mails.at(-1)!.button!.url).pathname
      const browsers = [app, node].map((each) => createBrowser(each))
      const offers = await Promise.all(browsers.map((browser) => browser.get(link)))
      await Promise.all(browsers.map((browser, at) => browser.send(offers[at]!)))
      const opened = await Promise.all(browsers.map((browser) => browser.get(path, RAW)))
      expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 403])
    }
  })

  it('the tries at a password on both are counted together', async () => {
    await using made = await twoNodes({ rateLimits: true })
    const { app, node, owner } = made
    const settings = { access: 'password', password: 'four words' }
    const path = `/p/${(await owner.publish(HTML, settings)).slug}`
    const guess = async (at: typeof app | typeof node) => {
      const browser = createBrowser(at)
      return (await browser.send(await browser.get(path, RAW), { password: 'wrong' })).status
    }
    const tries = Array.from({ length: 24 }, (_, n) => guess(n % 2 === 0 ? app : node))
    const statuses = await Promise.all(tries)
    expect(statuses.filter((status) => status === 403)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(14)
  })

  it('of two first accounts at the same time, one is the operator', async () => {
    await using app = await testApp('postgres')
    const node = await app.node()
    for (let n = 0; n < 5; n++) {
      await app.database.write((tx) => tx.deleteFrom('accounts').execute())
      const added = await Promise.all(
        [app, node].map(({ accounts }, at) =>
          accounts.addFirst({ email: `${n}-${at}@example.com`, plan: 'team' }),
        ),
      )
      expect(added.filter((account) => account !== null)).toHaveLength(1)
    }
    await app.database.write((tx) => tx.deleteFrom('accounts').execute())
    const token = await app.accounts.createSetupLink()
    const input = { name: null, plan: 'team' } as const
    const outcomes = await Promise.allSettled([
      app.accounts.setUp(token, { ...input, email: 'ann@example.com' }),
      node.accounts.addFirst({ ...input, email: 'ben@example.com' }),
    ])
    const operators = (await app.accounts.list()).filter((account) => account.is_operator)
    expect(operators).toHaveLength(1)
    expect(outcomes[1].status).toBe('fulfilled')
  })
})
