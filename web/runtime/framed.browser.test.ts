import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../../acceptance/browser.ts'
import { refusal, testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

const FORM = `<form data-service><input id=a name=a value=1 data-label=Answer>
<button id=send>Send</button></form>`

async function openFramed(html: string) {
  const window = await runtime().open(html, { isFramed: true })
  return { ...window, frame: await framed(window.tab, '#send') }
}

test('the shell sends a framed page’s form, and the page never sees the token', async () => {
  const { frame, tab, problems } = await openFramed(FORM)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
  const { id, ...body } = runtime().server.received[0]!
  expect(body).toEqual({
    token: 'shell token',
    stamp: 'source token',
    data: '{"a":"1"}',
    controls: [{ name: 'a', label: 'Answer', kind: 'text' }],
  })
  expect(runtime().server.headers[0]!.get('origin')).toBe(new URL(tab.url()).origin)
  expect(runtime().server.headers[0]!.get('cookie')).toBeNull()
  const visible = await frame.evaluate(() => document.documentElement.outerHTML + window.name)
  expect(visible).not.toContain('shell token')
  const named = frame.evaluate(() => window.Service.submit({ b: 2 }, { name: 'Ada' }))
  expect(await named).toMatchObject({ submit_count: 2 })
  expect(runtime().server.received[1]).toMatchObject({ data: '{"b":2}', name: 'Ada', controls: [] })
  expect(problems).toEqual([])
})

test('a framed page gets refusals, and repeats after the pause that the server asks for', async () => {
  const wait = refusal(429, 'rate_limited', { 'retry-after': '1' })
  runtime().server.nextAnswers.push(wait, refusal(409, 'closed'))
  const { frame } = await openFramed(FORM)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'failed')
  expect(await frame.textContent('[role=alert]')).toBe('It is closed.')
  const [first, second, ...more] = runtime().server.received
  expect([first!.id, more]).toEqual([second!.id, []])
})

test('a framed page’s form waits for a connection', async () => {
  const { frame, tab } = await openFramed(FORM)
  await tab.context().setOffline(true)
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'failed')
  await tab.context().setOffline(false)
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
})

test('forms in the page’s own frames are sent', async () => {
  runtime().server.files['in/side.html'] = '<iframe src="../deep.html">'
  runtime().server.files['deep.html'] = FORM
  const html = `<p id=send></p><p id=output></p><script>
addEventListener('message', () => { output.textContent = 'something' })</script>
<iframe src="in/side.html"></iframe>`
  const { frame, tab, problems } = await openFramed(html)
  const findDeep = () => tab.frames().find((each) => each.url().endsWith('/deep.html'))
  await becomes(() => findDeep() !== undefined, true)
  expect(tab.frames()).toHaveLength(4)
  const deep = findDeep()!
  await deep.click('#send')
  await becomes(() => deep.getAttribute('form', 'data-state'), 'sent')
  expect(runtime().server.received.map(({ token, data }) => [token, data])).toEqual([
    ['shell token', '{"a":"1"}'],
  ])
  expect(await frame.textContent('#output')).toBe('')
  expect(problems).toEqual([])
})

test('frames with foreign content cannot send', async () => {
  const { frame } =
    await openFramed(`<p id=send></p><iframe sandbox="allow-scripts" srcdoc="<script>
const submission = { stamp: 's', id: 'x'.repeat(22), data: '{}', controls: [] }
for (const files of [null, undefined, '', '/p/framed/', '/p/framed/~other/']) {
  parent.postMessage({ type: 'relay', files, submission }, '*', [new MessageChannel().port2])
}
parent.postMessage('sent', '*')
</script>"></iframe>`)
  await frame.evaluate(() => window.Service.submit({ own: true }))
  expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"own":true}'])
})

test('the shell drops malformed submissions and sends at most four at once', async () => {
  const { frame } = await openFramed('<p id=send></p>')
  const { promise, resolve } = Promise.withResolvers<Response>()
  const wait = () => promise
  runtime().server.nextAnswers.push(wait, wait, wait, wait)
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
  await becomes(() => runtime().server.received.length, 4)
  resolve(new Response(null, { status: 418 }))
  const results = await statuses
  expect(results.toSorted()).toEqual([418, 418, 418, 418, 429])
  expect(runtime().server.received).toEqual(
    Array(4).fill({ token: 'shell token', stamp: 's', id: 'x', data: '{}', controls: [] }),
  )
})
