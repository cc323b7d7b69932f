import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../../acceptance/browser.ts'
import { type RuntimeHarness, refusal, startRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(60_000)

let runtime: RuntimeHarness
beforeAll(async () => {
  runtime = await startRuntime()
})
afterEach(() => runtime.clear())
afterAll(() => runtime.stop())

const FORM = `<form data-service><input id=a name=a value=1 data-label=Answer>
<button id=send>Send</button></form>`

async function opened(html: string) {
  const window = await runtime.open(html, { isFramed: true })
  return { ...window, frame: await framed(window.tab, '#send') }
}

test('a form in the shell is sent by the shell, and the page never sees the token', async () => {
  const { frame, tab, problems } = await opened(FORM)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
  const { id, ...body } = runtime.stage.received[0]!
  expect(body).toEqual({
    token: 'of the shell',
    stamp: 'a stamp',
    data: '{"a":"1"}',
    controls: [{ name: 'a', label: 'Answer', kind: 'text' }],
  })
  expect(runtime.stage.headers[0]!.get('origin')).toBe(new URL(tab.url()).origin)
  expect(runtime.stage.headers[0]!.get('cookie')).toBeNull()
  const seen = await frame.evaluate(() => document.documentElement.outerHTML + window.name)
  expect(seen).not.toContain('of the shell')
  const named = frame.evaluate(() => window.Service.submit({ b: 2 }, { name: 'Ada' }))
  expect(await named).toMatchObject({ submit_count: 2 })
  expect(runtime.stage.received[1]).toMatchObject({ data: '{"b":2}', name: 'Ada', controls: [] })
  expect(problems).toEqual([])
})

test('refusals and waits come back through the shell', async () => {
  const wait = refusal(429, 'rate_limited', { 'retry-after': '1' })
  runtime.stage.refusals.push(wait, refusal(409, 'closed'))
  const { frame } = await opened(FORM)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'failed')
  expect(await frame.textContent('[role=alert]')).toBe('It is closed.')
  const [first, second, ...more] = runtime.stage.received
  expect([first!.id, more]).toEqual([second!.id, []])
})

test('without a connection a form in the shell waits too', async () => {
  const { frame, tab } = await opened(FORM)
  await tab.context().setOffline(true)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'failed')
  await tab.context().setOffline(false)
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
})

test('forms in frames inside the page are sent as well', async () => {
  runtime.stage.files['in/side.html'] = '<iframe src="../deep.html">'
  runtime.stage.files['deep.html'] = FORM
  const html = `<p id=send></p><p id=heard></p><script>
addEventListener('message', () => { heard.textContent = 'something' })</script>
<iframe src="in/side.html"></iframe>`
  const { frame, tab, problems } = await opened(html)
  await becomes(() => tab.frames().length, 4)
  const deep = tab.frames().find((each) => each.url().endsWith('/deep.html'))!
  await deep.click('#send')
  await becomes(() => deep.getAttribute('form', 'data-state'), 'sent')
  expect(runtime.stage.received.map(({ token, data }) => [token, data])).toEqual([
    ['of the shell', '{"a":"1"}'],
  ])
  expect(await frame.textContent('#heard')).toBe('')
  expect(problems).toEqual([])
})

test('frames that are not of this page send nothing', async () => {
  const { frame } = await opened(`<p id=send></p><iframe sandbox="allow-scripts" srcdoc="<script>
const submission = { stamp: 's', id: 'x'.repeat(22), data: '{}', controls: [] }
for (const files of [null, undefined, '', '/p/framed/', '/p/framed/~other/']) {
  parent.postMessage({ type: 'relay', files, submission }, '*', [new MessageChannel().port2])
}
parent.postMessage('sent', '*')
</script>"></iframe>`)
  await frame.evaluate(() => window.Service.submit({ own: true }))
  expect(runtime.stage.received.map(({ data }) => data)).toEqual(['{"own":true}'])
})

test('the shell passes on nothing that is no submission, and four at most at once', async () => {
  const { frame } = await opened('<p id=send></p>')
  const { promise, resolve } = Promise.withResolvers<Response>()
  const wait = () => promise as unknown as Response
  runtime.stage.refusals.push(wait, wait, wait, wait)
  const statuses = frame.evaluate(async () => {
    type Send = (body: unknown) => Promise<{ status: number }>
    const send = (window as unknown as Record<symbol, Send>)[Symbol.for('handbill.send')]!
    const good = { stamp: 's', id: 'x', data: '{}', controls: [], token: 'mine', more: 1 }
    const control = { name: 'a', label: null, kind: 'text' }
    const wrong: unknown[] = [null, 5, {}, { ...good, data: {} }, { ...good, name: 5 }]
    wrong.push({ ...good, data: 'x'.repeat(300_001) }, { ...good, controls: 'none' })
    wrong.push({ ...good, controls: [null] }, { ...good, controls: Array(1001).fill(control) })
    for (const each of wrong) void send(each)
    return Promise.all(Array.from({ length: 5 }, () => send(good).then(({ status }) => status)))
  })
  await becomes(() => runtime.stage.received.length, 4)
  resolve(new Response(null, { status: 418 }))
  const given = await statuses
  expect(given.toSorted()).toEqual([418, 418, 418, 418, 429])
  expect(runtime.stage.received).toEqual(
    Array(4).fill({ token: 'of the shell', stamp: 's', id: 'x', data: '{}', controls: [] }),
  )
})
