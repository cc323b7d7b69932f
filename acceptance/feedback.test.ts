/** Feedback over HTTP: what viewers do, each once, in its order. */
import { expect, test } from 'bun:test'
import { approver, confirmed } from './approvals/approver.ts'
import { pro } from './client.ts'
import { panelOf } from './comments/panel.ts'
import { expectBadParam, expectRefusal } from './expect.ts'
import { bodiesIn, read, talk } from './feedback.ts'
import { formTo, person } from './gates/person.ts'
import { newEmail, newOwner, own } from './gates/setup.ts'
import { html, word } from './material.ts'
import { voter } from './polls/voter.ts'
import { FORM, viewer } from './responses/viewer.ts'

own(
  'each thing that viewers do is one event with a rising number and the object, of a page and of all',
  async () => {
    const by = await newOwner()
    const ann = newEmail('ann')
    const settings = {
      ...{ allow_comments: true, collect_approvals: true, approver_emails: [ann] },
      ...{ collect_votes: true, poll_question: 'Which?', poll_options: ['A', 'B'] },
    }
    const page = await by.publish({ html: FORM, title: word('Plan'), ...settings })
    const closed = await by.publish({
      html: html('x'),
      access: 'people',
      allow_access_requests: true,
    })
    const panel = await panelOf(page)
    const { id } = await panel.comment('Is May possible?')
    await panel.comment('Or June?', { parent_id: id })
    await viewer().respond(page, { age: 7 })
    await voter().vote(page, 'B')
    await approver(await confirmed(ann)).decide(page)
    const guest = person()
    const { action, fields } = formTo(await guest.open(`/p/${closed.slug}`), '/request')
    await guest.post(action, { ...fields, email: newEmail('eve') })

    const { items } = await read(by, '?cursor=start')
    expect(items).toMatchObject([
      { type: 'comment', comment: { id, body: 'Is May possible?' } },
      { type: 'reply', comment: { body: 'Or June?' }, thread: { id } },
      { type: 'response', response: { data: { age: 7 } } },
      { type: 'vote', vote: null },
      { type: 'approval', approval: { email: ann, decision: 'approved', version_no: 1 } },
      { type: 'access_request', page_id: closed.id },
    ])
    const numbers = items.map((event) => Number(/^evt_(\d+)$/.exec(event.id)![1]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(6)
    const ofPage = items.slice(0, 5)
    for (const event of ofPage) {
      expect(event).toMatchObject({ page_id: page.id, page_title: page.title, link_id: null })
    }
    expect((await read(by, '?cursor=start', `/pages/${page.id}`)).items).toEqual(ofPage)
    const some = await read(by, '?cursor=start&types=vote,reply')
    expect(some.items.map(({ type }) => type)).toEqual(['reply', 'vote'])
  },
)

test('without a cursor it begins now; a cursor skips and repeats nothing, and reading consumes nothing', async () => {
  const page = await talk()
  const path = `/pages/${page.id}`
  const panel = await panelOf(page)
  await panel.comment('Before')
  const now = await read(pro, '', path)
  expect(now.items).toEqual([])
  for (const text of ['One', 'Two', 'Three']) await panel.comment(text)
  const first = await read(pro, `?cursor=${now.cursor}&limit=2`, path)
  expect([bodiesIn(first), first.more]).toEqual([['One', 'Two'], true])
  const rest = await read(pro, `?cursor=${first.cursor}&limit=2`, path)
  expect([bodiesIn(rest), rest.more]).toEqual([['Three'], false])
  expect(await read(pro, `?cursor=${now.cursor}&limit=2`, path)).toEqual(first)
  const all = await read(pro, '?cursor=start', path)
  expect(bodiesIn(all)).toEqual(['Before', 'One', 'Two', 'Three'])
})

test('what the account itself wrote is left out unless own=true', async () => {
  const page = await talk()
  const { id } = await (await panelOf(page)).comment('Is May possible?')
  const replied = await pro.call('POST', `/pages/${page.id}/comments`, {
    ...{ body: 'Yes, it is.', parent_id: id },
  })
  expect(replied.status, replied.text).toBe(201)
  const path = `/pages/${page.id}`
  expect(bodiesIn(await read(pro, '?cursor=start', path))).toEqual(['Is May possible?'])
  expect(bodiesIn(await read(pro, '?cursor=start&own=true', path))).toEqual([
    ...['Is May possible?', 'Yes, it is.'],
  ])
})

test('what cannot be asked for is refused with the name of the parameter', async () => {
  const page = await talk()
  for (const path of ['', `/pages/${page.id}`]) {
    const { cursor } = await read(pro, '', path)
    for (const [query, param] of [
      ['cursor=now', 'cursor'],
      [`cursor=x${cursor}`, 'cursor'],
      ['types=likes', 'types'],
      ['wait_s=51', 'wait_s'],
      ['wait_s=-1', 'wait_s'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['own=perhaps', 'own'],
    ] as const) {
      expectBadParam(await pro.call('GET', `${path}/feedback?${query}`), param)
    }
  }
  expectRefusal(await pro.call('GET', '/pages/pg_none/feedback'), 404)
})
