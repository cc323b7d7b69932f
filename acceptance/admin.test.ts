/** What the operator of a server does in the app. */
import { beforeAll, expect } from 'bun:test'
import { appOf } from './app-session.ts'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { expectNotice, expectRefusal } from './expect.ts'
import { newEmail, newOwner, operatorEmail, own, signedIn } from './gates/setup.ts'
import { html, word } from './material.ts'
import { server } from './server.ts'

let operator: ReturnType<typeof appOf>
beforeAll(async () => {
  if (server.own) operator = appOf(await signedIn(await operatorEmail()))
})

own('the operator finds accounts, makes one and sets its plan', async () => {
  const email = newEmail('made')
  const made = dataOf<{ id: string }>(
    await operator('POST', '/operator/accounts', { email, plan: 'free' }),
    201,
  )
  const browser = appOf(await signedIn(email))
  expect(dataOf(await browser('GET', '/account'))).toMatchObject({ email, plan: 'free' })
  const path = `/operator/accounts/${made.id}`
  expect(dataOf(await operator('PATCH', path, { plan: 'pro' }))).toMatchObject({ plan: 'pro' })
  expect(dataOf(await browser('GET', '/account'))).toMatchObject({ plan: 'pro' })
  const search = `/operator/accounts?search=${encodeURIComponent(email)}`
  expect(dataOf(await operator('GET', search))).toMatchObject([{ id: made.id, pages: 0 }])
})

own('a page is taken down and given back: visitors meet a notice, its owner sees why', async () => {
  const by = await newOwner()
  const [content, title] = [word('content'), word('title')]
  const page = await by.publish({ html: html(content, title) })
  const path = `/operator/pages/${page.id}/takedown`
  const answer = await operator('GET', `/operator/pages?search=${page.slug}`)
  expect(dataOf(answer)).toMatchObject([{ id: page.id, owner: by.email }])
  expect(answer.text).not.toContain(content)
  dataOf(await operator('POST', path, { reason: 'It is a copy of a bank.' }))
  const response = await send(`/p/${page.slug}`)
  expectNotice(response, 410, [content, title, 'bank'])
  expect(response.text).toContain('This page was taken down')
  expect(await by.page(page.id)).toMatchObject({
    state: 'closed',
    closed_by: 'taken_down',
    taken_down_reason: 'It is a copy of a bank.',
  })
  dataOf(await operator('DELETE', path))
  expect((await send(`/p/${page.slug}`)).text).toContain(content)
  expect((await by.page(page.id)).taken_down_at).toBeNull()
})

own('without a mail server the operator reads mails, one-time links and all', async () => {
  const { email } = await newOwner()
  await signedIn(email)
  const list = await operator('GET', '/operator/mails?limit=100')
  const body = list.json as { data: { id: string; to: string }[]; sends_mails: boolean }
  expect(body.sends_mails).toBe(false)
  expect(list.text).not.toContain('/app/confirm/')
  const { id } = body.data.find(({ to }) => to === email)!
  const mail = dataOf<{ text: string }>(await operator('GET', `/operator/mails/${id}`))
  expect(mail.text).toMatch(/http\S+\/app\/confirm\//)
})

own('the operator sees what is stored, and how the parts are', async () => {
  const storage = dataOf<Record<string, number>>(await operator('GET', '/operator/storage'))
  expect(storage.pages).toBeGreaterThanOrEqual(0)
  expect(storage.database_bytes).toBeGreaterThan(0)
  const health = dataOf<{ version: string; parts: { name: string }[] }>(
    await operator('GET', '/operator/health'),
  )
  expect(health.parts.map(({ name }) => name)).toEqual([
    'database',
    'files',
    'disk',
    'backup',
    'mail',
    'address',
  ])
})

own('nobody else does any of it, and no API key, that of the operator neither', async () => {
  const by = await newOwner()
  const browser = appOf(await signedIn(by.email))
  const made = await operator('POST', '/keys', { name: word('key') })
  const ofOperator = ownerOf(dataOf<{ key: string }>(made, 201).key)
  const page: Page = await by.publish({ html: html('x') })
  const attempts = [
    ['GET', '/operator/accounts'],
    ['POST', '/operator/accounts', { email: newEmail() }],
    ['POST', `/operator/pages/${page.id}/takedown`, { reason: 'x' }],
    ['GET', '/operator/mails'],
    ['GET', '/operator/health'],
    ['GET', '/operator/storage'],
  ] as const
  for (const [method, path, body] of attempts) {
    expectRefusal(await browser(method, path, body), 403, 'operator_only')
    expectRefusal(await by.call(method, path, body), 403, 'session_only')
    expectRefusal(await ofOperator.call(method, path, body), 403, 'session_only')
  }
  expect((await send(`/p/${page.slug}`)).status).toBe(200)
})
