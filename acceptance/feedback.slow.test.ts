import { expect, test } from 'bun:test'
import { confirmed } from './approvals/approver.ts'
import { pro } from './client.ts'
import { panelOf } from './comments/panel.ts'
import { bodiesIn, read, talk } from './feedback.ts'
import { person } from './gates/person.ts'
import { newEmail } from './gates/setup.ts'
import { html, word } from './material.ts'

test('with wait_s the answer comes as soon as there is something, or empty once the time is over', async () => {
  const page = await talk()
  const path = `/pages/${page.id}`
  const panel = await panelOf(page)
  const { cursor } = await read(pro, '', path)
  const began = Date.now()
  const waiting = read(pro, `?cursor=${cursor}&wait_s=30`, path)
  await Bun.sleep(100)
  await panel.comment('Now')
  expect(bodiesIn(await waiting)).toEqual(['Now'])
  expect(Date.now() - began).toBeLessThan(10_000)
  const over = await read(pro, '?wait_s=1', path)
  expect([over.items, over.more]).toEqual([[], false])
})

test('the first opening by a person whom the gate confirmed is told, once', async () => {
  const page = await pro.publish({ html: html('x'), title: word('Gated'), access: 'email_gate' })
  const ann = newEmail('ann')
  for (const _time of [1, 2])
    expect((await (await confirmed(ann)).open(`/p/${page.slug}`)).status).toBe(200)
  const path = `/pages/${page.id}`
  const first = await read(pro, '?cursor=start&wait_s=30', path)
  expect(first.items).toMatchObject([{ type: 'opened', link_id: null, email: ann }])
  expect((await read(pro, `?cursor=${first.cursor}&wait_s=1`, path)).items).toEqual([])
})

test('a link that reaches its view limit, and one that expires, are told as page_closed', async () => {
  const expires_at = new Date(Date.now() + 1000).toISOString()
  for (const [reason, settings] of [
    ['view_limit', { max_views: 1 }],
    ['expired', { expires_at }],
  ] as const) {
    const page = await pro.publish({ html: html('x'), title: word('Closing'), ...settings })
    if (reason === 'view_limit') expect((await person().read(`/p/${page.slug}`)).status).toBe(200)
    const query = '?cursor=start&types=page_closed&wait_s=30'
    const { items } = await read(pro, query, `/pages/${page.id}`)
    expect(items).toMatchObject([{ type: 'page_closed', page_id: page.id, reason }])
  }
})
