import { expect, test } from 'bun:test'
import { pro, send, visitor } from '../client.ts'
import { base64, png, word } from '../material.ts'
import { formTo, person } from './person.ts'
import { expectContent, expectLocked, publishGated } from './setup.ts'

const PASSWORD = 'correct horse battery'

test('the password opens the page in the browser that sent it and in no other', async () => {
  const page = await publishGated(pro, { access: 'password', password: PASSWORD }, [PASSWORD])
  const ann = person()
  const gate = await ann.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).toMatch(/<label[^>]*>Password\s*<input[^>]*type="password"/)
  const answer = await ann.submit(gate, { password: PASSWORD })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, page.path])
  expectContent(await ann.read(page.path), page)
  expect((await ann.open(page.path)).status, 'as a window').toBe(200)
  expectLocked(await person().read(page.path), page)
  expectLocked(await visitor.open(page.page.slug), page)
})

test('a wrong password gets an error, and is not in the response', async () => {
  const page = await publishGated(pro, { access: 'password', password: PASSWORD }, [PASSWORD])
  const ann = person()
  const wrong = await ann.submit(await ann.open(page.path), { password: 'incorrect horse' })
  expectLocked(wrong, page)
  expect(wrong.text).toMatch(/role="alert"[^>]*>[^<]*not the password/)
  expect(wrong.text).toContain('aria-describedby="error"')
  expect(wrong.text).not.toContain('incorrect horse')
  expectLocked(await ann.read(page.path), page)
  for (const near of [
    '',
    PASSWORD.toUpperCase(),
    PASSWORD.replace(' ', ''),
    PASSWORD.slice(0, -1),
  ]) {
    expectLocked(await ann.submit(wrong, { password: near }), page)
  }
  expect((await ann.submit(wrong, { password: PASSWORD })).status).toBe(303)
})

test('the password of one page opens no other', async () => {
  const one = await publishGated(pro, { access: 'password', password: PASSWORD })
  const two = await publishGated(pro, { access: 'password', password: PASSWORD })
  const ann = person()
  await ann.submit(await ann.open(one.path), { password: PASSWORD })
  expectContent(await ann.read(one.path), one)
  expectLocked(await ann.read(two.path), two)
  const cookie = [...ann.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  expectLocked(await send(two.path, { headers: { cookie } }), two)
})

test('a gate answers the same whether or not a deck has the file', async () => {
  const words = word('cover')
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: `<p>${words}<img src="a.png">` },
      { path: 'team.html', html: `<p>${words} team` },
    ],
    assets: [{ path: 'a.png', data_base64: base64(png()) }],
    access: 'password',
    password: PASSWORD,
  })
  const deck = { page, path: `/p/${page.slug}`, content: words, hidden: [words] }
  const ann = person()
  await ann.open(deck.path)
  const lines: string[] = []
  for (const path of ['team.html', 'none.html', 'a.png', 'b.png', 'about/']) {
    const answer = await ann.open(`${deck.path}/${path}`)
    expectLocked(answer, deck)
    lines.push(answer.text.replaceAll(path, 'PATH'))
  }
  expect(new Set(lines).size).toBe(1)
  const answer = await ann.submit(await ann.open(`${deck.path}/team.html`), { password: PASSWORD })
  expect(answer.headers.get('location')).toBe(`${deck.path}/team.html`)
  expectContent(await ann.read(`${deck.path}/team.html`), deck)
  expect((await ann.read(`${deck.path}/a.png`)).status).toBe(200)
  expect((await ann.read(`${deck.path}/none.html`)).status).toBe(404)
})

test('a gate counts no view, and the page behind it counts one', async () => {
  const page = await publishGated(pro, { access: 'password', password: PASSWORD })
  const ann = person()
  await ann.submit(await ann.open(page.path), { password: 'wrong' })
  await ann.submit(await ann.open(page.path), { password: PASSWORD })
  expect((await pro.page(page.page.id)).views).toBe(0)
  await ann.read(page.path)
  expect((await pro.page(page.page.id)).views).toBe(1)
})

test('a password form from another page, browser or site opens nothing', async () => {
  const page = await publishGated(pro, { access: 'password', password: PASSWORD })
  const [ann, eve] = [person(), person()]
  const gate = await ann.open(page.path)
  const right = { password: PASSWORD }
  const foreign = [
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) expectLocked(await ann.submit(gate, right, headers), page)
  const { action, fields } = formTo(gate, '/password')
  expectLocked(await ann.post(action, { ...fields, ...right, token: 'x' }), page)
  expectLocked(await ann.post(action, right), page)
  await eve.open(page.path)
  expectLocked(await eve.submit(gate, right), page)
  expectLocked(await ann.read(page.path), page)
  expect((await ann.submit(gate, right)).status).toBe(303)
})

test('a password counts without spaces at its ends, and in any Unicode form', async () => {
  const page = await publishGated(pro, { access: 'password', password: ' Zwölf Boxkämpfer ' })
  for (const password of [
    'Zwölf Boxkämpfer',
    '  Zwo\u0308lf Boxka\u0308mpfer\t',
    ' Zwölf Boxkämpfer ',
  ]) {
    const who = person()
    expect((await who.submit(await who.open(page.path), { password })).status, password).toBe(303)
    expectContent(await who.read(page.path), page)
  }
  const who = person()
  const inner = await who.submit(await who.open(page.path), { password: 'ZwölfBoxkämpfer' })
  expectLocked(inner, page)
})
