import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../../acceptance/browser.ts'
import { refusal, testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(60_000)

const runtime = testRuntime()

const FORM = `<form id=form data-service><input id=a name=a value=1>
<button id=send>Send</button></form>`
/** Records the events of the forms. */
const RECORD_EVENTS = `<script>events = []; for (const type of ['service:submitted', 'service:error']) {
  document.addEventListener(type, (e) => events.push([type, e.target.id, e.detail]))
}</script>`

const receipt = { id: 'rsp_1', submitted_at: '2026-11-21T10:00:00.000000Z', submit_count: 1 }
const eventsIn = (tab: Tab) => tab.evaluate(() => (window as unknown as { events: unknown }).events)
const stateOf = (tab: Tab) => tab.getAttribute('form', 'data-state')

/** Delays the next answer until the returned function is called. */
function delayAnswer() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  runtime().server.nextAnswers.push(() => promise)
  return (answer = Response.json({ data: receipt }, { headers: OPEN })) => resolve(answer)
}
const OPEN = { 'access-control-allow-origin': '*' }

describe('a form', () => {
  test('shows that it is sending and sent, and dispatches an event', async () => {
    const sendAnswer = delayAnswer()
    const { tab, problems } = await runtime().open(RECORD_EVENTS + FORM)
    await tab.focus('#send')
    await tab.keyboard.press('Enter')
    await becomes(() => stateOf(tab), 'sending')
    const whileSending = await tab.$eval('form', (form) => [
      form.getAttribute('aria-busy'),
      form.querySelector('button')!.disabled,
      form.querySelector('input')!.disabled,
      form.querySelector('[data-service-message]')!.textContent,
    ])
    expect(whileSending).toEqual(['true', true, false, ''])
    sendAnswer()
    await becomes(() => stateOf(tab), 'sent')
    const afterwards = await tab.$eval('form', (form) => [
      form.getAttribute('aria-busy'),
      form.querySelector('button')!.disabled,
      form.querySelector('[role=status]')!.textContent,
      document.activeElement!.id,
      location.search,
    ])
    expect(afterwards).toEqual([null, false, 'Sent. Thank you.', 'send', ''])
    expect(await eventsIn(tab)).toEqual([['service:submitted', 'form', receipt]])
    expect(problems).toEqual([])
    const [body] = runtime().server.received
    const { token, stamp, id, data, controls, ...more } = body!
    expect([token, stamp, data, more]).toEqual(['page token', 'source token', '{"a":"1"}', {}])
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(controls).toEqual([{ name: 'a', label: null, kind: 'text' }])
  })

  test('is sent without cookies and without a CORS preflight', async () => {
    const { tab } = await runtime().open(FORM)
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    const [headers] = runtime().server.headers
    expect(headers!.get('cookie')).toBeNull()
    expect(headers!.get('origin')).toBe('null')
    expect(headers!.get('content-type')).toBe('text/plain')
  })

  test('shows why it failed, and can be sent again', async () => {
    runtime().server.nextAnswers.push(refusal(409, 'closed'))
    const { tab } = await runtime().open(RECORD_EVENTS + FORM)
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'failed')
    expect(await tab.textContent('[role=alert]')).toBe('It is closed.')
    const detail = { code: 'closed', message: 'It is closed.' }
    expect(await eventsIn(tab)).toEqual([['service:error', 'form', detail]])
    await tab.fill('#a', '2')
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    expect(await tab.locator('[data-service-message]').count()).toBe(1)
    expect(await tab.locator('[role=alert]').count()).toBe(0)
    const [first, second] = runtime().server.received
    expect([first!.data, second!.data]).toEqual(['{"a":"1"}', '{"a":"2"}'])
    expect(second!.id).not.toBe(first!.id)
  })

  test('submitted twice at once is sent once', async () => {
    const sendAnswer = delayAnswer()
    const { tab } = await runtime().open(FORM)
    await tab.dblclick('#send')
    await tab.evaluate(() => document.querySelector('form')!.requestSubmit())
    await becomes(() => stateOf(tab), 'sending')
    sendAnswer()
    await becomes(() => stateOf(tab), 'sent')
    expect(runtime().server.received.length).toBe(1)
    await tab.click('#send')
    await becomes(() => runtime().server.received.length, 2)
  })

  test('shows its `data-success` text in the page’s own element, with the page’s styles', async () => {
    const { tab } = await runtime().open(`<style>p { margin: 3px; font-weight: 300 }</style>
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

  test('is not sent if the page’s script prevents the submit', async () => {
    const { tab } = await runtime().open(`${FORM}<form id=plain><input name=b></form><script>
form.addEventListener('submit', (e) => { e.preventDefault(); Service.submit({ by: 'script' }) })
plain.addEventListener('submit', (e) => e.preventDefault())</script>`)
    await tab.click('#send')
    await tab.evaluate(() => document.forms[1]!.requestSubmit())
    await becomes(() => runtime().server.received.map(({ data }) => data), ['{"by":"script"}'])
    await Bun.sleep(100)
    expect(runtime().server.received.length).toBe(1)
    expect(await stateOf(tab)).toBeNull()
  })

  test('is validated by the browser first', async () => {
    const { tab } = await runtime().open(
      '<form data-service><input name=a required><button id=send>s</button></form>',
    )
    await tab.click('#send')
    await tab.fill('input', 'x')
    await tab.click('#send')
    await becomes(() => runtime().server.received.map(({ data }) => data), ['{"a":"x"}'])
  })

  test('can be added later, and in shadow roots', async () => {
    const { tab } = await runtime().open(`${RECORD_EVENTS}<div id=host></div><script>
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
    await becomes(() => runtime().server.received.length, 2)
    expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":""}', '{"deep":"x"}'])
    await tab.waitForSelector('text=Sent. Thank you. >> nth=1')
    const expected = [
      ['service:submitted', 'late', receipt],
      ['service:submitted', 'host', { ...receipt, submit_count: 2 }],
    ]
    expect(await eventsIn(tab)).toEqual(expected)
    await tab.focus('input[name=deep]')
    await tab.keyboard.press('Enter')
    await becomes(() => runtime().server.received.length, 3)
  })

  test('is sent from a page that unpacks itself, which replaces the document', async () => {
    const { tab } = await runtime().open(`<script>addEventListener('load', () => setTimeout(() => {
document.open()
document.write('<form data-service><input name=a value=1><button id=send>Send</button></form>')
document.close()
}))</script>`)
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":"1"}'])
  })
})
