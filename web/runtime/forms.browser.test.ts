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

const FORM = `<form id=form data-service><input id=a name=a value=1>
<button id=send>Send</button></form>`
/** Keeps what the forms tell. */
const HEARD = `<script>heard = []; for (const type of ['service:submitted', 'service:error']) {
  document.addEventListener(type, (e) => heard.push([type, e.target.id, e.detail]))
}</script>`

const receipt = { id: 'rsp_1', submitted_at: '2026-11-21T10:00:00.000000Z', submit_count: 1 }
const heardIn = (tab: Tab) => tab.evaluate(() => (window as unknown as { heard: unknown }).heard)
const stateOf = (tab: Tab) => tab.getAttribute('form', 'data-state')

/** An answer that is given when it is called. */
function held() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  runtime.stage.refusals.push(() => promise as unknown as Response)
  return (answer = Response.json({ data: receipt }, { headers: OPEN })) => resolve(answer)
}
const OPEN = { 'access-control-allow-origin': '*' }

describe('a form', () => {
  test('shows that it is on its way and that it has arrived, and tells the page', async () => {
    const arrive = held()
    const { tab, problems } = await runtime.open(HEARD + FORM)
    await tab.focus('#send')
    await tab.keyboard.press('Enter')
    await becomes(() => stateOf(tab), 'sending')
    const now = await tab.$eval('form', (form) => [
      form.getAttribute('aria-busy'),
      form.querySelector('button')!.disabled,
      form.querySelector('input')!.disabled,
      form.querySelector('[data-service-message]')!.textContent,
    ])
    expect(now).toEqual(['true', true, false, ''])
    arrive()
    await becomes(() => stateOf(tab), 'sent')
    const then = await tab.$eval('form', (form) => [
      form.getAttribute('aria-busy'),
      form.querySelector('button')!.disabled,
      form.querySelector('[role=status]')!.textContent,
      document.activeElement!.id,
      location.search,
    ])
    expect(then).toEqual([null, false, 'Sent. Thank you.', 'send', ''])
    expect(await heardIn(tab)).toEqual([['service:submitted', 'form', receipt]])
    expect(problems).toEqual([])
    const [body] = runtime.stage.received
    const { token, stamp, id, data, controls, ...more } = body!
    expect([token, stamp, data, more]).toEqual(['of the page', 'a stamp', '{"a":"1"}', {}])
    expect(id).toMatch(/^[\w-]{22}$/)
    expect(controls).toEqual([{ name: 'a', label: null, kind: 'text' }])
  })

  test('is sent without a cookie and without asking the server first', async () => {
    const { tab } = await runtime.open(FORM)
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    const [headers] = runtime.stage.headers
    expect(headers!.get('cookie')).toBeNull()
    expect(headers!.get('origin')).toBe('null')
    expect(headers!.get('content-type')).toBe('text/plain')
  })

  test('says why it failed, and can be sent again', async () => {
    runtime.stage.refusals.push(refusal(409, 'closed'))
    const { tab } = await runtime.open(HEARD + FORM)
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'failed')
    expect(await tab.textContent('[role=alert]')).toBe('It is closed.')
    const detail = { code: 'closed', message: 'It is closed.' }
    expect(await heardIn(tab)).toEqual([['service:error', 'form', detail]])
    await tab.fill('#a', '2')
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    expect(await tab.locator('[data-service-message]').count()).toBe(1)
    expect(await tab.locator('[role=alert]').count()).toBe(0)
    const [first, second] = runtime.stage.received
    expect([first!.data, second!.data]).toEqual(['{"a":"1"}', '{"a":"2"}'])
    expect(second!.id).not.toBe(first!.id)
  })

  test('that is sent twice at once is sent once', async () => {
    const arrive = held()
    const { tab } = await runtime.open(FORM)
    await tab.dblclick('#send')
    await tab.evaluate(() => document.querySelector('form')!.requestSubmit())
    await becomes(() => stateOf(tab), 'sending')
    arrive()
    await becomes(() => stateOf(tab), 'sent')
    expect(runtime.stage.received.length).toBe(1)
    await tab.click('#send')
    await becomes(() => runtime.stage.received.length, 2)
  })

  test('shows its own words in the page’s own place, in the page’s own style', async () => {
    const { tab } = await runtime.open(`<style>p { margin: 3px; font-weight: 300 }</style>
<form id=one data-service data-success="Got it."><div><p data-service-message></p></div></form>
<form id=two data-service></form>`)
    await tab.evaluate(() => [...document.forms].map((form) => form.requestSubmit()))
    await becomes(() => tab.getAttribute('#two', 'data-state'), 'sent')
    expect(await tab.textContent('#one > div > p')).toBe('Got it.')
    expect(await tab.locator('#one [data-service-message]').count()).toBe(1)
    const styles = await tab.$$eval('[data-service-message]', (all) =>
      all.map((each) => {
        const { marginTop, fontWeight, color } = getComputedStyle(each)
        return [marginTop, fontWeight, color]
      }),
    )
    expect(styles).toEqual(Array(2).fill(['3px', '300', 'rgb(0, 0, 0)']))
  })

  test('is its script’s alone where the script prevents the submit', async () => {
    const { tab } = await runtime.open(`${FORM}<form id=plain><input name=b></form><script>
form.addEventListener('submit', (e) => { e.preventDefault(); Service.submit({ by: 'script' }) })
plain.addEventListener('submit', (e) => e.preventDefault())</script>`)
    await tab.click('#send')
    await tab.evaluate(() => document.forms[1]!.requestSubmit())
    await becomes(() => runtime.stage.received.map(({ data }) => data), ['{"by":"script"}'])
    await Bun.sleep(100)
    expect(runtime.stage.received.length).toBe(1)
    expect(await stateOf(tab)).toBeNull()
  })

  test('is left to the browser to check first', async () => {
    const { tab } = await runtime.open(
      '<form data-service><input name=a required><button id=send>s</button></form>',
    )
    await tab.click('#send')
    await tab.fill('input', 'x')
    await tab.click('#send')
    await becomes(() => runtime.stage.received.map(({ data }) => data), ['{"a":"x"}'])
  })

  test('may come later, and stand in shadow roots', async () => {
    const { tab } = await runtime.open(`${HEARD}<div id=host></div><script>
setTimeout(() => {
  document.body.insertAdjacentHTML('beforeend', '<form id=late data-service><input name=a></form>')
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = '<div id=inner></div>'
  root.firstChild.attachShadow({ mode: 'open' }).innerHTML =
    '<form data-service><input name=deep><button>Send deep</button></form>'
}, 50)</script>`)
    await tab.waitForSelector('#late')
    await tab.evaluate(() => document.forms[0]!.requestSubmit())
    await tab.fill('input[name=deep]', 'x')
    await tab.click('text=Send deep')
    await becomes(() => runtime.stage.received.length, 2)
    expect(runtime.stage.received.map(({ data }) => data)).toEqual(['{"a":""}', '{"deep":"x"}'])
    await tab.waitForSelector('text=Sent. Thank you. >> nth=1')
    const heard = [
      ['service:submitted', 'late', receipt],
      ['service:submitted', 'host', { ...receipt, submit_count: 2 }],
    ]
    expect(await heardIn(tab)).toEqual(heard)
    await tab.focus('input[name=deep]')
    await tab.keyboard.press('Enter')
    await becomes(() => runtime.stage.received.length, 3)
  })
})
