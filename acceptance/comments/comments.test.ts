import { expect, test } from 'bun:test'
import { free, type Page, pro, send } from '../client.ts'
import { person } from '../gates/person.ts'
import { newEmail, newOwner, own, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { credentialsIn, listOf, panelOf } from './panel.ts'

const publish = (settings: object = {}, by = pro): Promise<Page> =>
  by.publish({ html: html('We start on 9 May.'), allow_comments: true, ...settings })
const codeOf = ({ json }: { json: unknown }) => (json as { error: { code: string } }).error.code

test('everyone who can see the page sees the thread, and can comment without an account', async () => {
  const page = await publish({}, free)
  const [ann, bob] = [await panelOf(page), await panelOf(page)]
  const { id } = await ann.comment('Why May?', { name: 'Ann' })
  const reply = await bob.comment('It is warm', { parent_id: id })
  expect(reply.author).toMatchObject({
    kind: 'anonymous',
    name: expect.stringMatching(/^\w+ \w+$/),
  })
  const { threads, count } = await (await panelOf(page)).read()
  expect(threads).toMatchObject([{ id, body: 'Why May?', replies: [{ body: 'It is warm' }] }])
  expect(count).toBe(1)
  expect(codeOf(await ann.post('deeper', { parent_id: reply.id }))).toBe('comment_is_reply')
})

test('a page without allow_comments has no panel, and takes and shows none', async () => {
  const page = await publish()
  const panel = await panelOf(page)
  await panel.comment('Kept')
  await pro.update(page.id, { allow_comments: false })
  expect(credentialsIn(await person().open(`/p/${page.slug}`))).toBeNull()
  for (const operation of ['', '/post']) {
    const refused = await panel.send(operation, { id: word('comment'), body: 'x' })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.text).not.toContain('Kept')
  }
  expect(await listOf(pro, page)).toHaveLength(1)
  await pro.update(page.id, { allow_comments: true })
  expect((await (await panelOf(page)).read()).threads).toMatchObject([{ body: 'Kept' }])
})

own(
  'comments_require_email takes comments of confirmed addresses alone, and keeps these private',
  async () => {
    const by = await newOwner()
    const page = await publish({ comments_require_email: true }, by)
    const anonymous = await panelOf(page)
    const refused = await anonymous.post('x')
    expect([refused.status, codeOf(refused)]).toEqual([403, 'email_required'])
    const email = newEmail('ann')
    await anonymous.confirm(email)
    const ann = await panelOf(page, anonymous.who)
    await ann.comment('A question', { name: 'Ann' })
    const stranger = await panelOf(page)
    const answer = await stranger.send('', {})
    expect(answer.text).toContain('A question')
    expect(answer.text).not.toContain(email)
    expect((await listOf(by, page))[0]!.author).toEqual({ kind: 'confirmed', name: 'Ann', email })
    expect((await stranger.read()).threads[0]!.author).toEqual({ kind: 'confirmed', name: 'Ann' })
  },
)

own('the owner is marked, and moderates: what is hidden is in no answer to viewers', async () => {
  const by = await newOwner()
  const page = await publish({}, by)
  const ann = await panelOf(page)
  const { id } = await ann.comment('Something rude', { name: 'Rude Name' })
  const path = `/pages/${page.id}/comments`
  await by.call('POST', path, { body: 'That was hidden', parent_id: id })
  await by.call('PATCH', `${path}/${id}`, { is_hidden: true })
  const { text } = await ann.send('', {})
  expect(text).not.toContain('ude')
  expect(text).not.toContain(by.email)
  const { threads } = await ann.read()
  expect(threads).toMatchObject([
    { placeholder: 'hidden', author: null, replies: [{ author: { kind: 'owner' } }] },
  ])
  const owner = await panelOf(page, await signedIn(by.email))
  expect((await owner.comment('As owner')).author!.kind).toBe('owner')
  expect((await by.call('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await ann.read()).threads).toMatchObject([{ body: 'As owner' }])
})

test('an author edits and deletes their own for 15 minutes, and nobody else’s', async () => {
  const page = await publish()
  const [ann, bob] = [await panelOf(page), await panelOf(page)]
  const { id, created_at: at } = await ann.comment('Helo')
  const [mine] = (await ann.read()).own
  expect(mine!.id).toBe(id)
  expect(Date.parse(mine!.editable_until) - Date.parse(at)).toBe(15 * 60_000)
  expect((await bob.read()).own).toEqual([])
  expect(codeOf(await bob.edit(id, 'x'))).toBe('comment_not_found')
  expect(codeOf(await bob.withdraw(id))).toBe('comment_not_found')
  expect((await ann.edit(id, 'Hello')).status).toBe(200)
  expect((await bob.read()).threads).toMatchObject([{ body: 'Hello' }])
  expect((await ann.withdraw(id)).status).toBe(200)
  expect((await bob.read()).threads).toEqual([])
})

test('a comment that is sent twice is stored once, and an unchanged thread is a tiny answer', async () => {
  const page = await publish()
  const panel = await panelOf(page)
  const id = word('comment')
  const sent = await Promise.all(Array.from({ length: 5 }, () => panel.post('Once', { id })))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
  const { revision, threads } = await panel.read()
  expect(threads).toHaveLength(1)
  const again = await panel.send('', { known: revision })
  expect(again.text.length).toBeLessThan(400)
  expect((await panel.read({ known: revision })).threads).toEqual([])
})

test('tokens of other pages, other browsers and other sites are refused, and store nothing', async () => {
  const [page, other] = [await publish(), await publish()]
  const [panel, elsewhere] = [await panelOf(page), await panelOf(other)]
  const post = { id: word('comment'), body: 'forged' }
  const json = { 'content-type': 'application/json', origin: server.url }
  const forge = (body: object, headers = {}, who = panel.who) =>
    who.ask('/~/comments/post', {
      method: 'POST',
      body: JSON.stringify({ ...panel.credentials, ...post, ...body }),
      headers: { ...json, ...headers },
    })
  const refused = [
    await forge({ token: elsewhere.credentials.token }),
    await forge({ stamp: elsewhere.credentials.stamp }),
    await forge({ token: `${page.id}.x` }),
    await forge({}, { origin: 'https://evil.example' }),
    await forge({}, { origin: 'null' }),
    await forge({}, {}, person()),
    await forge({ trap: 'x' }),
    await forge({ author: { kind: 'owner' } }),
    await forge({ version_no: 7 }),
    await forge({ email: 'ann@example.com' }),
    await forge({ body: 'x'.repeat(200_000) }),
  ]
  for (const answer of refused) expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await listOf(pro, page)).toEqual([])
  expect(await listOf(pro, other)).toEqual([])
})

test('bad text is refused with a clear word or neutralised', async () => {
  const page = await publish()
  const panel = await panelOf(page)
  const refusals: [string, object][] = [
    ['comment_empty', { body: ' \u200b ' }],
    ['comment_too_long', { body: 'x'.repeat(5001) }],
    ['comment_too_long', { name: 'x'.repeat(81) }],
    ['name_reserved', { name: 'The owner' }],
    ['comment_not_found', { parent_id: 'cmt_none' }],
    ['invalid_data', { anchor: { quote: 'x' } }],
    ['bad_anchor', { anchor: { sheet: 1, x: 0, y: 0 } }],
  ]
  for (const [code, more] of refusals) expect(codeOf(await panel.post('x', more))).toBe(code)
  const { body } = await panel.comment(
    '<script>alert(1)</script>\u0000\u202ecod.exe\r\nZ\u0336\u0336',
  )
  expect(body).toBe('<script>alert(1)</script>cod.exe\nZ\u0336\u0336')
  const zalgo = await panel.comment(`a${'\u0336'.repeat(500)}`)
  expect(zalgo.body.length).toBeLessThan(10)
  expect(await listOf(pro, page)).toHaveLength(2)
})

test('a comment is about a passage of the version that was open, and says when it is outdated', async () => {
  const page = await publish()
  const panel = await panelOf(page)
  const anchor = { quote: '9 May', prefix: 'We start on ', suffix: '.' }
  const { id } = await panel.comment('Why?', { anchor })
  await panel.comment('Nowhere', { anchor: { ...anchor, quote: '10 May' } })
  const states = async () => (await panel.read()).threads.map((each) => each.anchor_state)
  expect(await states()).toEqual(['exact', 'outdated'])
  const edits = [{ find: '9 May', replace: '16 May' }]
  const edited = await pro.patchHtml(page.id, { edits, publish: true, addresses: [id] })
  const { version } = (edited.json as { edits: { version: number } }).edits
  expect(await states()).toEqual(['outdated', 'outdated'])
  expect((await panel.read()).threads[0]).toMatchObject({
    state: 'resolved',
    addressed_in: version,
    version_no: 1,
    anchor: { quote: '9 May' },
  })
  // The panel that was opened before the change still writes about what it shows.
  expect((await panel.comment('Late')).version_no).toBe(1)
  expect((await (await panelOf(page)).comment('New')).version_no).toBe(version)
})

test('the gate is asked again at each write', async () => {
  const by = await newOwner()
  const page = await publish({}, by)
  const panel = await panelOf(page)
  await panel.comment('Before')
  await by.update(page.id, { access: 'private' })
  for (const refused of [await panel.post('After'), await panel.send('', {})]) {
    expect(refused.status).toBe(403)
    expect(refused.text).not.toContain('Before')
  }
  await by.call('DELETE', `/pages/${page.id}`)
  expect((await panel.post('After')).status).toBe(404)
})

test('comments are no part of what others than the owner read by the API', async () => {
  const page = await publish()
  const { id } = await (await panelOf(page)).comment('x')
  const path = `/pages/${page.id}/comments`
  for (const answer of [
    await free.call('GET', path),
    await free.call('POST', path, { body: 'x' }),
    await free.call('PATCH', `${path}/${id}`, { is_hidden: true }),
    await free.call('DELETE', `${path}/${id}`),
  ]) {
    expect([answer.status, codeOf(answer)]).toEqual([404, 'page_not_found'])
  }
  expect((await send(`/api/v1${path}`)).status).toBe(401)
})

test('a long list of comments is compressed for the panel', async () => {
  const page = await pro.publish({ html: html('words'), allow_comments: true })
  const panel = await panelOf(page)
  for (let count = 0; count < 8; count += 1) await panel.comment('The same words again. '.repeat(9))
  const { headers } = await panel.send('', {})
  expect(headers.get('content-encoding')).toMatch(/^(gzip|br|zstd)$/)
  expect((await panel.read()).threads).toHaveLength(8)
})
