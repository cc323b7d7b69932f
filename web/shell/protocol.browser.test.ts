import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow } from '../../acceptance/browser.ts'
import { testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

/** Takes the page's own port to the shell, as any script of the page can, and sends through it. */
const TAKE_PORT = `<p id=page>page</p><script>
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...args) {
  window.send = (message) => postMessage.call(this, message)
  return postMessage.apply(this, args)
}
localStorage.taken = 'yes'
</script>`
declare const send: (message: unknown) => void

async function openHostile() {
  const window = await runtime().open(TAKE_PORT, { isFramed: true })
  const frame = await framed(window.tab, '#page')
  await becomes(() => frame.evaluate(() => typeof send), 'function')
  return { ...window, frame }
}

const storedByPages = (tab: Tab) =>
  tab.evaluate((): Record<string, string> => ({ ...localStorage, ...sessionStorage }))

test('the shell drops malformed messages of a page, and handles the next one', async () => {
  const { tab, frame, problems } = await openHostile()
  const before = tab.url()
  await frame.evaluate(() => {
    const nonsense: unknown[] = [
      ...[null, 5, 'location', [], new Map([['type', 'navigate']]), { type: 'constructor' }],
      ...[{ type: '__proto__' }, { type: 'location', path: 1, title: 'forged' }, { type: 'other' }],
      { type: 'location', path: 'x', title: 'forged'.repeat(100) },
      { type: 'location', path: 'x', title: { toString: null } },
      { type: 'navigate', path: {} },
      { type: 'height', pixels: '100' },
      { type: 'storage', area: '__proto__', key: 'polluted', value: '1' },
      { type: 'storage', area: 'local', key: 'k', value: {} },
      { type: 'storage', area: 'local', key: null, value: null },
      { type: 'submit', submission: null },
      { type: 'answer', status: 200, retry_after_s: null, body: null },
      { type: 'connect', nonce: 'guess' },
    ]
    for (const message of nonsense) send(message)
    send({ type: 'storage', area: 'local', key: 'k', value: 'well-formed' })
  })
  const saved = { local: [...Object.entries({ taken: 'yes', k: 'well-formed' })], cookie: [] }
  await becomes(() => storedByPages(tab), { 'handbill:page:key': JSON.stringify(saved) })
  expect(await tab.title()).toBe('A title')
  expect(tab.url()).toBe(before)
  expect(await tab.evaluate(() => document.documentElement.style.cssText)).not.toContain('100px')
  expect(await tab.evaluate(() => 'polluted' in {})).toBe(false)
  expect(runtime().server.received).toEqual([])
  expect(problems).toEqual([])
})

test('a page writes into its own storage alone', async () => {
  const { tab, frame } = await openHostile()
  const other = JSON.stringify({ local: [['secret', 'of another page']], cookie: [] })
  await tab.evaluate((text) => localStorage.setItem('handbill:page:other', text), other)
  await frame.evaluate(() => {
    const about = { page: 'other', key: 'secret', name: 'handbill:page:other', value: 'forged' }
    send({ type: 'storage', area: 'local', ...about })
    send({ type: 'storage', area: 'session', ...about })
    send({ type: 'storage', area: 'local', key: 'handbill:page:other', value: 'forged' })
    send({ type: 'storage-clear', area: 'cookie', page: 'other' })
  })
  const own = { taken: 'yes', secret: 'forged', 'handbill:page:other': 'forged' }
  await becomes(async () => (await storedByPages(tab))['handbill:page:other'], other)
  const read = () => tab.evaluate(() => localStorage.getItem('handbill:page:key'))
  await becomes(read, JSON.stringify({ local: Object.entries(own), cookie: [] }))
  expect(await tab.evaluate(() => sessionStorage.getItem('handbill:page:key'))).toBe(
    '[["secret","forged"]]',
  )
  expect(await tab.evaluate(() => localStorage.length)).toBe(2)
})

test('a page leaves room in the browser for what people type into our documents', async () => {
  const { tab, frame } = await openHostile()
  await tab.evaluate(() => localStorage.setItem('other pages', 'x'.repeat(5_100_000)))
  await frame.evaluate(() => {
    send({ type: 'storage', area: 'local', key: 'large', value: 'x'.repeat(120_000) })
    send({ type: 'storage', area: 'session', key: 'large', value: 'x'.repeat(5_200_000) })
  })
  const read = () => tab.evaluate(() => localStorage.getItem('handbill:page:key'))
  await becomes(read, 'in IndexedDB')
  const typed = await tab.evaluate(() =>
    [localStorage, sessionStorage].map((storage) => {
      storage.setItem('handbill:typed', 'w'.repeat(50_000))
      return storage.getItem('handbill:typed')?.length
    }),
  )
  expect(typed).toEqual([50_000, 50_000])
})

test('a page can set the title as text, and the address to its own paths alone', async () => {
  const { tab, frame } = await openHostile()
  const outside = [
    ...['../other', '../../app', '/../../app', '%2e%2e/%2e%2e/app', '..\\..\\app'],
    ...['~other/x', './~other/x', 'x/../~other/x'],
  ]
  const address = tab.url()
  const text = frame.url()
  for (const path of outside) {
    await frame.evaluate((path) => send({ type: 'location', path, title: '<b>Bank</b>' }), path)
    await Bun.sleep(200)
    expect(tab.url(), path).toBe(address)
    await frame.evaluate((path) => send({ type: 'navigate', path }), path)
  }
  for (const path of ['//elsewhere.invalid/', '@elsewhere.invalid', '..%2f../app']) {
    await frame.evaluate((path) => send({ type: 'location', path, title: '' }), path)
    await becomes(() => tab.url(), `${runtime().url}p/framed/${path}`)
  }
  expect(frame.url()).toBe(text)
  expect(await tab.title()).toBe('<b>Bank</b>')
  expect(await tab.evaluate(() => document.querySelector('b'))).toBeNull()
})

/** A document in place of the shell that hands over any name, and keeps the port it receives. */
async function openInShellOf(name: string) {
  runtime().server.files['index.html'] = '<title>Page</title><p id=page>page</p>'
  const window = await newWindow(runtime().browser())
  const { tab } = window
  await tab.route('**/p/framed', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>
addEventListener('message', ({ data, ports }) => { window.connect = data; window.port = ports[0] })
const frame = document.createElement('iframe')
frame.setAttribute('sandbox', 'allow-scripts')
frame.name = ${JSON.stringify(name)}
frame.src = '/p/framed/~cap/index.html'
document.documentElement.append(frame)
</script>`,
    }),
  )
  await tab.goto(`${runtime().url}p/framed`)
  return { ...window, frame: await framed(tab, '#page') }
}
declare const connect: unknown
declare const port: MessagePort | undefined

const HANDOVER = { nonce: 'n', paths: [], local: [['a', '1']], session: [], cookie: [['c', '0 x']] }

function handover(changes: object = {}): string {
  const { origin } = new URL(runtime().url)
  return JSON.stringify({ type: 'handover', ...HANDOVER, shell_origin: origin, ...changes })
}

test('a page leads its frame to no address with cookies, which has the token of the viewer', async () => {
  const { tab, frame } = await openHostile()
  const asked: string[] = []
  tab.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const up of ['../../..', '%2e%2e/../.%2E', '..\\..\\..', '.\t./../..', 'x/../../../..']) {
    const path = `${up}/p/framed/index.html`
    await frame.evaluate((message) => send(message), { type: 'navigate', path })
    await Bun.sleep(50)
  }
  expect(asked).toEqual([])
  await frame.evaluate(() => send({ type: 'navigate', path: 'x/../index.html?own' }))
  await becomes(() => asked.includes('/p/framed/~cap/index.html'), true)
})

test('a document reads what the shell hands over, and connects with its nonce', async () => {
  const { tab, frame, problems } = await openInShellOf(handover())
  await becomes(() => tab.evaluate(() => connect), { type: 'connect', nonce: 'n' })
  const results = await frame.evaluate(() => [localStorage.a, document.cookie, window.name])
  expect(results).toEqual(['1', 'c=x', ''])
  expect(problems).toEqual([])
})

test('a document ignores a malformed hand-over, and its storage starts empty', async () => {
  const malformed = ['a name', 'null', handover({ nonce: 5 }), handover({ local: [['a']] })]
  for (const name of malformed) {
    const { tab, frame, problems } = await openInShellOf(name)
    const results = await frame.evaluate(() => {
      localStorage.own = 'works'
      return [JSON.stringify(localStorage), window.name]
    })
    expect(results, name).toEqual(['{"own":"works"}', ''])
    expect(await tab.evaluate(() => 'connect' in window), name).toBe(false)
    expect(problems, name).toEqual([])
    await tab.context().close()
  }
})

test('a document drops malformed messages of the shell, and handles the next one', async () => {
  const { tab, frame, problems } = await openInShellOf(handover())
  await becomes(() => tab.evaluate(() => typeof port), 'object')
  await frame.evaluate(() => {
    const received: unknown[] = []
    Object.assign(window, { received })
    window.addEventListener('storage', ({ key, newValue }) => received.push([key, newValue]))
  })
  await tab.evaluate(() => {
    const change = { type: 'storage-event', key: 'a', old_value: '1', value: 'forged' }
    const nonsense = [
      ...[null, 'storage-event', {}, { ...change, type: 'other' }, { ...change, key: 1 }],
      ...[
        { ...change, value: {} },
        { ...change, old_value: undefined },
      ],
      { type: 'storage', area: 'local', key: 'a', value: 'forged' },
      { type: 'navigate', path: 'elsewhere' },
    ]
    for (const message of nonsense) port!.postMessage(message)
    port!.postMessage({ ...change, value: '2' })
  })
  await becomes(
    () => frame.evaluate(() => (window as unknown as { received: unknown }).received),
    [['a', '2']],
  )
  expect(await frame.evaluate(() => JSON.stringify(localStorage))).toBe('{"a":"2"}')
  expect(problems).toEqual([])
})

test('a page finds what it has stored with version 0.1', async () => {
  const small = JSON.stringify({ local: [['theme', 'dark']], cookie: [['seen', '0 yes']] })
  const text = 'x'.repeat(300_000)
  const cases = [
    { local: small, large: null },
    { local: 'in IndexedDB', large: JSON.stringify({ local: [['text', text]], cookie: [] }) },
  ]
  const results: unknown[] = []
  for (const { local, large } of cases) {
    const { tab } = await newWindow(runtime().browser())
    await tab.goto(`${runtime().url}~/runtime.js`)
    await tab.evaluate(storeAsEarlier, { local, large })
    runtime().server.files['index.html'] = '<p id=page>page</p>'
    await tab.goto(`${runtime().url}p/framed`)
    const frame = await framed(tab, '#page')
    results.push(
      await frame.evaluate(() => [
        { ...localStorage, text: localStorage.text?.length },
        { ...sessionStorage },
        document.cookie,
      ]),
    )
  }
  expect(results).toEqual([
    [{ theme: 'dark' }, { step: '2' }, 'seen=yes'],
    [{ text: 300_000 }, { step: '2' }, ''],
  ])
})

test('a page whose stored entries are malformed starts empty', async () => {
  for (const local of ['{', '{"local":{"a":1}}', '{"local":[["a"]],"cookie":7}']) {
    const { tab, problems } = await newWindow(runtime().browser())
    await tab.goto(`${runtime().url}~/runtime.js`)
    await tab.evaluate(storeAsEarlier, { local, large: null })
    runtime().server.files['index.html'] = '<p id=page>page</p>'
    await tab.goto(`${runtime().url}p/framed`)
    const frame = await framed(tab, '#page')
    expect(await frame.evaluate(() => [localStorage.length, document.cookie]), local).toEqual([
      ...[0, ''],
    ])
    expect(problems, local).toEqual([])
    await tab.context().close()
  }
})

/** In the browser: the keys, texts and names of IndexedDB as version 0.1 wrote them. */
async function storeAsEarlier({ local, large }: { local: string; large: string | null }) {
  localStorage.setItem('handbill:page:key', local)
  sessionStorage.setItem('handbill:page:key', '[["step","2"]]')
  if (large === null) return
  const request = indexedDB.open('handbill-pages', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('texts')
  await new Promise((resolve) => {
    request.onsuccess = resolve
  })
  const store = request.result.transaction('texts', 'readwrite').objectStore('texts')
  const put = store.put(large, 'handbill:page:key')
  await new Promise((resolve) => {
    put.onsuccess = resolve
  })
  request.result.close()
}
