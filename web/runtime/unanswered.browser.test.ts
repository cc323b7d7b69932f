/** Submissions that nothing answers: whoever submits is told within five seconds. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes, framed } from '../../acceptance/browser.ts'
import { testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

const runtime = testRuntime()

const PAGE = `<form data-service><input name=a value=1><button id=send>Send</button></form><script>
errors = []
document.addEventListener('service:error', ({ detail }) => errors.push(detail.code))</script>`

const never = new Promise<never>(() => {})
let endSilence = () => {}
afterEach(() => endSilence())

/** Delays what `open` is given until the test ends it. */
function silence<T>(set: (silence: Promise<void>) => T): T {
  const { promise, resolve } = Promise.withResolvers<void>()
  endSilence = resolve
  return set(promise)
}

/** What may be silent, and how the page is shown then. */
const SILENT: Record<string, { isFramed: boolean; begin(): void }> = {
  'the script that does not arrive': {
    isFramed: false,
    begin: () => silence((promise) => Object.assign(runtime().server, { runtime: promise })),
  },
  'the script that does not arrive in the shell': {
    isFramed: true,
    begin: () => silence((promise) => Object.assign(runtime().server, { runtime: promise })),
  },
  'the network': { isFramed: false, begin: silenceNetwork },
  'the network of the shell': { isFramed: true, begin: silenceNetwork },
}

function silenceNetwork(): void {
  silence((promise) => {
    const refuse = () => promise.then(() => new Response(null, { status: 502 }))
    runtime().server.nextAnswers.push(refuse, refuse)
  })
}

async function openPage(isFramed: boolean): Promise<{ tab: Tab; view: Tab | Frame }> {
  const { tab } = await runtime().open(PAGE, { isFramed })
  const view = isFramed ? await framed(tab, '#send') : tab
  await view.waitForSelector('#send')
  await tab.clock.install()
  return { tab, view }
}

const stateOf = (view: Tab | Frame) => () => view.getAttribute('form', 'data-state')
const errorsIn = (view: Tab | Frame) =>
  view.evaluate(() => (window as unknown as { errors: string[] }).errors)

describe.each(Object.entries(SILENT))('behind %s', (_, { isFramed, begin }) => {
  test('a form says within five seconds that it is not sent, keeps what was typed, and is sent later', async () => {
    begin()
    const { tab, view } = await openPage(isFramed)
    await view.fill('input', 'typed')
    await view.click('#send')
    expect(await stateOf(view)()).toBe('sending')
    await tab.clock.fastForward(3000)
    // Impatience does not put it off.
    await view.click('#send', { force: true, noWaitAfter: true, timeout: 500 }).catch(() => {})
    expect(await errorsIn(view)).toEqual([])
    await tab.clock.fastForward(2000)
    expect(await stateOf(view)()).toBe('failed')
    expect(await errorsIn(view)).toEqual(['offline'])
    expect(await view.textContent('form [role=alert]')).toContain('not sent yet')
    expect(await view.inputValue('input')).toBe('typed')
    endSilence()
    for (let i = 0; i < 20 && (await stateOf(view)()) !== 'sent'; i++) {
      await tab.clock.fastForward(1000)
      await Bun.sleep(50)
    }
    await becomes(stateOf(view), 'sent')
    expect(new Set(runtime().server.received.map(({ data }) => data))).toEqual(
      new Set(['{"a":"typed"}']),
    )
  })

  test('a call is rejected within five seconds, with a code', async () => {
    begin()
    const { tab, view } = await openPage(isFramed)
    await view.evaluate(() => {
      window.Service.submit({ a: 1 }).catch(({ code }) => document.body.append(`rejected: ${code}`))
    })
    await tab.clock.fastForward(3000)
    expect(await view.textContent('body')).not.toContain('rejected')
    await tab.clock.fastForward(2000)
    await becomes(async () => (await view.textContent('body'))!.includes('rejected: offline'), true)
  })
})

test('a form that is sent again gets all its time again', async () => {
  const { tab, view } = await openPage(false)
  await view.click('#send')
  await becomes(stateOf(view), 'sent')
  await tab.clock.fastForward(4000)
  runtime().server.nextAnswers.push(() => never)
  await view.click('#send')
  await tab.clock.fastForward(4000)
  expect(await stateOf(view)()).toBe('sending')
  await tab.clock.fastForward(1000)
  expect(await stateOf(view)()).toBe('failed')
})

test('a call that was rejected before the script came is not sent when it comes', async () => {
  SILENT['the script that does not arrive']!.begin()
  const { tab, view } = await openPage(false)
  const code = view.evaluate(() => window.Service.submit({ late: 1 }).catch(({ code }) => code))
  await tab.clock.fastForward(5000)
  expect(await code).toBe('offline')
  endSilence()
  await view.click('#send')
  await becomes(stateOf(view), 'sent')
  expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":"1"}'])
})
