import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../../acceptance/browser.ts'
import { type RuntimeHarness, refusal, startRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(60_000)

let runtime: RuntimeHarness
beforeAll(async () => {
  runtime = await startRuntime()
})
afterEach(() => runtime.clear())
afterAll(() => runtime.stop())

const FORM = '<form data-service><input name=a value=1><button id=send>Send</button></form>'

async function opened(html = '<p>page</p>') {
  const { tab } = await runtime.open(html)
  await tab.waitForLoadState()
  return tab
}

/** What became of `Service.submit` with what the expression gives. */
function submitted(tab: Tab, expression: string): Promise<unknown> {
  return tab.evaluate(
    `Service.submit(${expression}).then((receipt) => receipt,
      (error) => [error instanceof Error, error.code, error.message])`,
  )
}

const datas = () => runtime.stage.received.map(({ data }) => data)
const ids = () => new Set(runtime.stage.received.map(({ id }) => id))
const busy = () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: OPEN })
const OPEN = { 'access-control-allow-origin': '*' }

describe('Service.submit', () => {
  test('gives what the server says of the response', async () => {
    const tab = await opened()
    const data = `{ b: 'x', a: [{ n: 1 }], 2: null, when: new Date(0), not: undefined }, { name: 'Ada' }`
    expect(await submitted(tab, data)).toEqual({
      id: 'rsp_1',
      submitted_at: '2026-11-21T10:00:00.000000Z',
      submit_count: 1,
    })
    const { id, ...body } = runtime.stage.received[0]!
    expect(body).toEqual({
      token: 'of the page',
      stamp: 'a stamp',
      data: '{"2":null,"b":"x","a":[{"n":1}],"when":"1970-01-01T00:00:00.000Z"}',
      controls: [],
      name: 'Ada',
    })
    expect(await submitted(tab, `JSON.parse('{"__proto__":1}'), { name: 5 }`)).toBeObject()
    expect(datas()[1]).toBe('{"__proto__":1}')
    expect(runtime.stage.received[1]).not.toHaveProperty('name')
  })

  test('refuses what JSON cannot hold, and sends none of it', async () => {
    const tab = await opened()
    const cycle = '(() => { const a = {}; a.a = a; return a })()'
    const wrong = [
      '',
      'null',
      '[]',
      '[{}]',
      '"text"',
      '5',
      '() => 1',
      '{ f() {} }',
      '{ s: Symbol() }',
    ]
    wrong.push('{ n: 5n }', cycle, 'new Map()', 'new FormData()', '{ in: [{ f() {} }] }')
    for (const expression of wrong) {
      const [isError, code] = (await submitted(tab, expression)) as unknown[]
      expect([expression, isError, code]).toEqual([expression, true, 'invalid_data'])
    }
    expect(datas()).toEqual([])
  })

  test('refuses more than 256 KiB without asking the server', async () => {
    const tab = await opened()
    const fits = 256 * 1024 - '{"a":""}'.length
    expect(await submitted(tab, `{ a: 'x'.repeat(${fits}) }`)).toMatchObject({ submit_count: 1 })
    const over = (await submitted(tab, `{ a: 'ü'.repeat(${fits / 2}) + 'x' }`)) as unknown[]
    expect(over.slice(0, 2)).toEqual([true, 'too_large'])
    expect(datas().length).toBe(1)
  })

  test('rejects with the server’s own code and words, and goes on after it', async () => {
    runtime.stage.refusals.push(refusal(409, 'full'))
    const tab = await opened()
    const both = Promise.all([submitted(tab, '{ a: 1 }'), submitted(tab, '{ a: 2 }')])
    expect((await both)[0]).toEqual([true, 'full', 'It is full.'])
    expect((await both)[1]).toMatchObject({ submit_count: 2 })
  })

  test('sends one after another, in the order of the calls', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    runtime.stage.refusals.push(() => promise as unknown as Response)
    const tab = await opened()
    const all = Promise.all([1, 2, 3].map((n) => submitted(tab, `{ n: ${n} }`)))
    await becomes(() => datas().length, 1)
    await Bun.sleep(100)
    expect(datas()).toEqual(['{"n":1}'])
    resolve(busy())
    await all
    expect(datas()).toEqual(['{"n":1}', '{"n":1}', '{"n":2}', '{"n":3}'])
  })

  test('is still sent when the page goes elsewhere at once', async () => {
    const tab = await opened()
    await tab.evaluate(() => {
      void window.Service.submit({ parting: true })
      location.href = 'about:blank'
    })
    await becomes(() => datas(), ['{"parting":true}'])
  })
})

describe('what may pass by itself', () => {
  test('is tried again with the same id, and waits longer each time', async () => {
    runtime.stage.refusals.push(busy, busy, busy)
    const tab = await opened()
    const started = performance.now()
    expect(await submitted(tab, '{ a: 1 }')).toMatchObject({ submit_count: 4 })
    const tookMs = performance.now() - started
    expect([datas().length, ids().size]).toEqual([4, 1])
    expect(tookMs).toBeGreaterThan(2700)
    expect(tookMs).toBeLessThan(8000)
  })

  test('ends after four tries', async () => {
    runtime.stage.refusals.push(busy, busy, busy, busy)
    const tab = await opened()
    const [isError, code] = (await submitted(tab, '{ a: 1 }')) as unknown[]
    expect([isError, code, datas().length]).toEqual([true, 'offline', 4])
  })

  test('waits as long as the server says, if that is not too long', async () => {
    runtime.stage.refusals.push(refusal(429, 'rate_limited', { 'retry-after': '2' }))
    const tab = await opened()
    const started = performance.now()
    expect(await submitted(tab, '{ a: 1 }')).toMatchObject({ submit_count: 2 })
    expect(performance.now() - started).toBeGreaterThan(1990)
    runtime.stage.refusals.push(refusal(429, 'rate_limited', { 'retry-after': '31' }))
    const refused = await submitted(tab, '{ a: 2 }')
    expect(refused).toEqual([true, 'rate_limited', 'It is rate_limited.'])
    expect(datas().length).toBe(3)
  })

  test('is nothing that the server decides', async () => {
    runtime.stage.refusals.push(refusal(500, 'internal'), refusal(403, 'stale'))
    const tab = await opened()
    expect(await submitted(tab, '{ a: 1 }')).toEqual([true, 'internal', 'It is internal.'])
    expect(await submitted(tab, '{ a: 1 }')).toEqual([true, 'stale', 'It is stale.'])
    expect([datas().length, ids().size]).toEqual([2, 2])
  })
})

describe('without a connection', () => {
  test('a form says so, keeps what it holds, and sends it by itself', async () => {
    const tab = await opened(FORM)
    const message = () => tab.textContent('[data-service-message]')
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    expect(await message()).toContain('is kept while the page stays open')
    await tab.fill('input', 'typed since')
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    expect(await message()).toBe('Sent. Thank you.')
    expect(datas()).toEqual(['{"a":"1"}'])
  })

  test('a form that is sent again is sent as it is then, once', async () => {
    const tab = await opened(FORM)
    await tab.context().setOffline(true)
    for (const typed of ['first', 'second']) {
      await tab.fill('input', typed)
      await tab.click('#send')
      await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    }
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    await Bun.sleep(200)
    expect(datas()).toEqual(['{"a":"second"}'])
  })

  test('a page that sends again whenever it hears of a failure stays alive', async () => {
    const tab = await opened(`${FORM}<script>let errors = 0
document.addEventListener('service:error', ({ target }) => {
  document.title = ++errors
  if (errors < 20) target.requestSubmit()
})</script>`)
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.title(), '20')
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    expect(datas()).toEqual(['{"a":"1"}'])
  })

  test('nothing overtakes what is kept', async () => {
    const tab = await opened(FORM)
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    const [isError, code] = (await submitted(tab, '{ later: 1 }')) as unknown[]
    expect([isError, code]).toEqual([true, 'offline'])
    await tab.context().setOffline(false)
    await submitted(tab, '{ later: 2 }')
    expect(datas()).toEqual(['{"a":"1"}', '{"later":2}'])
  })

  test('the same data has the same id until something has arrived', async () => {
    const tab = await opened()
    // It arrives, and the answer is lost.
    await tab.route('**/~/responses', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const [, code] = (await submitted(tab, '{ a: 1 }')) as unknown[]
    expect([code, datas().length, ids().size]).toEqual(['offline', 4, 1])
    await tab.unroute('**/~/responses')
    await submitted(tab, '{ a: 1 }')
    expect([datas().length, ids().size]).toEqual([5, 1])
    await submitted(tab, '{ a: 1 }')
    expect([datas().length, ids().size]).toEqual([6, 2])
  })
})
