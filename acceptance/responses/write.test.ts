import { expect, test } from 'bun:test'
import { dataOf, free, other, pro, send, visitor } from '../client.ts'
import { everyCase, expectRefusal, timestamp } from '../expect.ts'
import { person } from '../gates/person.ts'
import { own } from '../gates/setup.ts'
import { html, isoIn, word } from '../material.ts'
import {
  credentialsIn,
  FORM,
  type Receipt,
  report,
  sendSubmission,
  submission,
  viewer,
} from './viewer.ts'

const CALL = '<!doctype html><title>Call</title><script>Service.submit({a: 1})</script>'

test('a page with a form data-service or a Service.submit call collects responses', async () => {
  for (const content of [FORM, CALL]) {
    const page = await pro.publish({ html: content })
    expect((await report(pro, page)).status).toMatchObject({ collecting: true, count: 0 })
    const {
      id,
      submitted_at: submittedAt,
      submit_count: submitCount,
    } = await viewer().respond(page, { a: 1 })
    expect(submitCount).toBe(1)
    expect(submittedAt).toMatch(timestamp)
    const { responses, total } = await report(pro, page)
    expect([total, responses.map((each) => each.id)]).toEqual([1, [id]])
  }
})

test('a page without either is served unchanged and collects nothing', async () => {
  const text = html(word('plain'), word('title'))
  const page = await pro.publish({ html: text })
  expect((await visitor.open(page.slug)).text).toBe(text)
  expect((await report(pro, page)).status).toMatchObject({ collecting: false, count: 0 })
})

test('pages that need the script have it in their head, and it loads without blocking', async () => {
  const page = await pro.publish({ html: FORM })
  const { text } = await visitor.open(page.slug)
  expect(text).toMatch(/<script src="\/~\/runtime\.js" async [^>]*><\/script>/)
  expect(text.startsWith('<!doctype html><script>')).toBe(true)
  expect(text.endsWith(FORM.slice('<!doctype html>'.length))).toBe(true)
  const script = await send('/~/runtime.js', { headers: { 'accept-encoding': 'identity' } })
  expect(script.status).toBe(200)
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(Bun.gzipSync(script.bytes as Uint8Array<ArrayBuffer>).byteLength).toBeLessThan(10_240)
})

test('there is no API for writing a response', async () => {
  const page = await pro.publish({ html: FORM })
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const answer = await pro.call(method, `/pages/${page.id}/responses`, { data: { a: 1 } })
    expectRefusal(answer, 405, 'method_not_allowed')
  }
  expect((await report(pro, page)).total).toBe(0)
})

test('each viewer has one response: submitting again replaces it and increments submit_count', async () => {
  const page = await pro.publish({ html: FORM })
  const [ann, bob] = [viewer(), viewer()]
  const first = await ann.respond(page, { colour: 'red' })
  const second = await bob.respond(page, { colour: 'blue' })
  const again = await ann.respond(page, { colour: 'green' })
  expect([again.id, again.submit_count]).toEqual([first.id, 2])
  expect(again.submitted_at > second.submitted_at).toBe(true)
  const { responses } = await report(pro, page)
  expect(responses.map(({ id }) => id)).toEqual([second.id, first.id])
  expect(responses[1]).toMatchObject({ data: { colour: 'green' }, submit_count: 2 })
  expect(responses[1]!.created_at).toBe(first.submitted_at)
  expect(responses[1]!.submitted_at).toBe(again.submitted_at)
})

test('a repeated request makes no second response and does not increment submit_count', async () => {
  const page = await pro.publish({ html: FORM })
  const respondent = viewer()
  const body = { ...submission({ colour: 'red' }), ...(await respondent.open(page)) }
  const receipts = await Promise.all([1, 2, 3].map(() => sendSubmission(body)))
  expect(new Set(receipts.map(({ text }) => text)).size).toBe(1)
  expect(dataOf<Receipt>(receipts[0]!).submit_count).toBe(1)
  expect((await report(pro, page)).responses).toHaveLength(1)
})

test('a viewer has an alias, which is stable on a page and different on another', async () => {
  const [page, next] = [await pro.publish({ html: FORM }), await pro.publish({ html: FORM })]
  const respondent = viewer()
  await respondent.respond(page, { a: 1 })
  const before = (await report(pro, page)).responses[0]!.respondent
  await respondent.respond(page, { a: 2 })
  await respondent.respond(next, { a: 3 })
  await viewer().respond(page, { a: 4 })
  const [later, first] = (await report(pro, page)).responses
  expect(first!.respondent).toBe(before)
  expect(before).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  expect((await report(pro, next)).responses[0]!.respondent).not.toBe(before)
  expect(later!.id).not.toBe(first!.id)
})

test('the browser has an id in a cookie that no page can read', async () => {
  const page = await pro.publish({ html: FORM })
  const answer = await person().read(`/p/${page.slug}`)
  const cookies = answer.headers.getSetCookie().filter((line) => line.includes('browser='))
  expect(cookies).toHaveLength(1)
  expect(cookies[0]).toMatch(/HttpOnly/)
  expect(cookies[0]).toMatch(/SameSite=Lax/)
  expect(answer.text).not.toContain(/browser=([^;]+)/.exec(cookies[0]!)![1]!)
})

test('a cached copy is revalidated for the browser that has it, and not for another', async () => {
  const page = await pro.publish({ html: FORM })
  const respondent = person()
  const etag = (await respondent.read(`/p/${page.slug}`)).headers.get('etag')!
  const again = { 'if-none-match': etag }
  expect((await respondent.read(`/p/${page.slug}`, again)).status).toBe(304)
  const another = await person().read(`/p/${page.slug}`, again)
  expect(another.status).toBe(200)
  credentialsIn(another)
})

test('after the owner deletes it, the viewer can respond again', async () => {
  const page = await pro.publish({ html: FORM })
  const respondent = viewer()
  const { id } = await respondent.respond(page, { a: 1 })
  expect((await pro.call('DELETE', `/pages/${page.id}/responses/${id}`)).status).toBe(204)
  expect((await report(pro, page)).status).toMatchObject({ count: 0, bytes: 0 })
  const next = await respondent.respond(page, { a: 2 })
  expect([next.submit_count, next.id === id]).toEqual([1, false])
  const gone = await pro.call('DELETE', `/pages/${page.id}/responses/${id}`)
  expectRefusal(gone, 404, 'response_not_found')
})

test('a response of a page is deleted through that page, by its owner alone', async () => {
  const [page, next] = [await pro.publish({ html: FORM }), await pro.publish({ html: FORM })]
  const { id } = await viewer().respond(page, { a: 1 })
  expectRefusal(await pro.call('DELETE', `/pages/${next.id}/responses/${id}`), 404)
  expectRefusal(await other.call('DELETE', `/pages/${page.id}/responses/${id}`), 404)
  expectRefusal(await other.call('GET', `/pages/${page.id}/responses`), 404)
  expect((await report(pro, page)).total).toBe(1)
})

test('collection is closed once responses_closed_at has passed, and opens again', async () => {
  const page = await pro.publish({ html: FORM })
  const respondent = viewer()
  const credentials = await respondent.open(page)
  const closedAt = isoIn(-1000)
  await pro.update(page.id, { responses_closed_at: closedAt })
  const status = { collecting: true, closed: true }
  expect((await report(pro, page)).status).toMatchObject(status)
  const refused = await sendSubmission({ ...submission({ a: 1 }), ...credentials })
  expectRefusal(refused, 409, 'closed')
  await pro.update(page.id, { responses_closed_at: isoIn(60_000) })
  expect((await report(pro, page)).status).toMatchObject({ collecting: true, closed: false })
  expect((await sendSubmission({ ...submission({ a: 1 }), ...credentials })).status).toBe(200)
  await pro.update(page.id, { responses_closed_at: null })
  expect((await report(pro, page)).status).toMatchObject({ closed: false, closed_at: null })
  expect((await report(pro, page)).total).toBe(1)
})

test('a page that nobody can open takes no responses and keeps those it has', async () => {
  const page = await pro.publish({ html: FORM })
  const credentials = await viewer().open(page)
  const send = () => sendSubmission({ ...submission({ a: 1 }), ...credentials })
  expect((await send()).status).toBe(200)
  await pro.unpublish(page.id)
  expectRefusal(await send(), 404, 'not_published')
  expect((await report(pro, page)).status).toMatchObject({ collecting: false, count: 1 })
  await pro.goLive(page.id)
  await pro.update(page.id, { expires_at: isoIn(-1000) })
  expectRefusal(await send(), 404, 'expired')
  await pro.update(page.id, { expires_at: null, access: 'password', password: 'abcd efgh' })
  expectRefusal(await send(), 403, 'stale')
  await pro.update(page.id, { access: 'private' })
  expectRefusal(await send(), 403, 'stale')
  await pro.update(page.id, { access: 'link', html: html(word('none'), word('title')) })
  await pro.goLive(page.id)
  expectRefusal(await send(), 409, 'not_collecting')
  const { total, responses } = await report(pro, page)
  expect([total, responses[0]!.data, responses[0]!.submit_count]).toEqual([1, { a: 1 }, 1])
  await pro.remove(page.id)
  expectRefusal(await send(), 404, 'gone')
})

test('the viewer of the last view can still respond', async () => {
  const page = await pro.publish({ html: FORM, max_views: 1 })
  const respondent = viewer()
  const credentials = await respondent.open(page)
  expect((await visitor.open(page.slug)).status).toBe(410)
  expect((await sendSubmission({ ...submission({ a: 1 }), ...credentials })).status).toBe(200)
})

test('a response from a page loaded before a republish has the version that was loaded', async () => {
  const page = await pro.publish({ html: FORM })
  const respondent = viewer()
  const credentials = await respondent.open(page)
  const { published_at: publishedAt } = await pro.page(page.id)
  await pro.update(page.id, { html: `${FORM}<p>changed` })
  await pro.goLive(page.id)
  expect((await sendSubmission({ ...submission({ a: 1 }), ...credentials })).status).toBe(200)
  const [before] = (await report(pro, page)).responses
  expect([before!.page_version, before!.path]).toEqual([publishedAt, ''])
  await respondent.respond(page, { a: 2 })
  const [after] = (await report(pro, page)).responses
  expect(after!.page_version).toBe((await pro.page(page.id)).published_at)
})

test('a response from a deck has the path of its file', async () => {
  const files = ['index.html', 'more/form.html'].map((path) => ({ path, html: FORM }))
  const page = await pro.publish({ files })
  for (const { path } of files) {
    const respondent = viewer()
    const credentials = await respondent.open(page, `/${path}`)
    expect((await sendSubmission({ ...submission({ a: 1 }), ...credentials })).status).toBe(200)
    expect((await report(pro, page)).responses[0]!.path).toBe(path)
  }
})

test('at the plan’s limit a new viewer is refused, and one who responded is not', async () => {
  const page = await free.publish({ html: FORM })
  const first = viewer()
  await first.respond(page, { a: 1 })
  const rest = Array.from({ length: 110 }, () => viewer())
  const answers = await Promise.all(rest.map((each) => each.submit(page, { a: 1 })))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(11)
  for (const answer of refused) expectRefusal(answer, 409, 'full')
  expect((await report(free, page)).status).toMatchObject({ count: 100, max_count: 100 })
  expect((await first.respond(page, { a: 2 })).submit_count).toBe(2)
}, 20_000)

test('the bytes of a page’s responses are limited by the plan', async () => {
  const page = await free.publish({ html: FORM })
  const data = { text: 'x'.repeat(250_000) }
  const statuses: number[] = []
  for (let i = 0; i < 44; i++) statuses.push((await viewer().submit(page, data)).status)
  const { status } = await report(free, page, '?limit=1')
  expect(status.max_bytes).toBe(10 * 1024 * 1024)
  expect(status.bytes as number).toBeLessThanOrEqual(10 * 1024 * 1024)
  expect(statuses.filter((each) => each === 200)).toHaveLength(status.count as number)
  expect(statuses.at(-1)).toBe(409)
}, 20_000)

test('data that cannot be stored is refused and changes nothing', async () => {
  const page = await pro.publish({ html: FORM })
  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [i, i])))
  await everyCase<[string, number, string]>(
    [
      ['truncated list', ['[1]', 400, 'invalid_data']],
      ['text', ['"a"', 400, 'invalid_data']],
      ['truncated object', ['{"a":', 400, 'invalid_data']],
      ['an infinite number', ['{"a":1e400}', 400, 'invalid_data']],
      ['too many levels', [deep, 400, 'invalid_data']],
      ['too many names', [wide, 400, 'invalid_data']],
      ['a name of 10 KB', [JSON.stringify({ ['k'.repeat(10_240)]: 1 }), 400, 'invalid_data']],
      ['over 256 KiB', [JSON.stringify({ a: 'x'.repeat(262_144) }), 413, 'too_large']],
    ],
    async ([data, status, code]) => {
      expectRefusal(await viewer().submit(page, data), status, code)
    },
  )
  expectRefusal(await sendSubmission('x'.repeat(2_000_000)), 413, 'too_large')
  expectRefusal(await sendSubmission('{'), 400, 'invalid_data')
  expect((await report(pro, page)).status).toMatchObject({ count: 0, bytes: 0 })
})

test('any names and values are returned as they were sent', async () => {
  const page = await pro.publish({ html: FORM })
  await everyCase<string>(
    [
      ['names that objects inherit', '{"__proto__":1,"constructor":"x","toString":true}'],
      ['names that are numbers, in order', '{"b":1,"2":2,"10":3,"1":4}'],
      ['names with dots', '{"a.b":1,"a":{"b":2}}'],
      ['an empty name', '{"":1}'],
      ['an escaped NUL', '{"a":"x\\u0000y"}'],
      ['a lone surrogate', '{"a":"\\ud800"}'],
      ['long whole numbers', '{"a":12345678901234567890}'],
      ['lists in lists', '{"a":[[1,[2]],[]]}'],
      ['other scripts', '{"a":"Grüße 😀 שלום","ключ":"x"}'],
    ],
    async (data) => {
      const { id } = await viewer().respond(page, data)
      const answer = await pro.call('GET', `/pages/${page.id}/responses?limit=1`)
      expect(answer.text).toContain(`"id":"${id}"`)
      expect(answer.text).toContain(`"data":${data}`)
    },
  )
  const csv = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
  expect(csv.status).toBe(200)
  expect(({} as Record<string, unknown>).b).toBeUndefined()
})

test('a token is valid for its own page only, and only unchanged', async () => {
  const [page, next] = [await pro.publish({ html: FORM }), await pro.publish({ html: FORM })]
  const [mine, theirs] = [await viewer().open(page), await viewer().open(next)]
  const send = (token: string, stamp: string) =>
    sendSubmission({ ...submission({ a: 1 }), token, stamp })
  const sealedPart = mine.token.split('.').slice(1).join('.')
  await everyCase<[string, string]>(
    [
      ['a source token of another page', [mine.token, theirs.stamp]],
      ['a token renamed to another page', [`${next.id}.${sealedPart}`, theirs.stamp]],
      ['no token', ['', mine.stamp]],
      ['a truncated token', [mine.token.slice(0, -2), mine.stamp]],
      ['a truncated source token', [mine.token, mine.stamp.slice(0, -2)]],
      ['a forged source token', [mine.token, `${btoa('["2020-01-01",""]')}.x`]],
      ['an id instead of a token', [page.id, mine.stamp]],
    ],
    async ([token, stamp]) => {
      expectRefusal(await send(token, stamp), 403, 'stale')
    },
  )
  for (const each of [page, next]) expect((await report(pro, each)).total).toBe(0)
})

test('unknown members are refused', async () => {
  const page = await pro.publish({ html: FORM })
  await everyCase<object>(
    [
      ['a respondent', { respondent: 'ceo@example.com' }],
      ['a time', { submitted_at: '2020-01-01T00:00:00Z' }],
      ['another id', { id: 'x' }],
      ['a version', { page_version: '2020-01-01T00:00:00Z' }],
    ],
    async (more) => {
      expectRefusal(await viewer().submit(page, { a: 1 }, more as never), 400, 'invalid_data')
    },
  )
  expect((await report(pro, page)).total).toBe(0)
})

test('a submission with a filled honeypot is refused', async () => {
  const page = await pro.publish({ html: FORM })
  expectRefusal(await viewer().submit(page, { a: 1 }, { trap: 'http://spam' }), 400, 'spam')
  expect((await report(pro, page)).total).toBe(0)
})

test('the name is the one that the viewer gives', async () => {
  const page = await pro.publish({ html: FORM })
  await viewer().respond(page, { a: 1 }, { name: '  Ann  ' })
  await viewer().respond(page, { name: 'Bob' })
  await viewer().respond(page, { name: ['x'] })
  const names = (await report(pro, page)).responses.map(({ name }) => name)
  expect(names).toEqual([null, 'Bob', 'Ann'])
})

own('the address of submissions accepts POST only', async () => {
  const answer = await send('/~/responses')
  expectRefusal(answer, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('POST')
})
