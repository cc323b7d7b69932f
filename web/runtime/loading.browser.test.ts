import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, framed } from '../../acceptance/browser.ts'
import { testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

describe('the scripts', () => {
  test('are small, and the stub can be inlined', async () => {
    const { assets } = runtime()
    const zipped = await assets.respond(assets.url('runtime.js'), 'gzip')!.bytes()
    expect(zipped.length).toBeLessThan(5000)
    const stub = await assets.respond(assets.url('runtime.stub.js'))!.text()
    expect(stub.length).toBeLessThan(3700)
    expect(stub).not.toMatch(/<\/script|<!--/i)
  })

  test('define no global but Service', async () => {
    const { tab } = await runtime().open('<p>page</p>')
    await tab.waitForLoadState()
    const names = await tab.evaluate(() => Object.keys(window))
    await tab.goto(`${runtime().url}~/runtime.js`)
    const usual = await tab.evaluate(() => Object.keys(window))
    expect(names.filter((name) => !usual.includes(name))).toEqual(['Service'])
  })

  test('send to their own origin, whatever <base> the page has', async () => {
    const { tab } = await runtime().open(
      '<base href="https://elsewhere.invalid/"><script>Service.submit({ a: 1 })</script>',
    )
    await becomes(() => runtime().server.received.map(({ data }) => data), ['{"a":1}'])
    expect(tab.url()).toStartWith(runtime().url)
  })
})

describe.each([
  ['alone', false, 'page token'],
  ['in the shell', true, 'shell token'],
])('%s', (_, isFramed, token) => {
  test('a page that contains a saved copy of the scripts sends once, with its current token', async () => {
    const { assets } = runtime()
    const textOf = (name: string) => assets.respond(assets.url(name))!.text()
    const saved = `<script data-stamp="saved">${await textOf('shell.frame.js')}</script>
<script>${await textOf('runtime.stub.js')}</script>
<script src="/~/runtime.js" async data-token="saved token" data-stamp="saved"></script>`
    const { tab, problems } = await runtime().open(
      `${saved}<form data-service><input name=a><button id=send>Send</button></form>`,
      { isFramed },
    )
    const view = isFramed ? await framed(tab, '#send') : tab
    await view.waitForLoadState()
    await view.click('#send')
    await becomes(() => view.getAttribute('form', 'data-state'), 'sent')
    const sent = runtime().server.received.map(({ token, stamp, data }) => [token, stamp, data])
    expect(sent).toEqual([[token, 'source token', '{"a":""}']])
    if (isFramed) {
      expect(await tab.evaluate(() => window.handbillShell!.stamp)).toBe('panel token')
    }
    expect(problems).toEqual([])
  })
})

describe('before the runtime has loaded', () => {
  test('nothing is lost, nothing navigates, and everything is sent in order', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    runtime().server.runtime = promise
    const { tab } = await runtime().open(`<div id=host></div><form id=form data-service>
<input name=form value=typed><button id=send name=go value=1>Send</button></form><script>
host.attachShadow({ mode: 'open' }).innerHTML =
  '<form data-service><button id=deep name=deep value=1>Send deep</button></form>'
const data = { call: 1 }
Service.submit(data, { name: 'Ada' }).then(({ id }) => { document.title = id })
data.call = 'changed since'
const { submit } = Service
setTimeout(() => { form.id = 'ready' })
later = () => submit({ call: 2 })</script>`)
    await tab.waitForSelector('#ready')
    await tab.click('#send')
    await tab.click('#deep')
    await tab.evaluate(() => void (window as unknown as { later(): void }).later())
    await Bun.sleep(100)
    expect(runtime().server.received).toEqual([])
    expect(new URL(tab.url()).search).toBe('')
    resolve()
    await becomes(() => runtime().server.received.length, 4)
    expect(runtime().server.received.map(({ data }) => data)).toEqual([
      '{"call":1}',
      '{"form":"typed","go":"1"}',
      '{"deep":"1"}',
      '{"call":2}',
    ])
    expect(runtime().server.received.map(({ name }) => name)).toEqual([
      'Ada',
      undefined,
      undefined,
      undefined,
    ])
    await becomes(() => tab.title(), 'rsp_1')
    await becomes(() => tab.getAttribute('#ready', 'data-state'), 'sent')
  })

  test('a form whose submit the page prevents is not queued', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    runtime().server.runtime = promise
    const { tab } = await runtime().open(`<form id=form data-service><button id=send>Send</button>
</form><script>form.onsubmit = () => { form.id = 'submitted'; return false }</script>`)
    await tab.click('#send')
    await tab.waitForSelector('#submitted')
    resolve()
    await tab.evaluate(() => window.Service.submit({ after: true }))
    expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"after":true}'])
  })
})

test('if the runtime cannot load, forms and calls say so; the next submission loads it again', async () => {
  runtime().server.runtime = 'missing'
  const { tab } =
    await runtime().open(`<form data-service><input name=a><button id=send>Send</button>
</form><script>Service.submit({ early: 1 }).catch(({ code }) => { document.title = code })</script>`)
  await becomes(() => tab.title(), 'offline')
  await tab.fill('input', 'typed')
  await tab.click('#send')
  await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
  expect(await tab.textContent('form [role=alert]')).toContain(
    'Check the connection and send again',
  )
  const late = tab.evaluate(() =>
    window.Service.submit({ late: 1 }).catch((error) => [error instanceof Error, error.code]),
  )
  expect(await late).toEqual([true, 'offline'])
  expect(runtime().server.received).toEqual([])
  runtime().server.runtime = Promise.resolve()
  await tab.click('#send')
  await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
  expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":"typed"}'])
})
