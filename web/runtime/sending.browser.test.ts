import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed } from '../../acceptance/browser.ts'
import { refusal, testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

const FORM = '<form data-service><input name=a value=1><button id=send>Send</button></form>'

async function openTab(html = '<p>page</p>') {
  const { tab } = await runtime().open(html)
  await tab.waitForLoadState()
  return tab
}

/** The receipt of `Service.submit(expression)`, or its error. */
function submitResult(tab: Tab, expression: string): Promise<unknown> {
  return tab.evaluate(
    `Service.submit(${expression}).then((receipt) => receipt,
      (error) => [error instanceof Error, error.code, error.message])`,
  )
}

const sentData = () => runtime().server.received.map(({ data }) => data)
const sentIds = () => new Set(runtime().server.received.map(({ id }) => id))
const badGateway = () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: OPEN })
const OPEN = { 'access-control-allow-origin': '*' }

describe('Service.submit', () => {
  test('resolves with the server’s receipt', async () => {
    const tab = await openTab()
    const data = `{ b: 'x', a: [{ n: 1 }], 2: null, when: new Date(0), not: undefined }, { name: 'Ada' }`
    expect(await submitResult(tab, data)).toEqual({
      id: 'rsp_1',
      submitted_at: '2026-11-21T10:00:00.000000Z',
      submit_count: 1,
    })
    const { id, ...body } = runtime().server.received[0]!
    expect(body).toEqual({
      token: 'page token',
      stamp: 'source token',
      data: '{"2":null,"b":"x","a":[{"n":1}],"when":"1970-01-01T00:00:00.000Z"}',
      controls: [],
      name: 'Ada',
    })
    expect(await submitResult(tab, `JSON.parse('{"__proto__":1}'), { name: 5 }`)).toBeObject()
    expect(sentData()[1]).toBe('{"__proto__":1}')
    expect(runtime().server.received[1]).not.toHaveProperty('name')
  })

  test('rejects data that JSON cannot represent, and sends nothing', async () => {
    const tab = await openTab()
    const cycle = '(() => { const a = {}; a.a = a; return a })()'
    const unsupported = [
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
    unsupported.push('{ cv: new File(["my life"], "cv.txt") }')
    unsupported.push('{ n: 5n }', cycle, 'new Map()', 'new FormData()', '{ in: [{ f() {} }] }')
    for (const expression of unsupported) {
      const [isError, code] = (await submitResult(tab, expression)) as unknown[]
      expect([expression, isError, code]).toEqual([expression, true, 'invalid_data'])
    }
    expect(sentData()).toEqual([])
  })

  test('sends form data without the file that nobody has chosen', async () => {
    const tab = await openTab()
    const form = `(() => { const form = document.createElement('form')
      form.innerHTML = '<input name=a value=1><input type=file name=cv>'
      return Object.fromEntries(new FormData(form)) })()`
    expect(await submitResult(tab, form)).toMatchObject({ submit_count: 1 })
    expect(sentData()).toEqual(['{"a":"1"}'])
  })

  test('rejects more than 256 KiB without a request', async () => {
    const tab = await openTab()
    const fits = 256 * 1024 - '{"a":""}'.length
    expect(await submitResult(tab, `{ a: 'x'.repeat(${fits}) }`)).toMatchObject({ submit_count: 1 })
    const large = `{ b: [1], essay: 'ü'.repeat(${fits / 2}), a: 'x' }`
    const [isError, code, message] = (await submitResult(tab, large)) as unknown[]
    expect([isError, code]).toEqual([true, 'too_large'])
    expect(message).toContain('“essay”')
    expect(sentData().length).toBe(1)
  })

  test('rejects with the server’s code and message, and sends the next submission', async () => {
    runtime().server.nextAnswers.push(refusal(409, 'full'))
    const tab = await openTab()
    const both = Promise.all([submitResult(tab, '{ a: 1 }'), submitResult(tab, '{ a: 2 }')])
    expect((await both)[0]).toEqual([true, 'full', 'It is full.'])
    expect((await both)[1]).toMatchObject({ submit_count: 2 })
  })

  test('sends one submission after another, in the order of the calls', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    runtime().server.nextAnswers.push(() => promise)
    const tab = await openTab()
    const all = Promise.all([1, 2, 3].map((n) => submitResult(tab, `{ n: ${n} }`)))
    await becomes(() => sentData().length, 1)
    await Bun.sleep(100)
    expect(sentData()).toEqual(['{"n":1}'])
    resolve(badGateway())
    await all
    expect(sentData()).toEqual(['{"n":1}', '{"n":1}', '{"n":2}', '{"n":3}'])
  })

  test('is sent even if the page navigates away at once', async () => {
    const tab = await openTab()
    await tab.evaluate(() => {
      void window.Service.submit({ parting: true })
      location.href = 'about:blank'
    })
    await becomes(() => sentData(), ['{"parting":true}'])
    // A window that is closed on its way to another page can keep the browser from closing it.
    await tab.waitForURL('about:blank')
  })
})

describe('after a failure', () => {
  test('a submission is repeated with the same id and growing pauses', async () => {
    runtime().server.nextAnswers.push(badGateway, badGateway, badGateway)
    const tab = await openTab()
    const started = performance.now()
    expect(await submitResult(tab, '{ a: 1 }')).toMatchObject({ submit_count: 4 })
    const tookMs = performance.now() - started
    expect([sentData().length, sentIds().size]).toEqual([4, 1])
    expect(tookMs).toBeGreaterThan(1740)
    expect(tookMs).toBeLessThan(8000)
  })

  test('there are four attempts at most', async () => {
    runtime().server.nextAnswers.push(badGateway, badGateway, badGateway, badGateway)
    const tab = await openTab()
    const [isError, code] = (await submitResult(tab, '{ a: 1 }')) as unknown[]
    expect([isError, code, sentData().length]).toEqual([true, 'offline', 4])
  })

  test('the pause is what the server asks for, up to a limit', async () => {
    runtime().server.nextAnswers.push(refusal(429, 'rate_limited', { 'retry-after': '2' }))
    const tab = await openTab()
    const started = performance.now()
    expect(await submitResult(tab, '{ a: 1 }')).toMatchObject({ submit_count: 2 })
    expect(performance.now() - started).toBeGreaterThan(1990)
    runtime().server.nextAnswers.push(refusal(429, 'rate_limited', { 'retry-after': '31' }))
    const refused = await submitResult(tab, '{ a: 2 }')
    expect(refused).toEqual([true, 'rate_limited', 'It is rate_limited.'])
    expect(sentData().length).toBe(3)
  })

  test('an internal error or a refusal is not repeated', async () => {
    runtime().server.nextAnswers.push(refusal(500, 'internal'), refusal(403, 'stale'))
    const tab = await openTab()
    expect(await submitResult(tab, '{ a: 1 }')).toEqual([true, 'internal', 'It is internal.'])
    expect(await submitResult(tab, '{ a: 1 }')).toEqual([true, 'stale', 'It is stale.'])
    expect([sentData().length, sentIds().size]).toEqual([2, 2])
  })
})

/** A function by which the page leaves, unless its visitor is asked: the answer is no. */
function leaver(tab: Tab) {
  const dialogs: string[] = []
  tab.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    return dialog.dismiss()
  })
  const leave = () => tab.evaluate(() => void setTimeout(() => location.assign('about:blank')))
  return Object.assign(leave, { dialogs })
}

describe('what was typed and not sent', () => {
  test.each([false, true])('is lost to nobody who was not asked: framed %p', async (isFramed) => {
    const { tab } = await runtime().open(FORM, { isFramed })
    const page = isFramed ? await framed(tab, '#send') : tab.mainFrame()
    const leave = leaver(tab)
    await tab.waitForFunction(() => document.readyState === 'complete')
    await page.focus('input')
    await tab.keyboard.type('words')
    await leave()
    await becomes(() => leave.dialogs, ['beforeunload'])
    runtime().server.nextAnswers.push(refusal(403, 'stale'))
    await page.click('#send')
    await becomes(() => page.getAttribute('form', 'data-state'), 'failed')
    await leave()
    await becomes(() => leave.dialogs.length, 2)
    await page.click('#send')
    await becomes(() => page.getAttribute('form', 'data-state'), 'sent')
    await page.focus('input')
    await tab.keyboard.type('more')
    await page.evaluate(() => document.querySelector('form')!.reset())
    await leave()
    await tab.waitForURL('about:blank')
    expect(leave.dialogs).toHaveLength(2)
  })
})

describe('without a connection', () => {
  test('a form says so, waits, and is sent once there is a connection', async () => {
    const tab = await openTab(FORM)
    const message = () => tab.textContent('[data-service-message]')
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    expect(await message()).toContain('is kept while the page stays open')
    await tab.fill('input', 'typed since')
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    expect(await message()).toBe('Sent. Thank you.')
    expect(sentData()).toEqual(['{"a":"1"}'])
    // What was typed since is not sent.
    const leave = leaver(tab)
    await leave()
    await becomes(() => leave.dialogs, ['beforeunload'])
  })

  test('a form that waits is sent soon after the server is back, which is not asked ever faster', async () => {
    const tab = await openTab(FORM)
    let asked = 0
    await tab.route('**/~/responses', (route) => {
      asked++
      return route.abort()
    })
    await tab.clock.install()
    const state = () => tab.getAttribute('form', 'data-state')
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds * 2; i++) {
        await tab.clock.fastForward(500)
        await Bun.sleep(25)
      }
    }
    await tab.click('#send')
    await pass(20)
    expect(await state()).toBe('failed')
    expect(asked).toBeGreaterThanOrEqual(8)
    await pass(20)
    expect(asked).toBeLessThanOrEqual(16)
    await tab.unroute('**/~/responses')
    await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await pass(3)
    await becomes(state, 'sent')
    expect(sentData()).toEqual(['{"a":"1"}'])
  })

  test('whoever leaves while a form waits is asked before, and not once it is sent', async () => {
    const tab = await openTab(FORM)
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    const leave = leaver(tab)
    await leave()
    await becomes(() => leave.dialogs, ['beforeunload'])
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    expect(sentData()).toEqual(['{"a":"1"}'])
    await leave()
    await tab.waitForURL('about:blank')
    expect(leave.dialogs).toHaveLength(1)
  })

  test('whoever leaves while no answer comes is asked before', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    runtime().server.nextAnswers.push(() => promise)
    const tab = await openTab(FORM)
    await tab.click('#send')
    await Bun.sleep(1500)
    const leave = leaver(tab)
    await leave()
    await becomes(() => leave.dialogs, ['beforeunload'])
    resolve(badGateway())
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    await leave()
    await tab.waitForURL('about:blank')
  })

  test('a form that is submitted again is sent once, with its latest values', async () => {
    const tab = await openTab(FORM)
    await tab.context().setOffline(true)
    for (const typed of ['first', 'second']) {
      await tab.fill('input', typed)
      await tab.click('#send')
      await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    }
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    await Bun.sleep(200)
    expect(sentData()).toEqual(['{"a":"second"}'])
  })

  test('a page that submits again on each failure does not freeze', async () => {
    const tab = await openTab(`${FORM}<script>let errors = 0
document.addEventListener('service:error', ({ target }) => {
  document.title = ++errors
  if (errors < 20) target.requestSubmit()
})</script>`)
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.title(), '20')
    await tab.context().setOffline(false)
    await becomes(() => tab.getAttribute('form', 'data-state'), 'sent')
    expect(sentData()).toEqual(['{"a":"1"}'])
  })

  test('no submission overtakes a waiting one', async () => {
    const tab = await openTab(FORM)
    await tab.context().setOffline(true)
    await tab.click('#send')
    await becomes(() => tab.getAttribute('form', 'data-state'), 'failed')
    const [isError, code] = (await submitResult(tab, '{ later: 1 }')) as unknown[]
    expect([isError, code]).toEqual([true, 'offline'])
    await tab.context().setOffline(false)
    await submitResult(tab, '{ later: 2 }')
    expect(sentData()).toEqual(['{"a":"1"}', '{"later":2}'])
  })

  test('the same data has the same id until a submission succeeds', async () => {
    const tab = await openTab()
    // The server receives the submission, but its answer is lost.
    await tab.route('**/~/responses', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const [, code] = (await submitResult(tab, '{ a: 1 }')) as unknown[]
    expect([code, sentData().length, sentIds().size]).toEqual(['offline', 4, 1])
    await tab.unroute('**/~/responses')
    await submitResult(tab, '{ a: 1 }')
    expect([sentData().length, sentIds().size]).toEqual([5, 1])
    await submitResult(tab, '{ a: 1 }')
    expect([sentData().length, sentIds().size]).toEqual([6, 2])
  })
})
