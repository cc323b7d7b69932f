import { expect } from 'bun:test'
import { type Sent, send, visitor } from '../client.ts'
import { base64, html, pdf, word } from '../material.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
import { own, owner, pathIn, signedIn, waitForMails } from './setup.ts'

/** Publishes a page of the shared owner, and finds the mails about it. */
async function watched(settings: object = {}) {
  const by = await owner()
  const title = word('watched')
  const page = await by.publish({
    html: html(word('content')),
    title,
    notify_on_view: true,
    ...settings,
  })
  const mails = async () => {
    await waitForMails()
    return sharedOutbox()
      .sentTo(by.email)
      .filter(({ subject }) => subject.includes(title))
  }
  return { by, page, title, mails, path: `/p/${page.slug}` }
}

own('notify_on_view: the owner is mailed once for each counted view', async () => {
  const { by, page, title, mails } = await watched()
  for (const count of [1, 2, 3]) {
    await visitor.open(page.slug)
    expect(await mails()).toHaveLength(count)
  }
  expect((await by.page(page.id)).views).toBe(3)
  const [mail] = await mails()
  expect(mail!.subject).toContain('was opened')
  expect(mail!.text).toContain(title)
  expect(mail!.text).toContain(page.url)
  expect(mail!.text).not.toContain('127.0.0.1 ')
  expect(mail!.headers.get('auto-submitted')).toBe('auto-generated')
})

own('notify_on_view: a request that is not a view sends no mail', async () => {
  const { by, page, path, mails } = await watched()
  const slack = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }
  const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }
  const others: Sent[] = [slack, frame, { 'sec-purpose': 'prefetch' }]
  await visitor.head(page.slug)
  await send(path, { method: 'OPTIONS' })
  for (const headers of others) await visitor.open(page.slug, headers)
  await by.update(page.id, { access: 'private' })
  await visitor.open(page.slug)
  const self = await signedIn(by.email)
  expect((await self.read(path)).status).toBe(200)
  expect((await self.open(path)).status).toBe(200)
  await by.unpublish(page.id)
  await visitor.open(page.slug)
  expect(await mails()).toEqual([])
  expect((await by.page(page.id)).views).toBe(0)
})

own('notify_on_view: off by default, and turned off by the owner', async () => {
  const { by, page, mails } = await watched({ notify_on_view: false })
  await visitor.open(page.slug)
  expect(await mails()).toEqual([])
  await by.update(page.id, { notify_on_view: true })
  await visitor.open(page.slug)
  expect(await mails()).toHaveLength(1)
  await by.update(page.id, { notify_on_view: false })
  await visitor.open(page.slug)
  expect(await mails()).toHaveLength(1)
})

own('notify_on_view: a visit of a deck sends one mail, a refused visit none', async () => {
  const by = await owner()
  const deck = { html: undefined, files: ['index', 'two'].map((name) => fileOf(`${name}.html`)) }
  const visited = await watched(deck)
  const who = person()
  for (const path of ['', '/index.html', '/two.html']) await who.read(visited.path + path)
  expect(await visited.mails()).toHaveLength(1)
  const limited = await watched({ max_views: 1 })
  const opens = Array.from({ length: 5 }, () => visitor.open(limited.page.slug))
  const statuses = (await Promise.all(opens)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(await limited.mails()).toHaveLength(1)
  expect((await by.page(limited.page.id)).views).toBe(1)
})

own('notify_on_view: a PDF and a page behind a gate send mails, too', async () => {
  const file = { html: undefined, file_base64: base64(pdf()), filename: 'a.pdf' }
  const viewed = await watched(file)
  expect((await person().open(viewed.path)).status).toBe(200)
  expect(await viewed.mails()).toHaveLength(1)
  const gated = await watched({ access: 'password', password: 'abcd efgh' })
  const who = person()
  await who.submit(await who.open(gated.path), { password: 'abcd efgh' })
  expect(await gated.mails()).toHaveLength(0)
  await who.read(gated.path)
  const [mail] = await gated.mails()
  expect(mail!.text).not.toContain('abcd efgh')
})

own('notify_on_view: the mail has an unsubscribe link, which asks for confirmation', async () => {
  const { by, page, mails } = await watched()
  await visitor.open(page.slug)
  const [mail] = await mails()
  const list = mail!.headers.get('list-unsubscribe')!
  expect(list).toMatch(/^<http.*>$/)
  expect(mail!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const path = pathIn(list.slice(1, -1))
  expect(mail!.links.map((link) => pathIn(link))).toContain(path)
  const who = person()
  await who.head(path)
  expect((await who.open(path)).text).toContain('<form method="post"')
  expect((await by.page(page.id)).notify_on_view, 'looking stops nothing').toBe(true)
  const forged = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`
  expect((await send(forged.slice(0, -3), { method: 'POST' })).status).toBe(404)
  expect((await by.page(page.id)).notify_on_view).toBe(true)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await send(path, { method: 'POST', body })).status).toBe(200)
  expect((await by.page(page.id)).notify_on_view).toBe(false)
  await visitor.open(page.slug)
  expect(await mails()).toHaveLength(1)
})

own('notify_on_view: beyond 20 views a minute the rest are one digest', async () => {
  const { by, page, mails } = await watched()
  await Promise.all(Array.from({ length: 30 }, () => visitor.open(page.slug)))
  expect((await by.page(page.id)).views).toBe(30)
  const deadline = Date.now() + 30_000
  while ((await mails()).length < 20 && Date.now() < deadline) await Bun.sleep(20)
  const single = (await mails()).filter(({ subject }) => !subject.includes('more times'))
  // If the minute ends during the test, the count starts again.
  expect(single.length).toBeGreaterThanOrEqual(20)
  expect(single.length).toBeLessThanOrEqual(30)
})

function fileOf(path: string) {
  return { path, html: html(word(path)) }
}
