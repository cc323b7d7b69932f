import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../../acceptance/browser.ts'
import { testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

const KNOWN_MEMBERS = ['token', 'stamp', 'id', 'data', 'controls', 'name', 'trap']

test('a page that floods the shell with malformed submissions breaks nothing', async () => {
  const { tab, problems } = await runtime().open('<p id=page>page</p>', { isFramed: true })
  const frame = await framed(tab, '#page')
  const sent = frame.evaluate(async () => {
    type Send = (body: unknown) => Promise<{ status: number }>
    const send = (window as unknown as Record<symbol, Send>)[Symbol.for('handbill.send')]!
    const good = { stamp: 's', id: 'x', data: '{}', controls: [] as unknown[] }
    const circle: Record<string, unknown> = { ...good }
    circle.self = circle
    const nonsense: unknown[] = [
      ...[new Map(), new Date(), [], [good], 'send', Number.NaN, 10n, new ArrayBuffer(8)],
      ...[circle, { ...good, controls: Array(1000) }, { ...good, controls: { length: 1 } }],
      { ...good, controls: Array(1000).fill(circle) },
      { ...good, stamp: new String('s') },
      { ...good, data: { toString: null } },
      JSON.parse('{"__proto__":{"stamp":"s","id":"x","data":"{}","controls":[]}}'),
      JSON.parse('{"stamp":"s","id":"x","data":"{}","controls":[],"__proto__":{"token":"mine"}}'),
      { ...good, token: 'mine', url: 'https://elsewhere.example', headers: { cookie: 'a=b' } },
    ]
    Object.assign(Object.prototype, { token: 'polluted', url: '/api/v1/pages' })
    for (let round = 0; round < 500; round++) for (const each of nonsense) void send(each)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return window.Service.submit({ after: 'all' })
  })
  expect(await sent).toMatchObject({ submit_count: expect.any(Number) })
  for (const body of runtime().server.received) {
    expect(body.token).toBe('shell token')
    expect(Object.keys(body).filter((name) => !KNOWN_MEMBERS.includes(name))).toEqual([])
  }
  for (const headers of runtime().server.headers) expect(headers.get('cookie')).toBeNull()
  expect(runtime().server.received.at(-1)!.data).toBe('{"after":"all"}')
  expect(await tab.evaluate(() => Object.keys(Object.prototype))).toEqual([])
  expect(problems).toEqual([])
})

test('a page cannot read the shell’s token', async () => {
  const { tab } = await runtime().open('<p id=page>page</p>', { isFramed: true })
  const frame = await framed(tab, '#page')
  const text = await frame.evaluate(async () => {
    const attempt = async (read: () => unknown) => {
      try {
        return String(await read())
      } catch {
        return 'refused'
      }
    }
    const parts = await Promise.all([
      attempt(() => parent.document.body.outerHTML),
      attempt(() => (parent as unknown as { name: string }).name),
      attempt(() => document.documentElement.outerHTML),
      attempt(() => JSON.stringify(performance.getEntries())),
      attempt(() => document.referrer),
      attempt(() => fetch('/p/framed').then((answer) => answer.text())),
      attempt(() => Object.getOwnPropertySymbols(window).map(String).join()),
    ])
    return parts.join('\n')
  })
  expect(text).toContain('refused')
  expect(text).not.toContain('shell token')
})

test('a page that replaces built-in functions breaks only itself: the next page can send', async () => {
  const html = `<p id=page>page</p><script>
JSON.stringify = () => '{"token":"mine"}'
Array.prototype.map = () => [{ name: 'forged' }]
window.fetch = () => Promise.reject(new Error('mine'))
MessagePort.prototype.postMessage = () => {}
</script>`
  const { tab } = await runtime().open(html, { isFramed: true })
  await framed(tab, '#page')
  await Bun.sleep(200)
  for (const { token } of runtime().server.received) expect(token).toBe('shell token')
  runtime().server.files['index.html'] =
    '<form data-service><input name=a value=1><button id=send>Go'
  await tab.reload()
  const frame = await framed(tab, '#send')
  await frame.click('#send')
  await becomes(() => frame.getAttribute('form', 'data-state'), 'sent')
})
