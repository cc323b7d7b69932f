import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../../acceptance/browser.ts'
import { refusal, testRuntime } from '../../src/testing/runtime-page.ts'

setDefaultTimeout(240_000)

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

  const ROUTERS = {
    'listens on the document, as those of Turbo, Astro and SvelteKit': `document.addEventListener(
      'submit', (e) => {
        const method = e.submitter?.getAttribute('formmethod') || e.target.getAttribute('method')
        if (e.defaultPrevented || method === 'dialog') return
        e.preventDefault()
        history.pushState(null, '', '?' + new URLSearchParams(new FormData(e.target)))
      })`,
    'chooses its forms when it starts, as that of htmx': `for (const form of document.forms) {
      if (form.method !== 'dialog') form.addEventListener('submit', (e) => {
        e.preventDefault()
        history.pushState(null, '', '?' + new URLSearchParams(new FormData(form)))
      })
    }`,
  }
  for (const [name, script] of Object.entries(ROUTERS)) {
    test(`is sent where a router ${name}`, async () => {
      const deferred = `<script type=module>${script}</script>`
      const { tab } = await runtime().open(FORM + deferred)
      await tab.click('#send')
      await becomes(() => stateOf(tab), 'sent')
      expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":"1"}'])
      expect(new URL(tab.url()).search).toBe('')
    })
  }

  test.each(['htmx:beforeProcessNode', 'htmx:before:process'])(
    'that htmx shows from another file is none of its own after %s',
    async (type) => {
      const { tab } = await runtime().open('<form data-service></form>')
      await tab.waitForLoadState()
      const method = await tab.evaluate((name) => {
        document.body.innerHTML = '<form data-service></form>'
        document.body.dispatchEvent(new Event(name))
        return document.forms[0]!.method
      }, type)
      expect(method).toBe('dialog')
    },
  )

  test('with an address of its own elsewhere keeps its method', async () => {
    const { tab } = await runtime().open(`<form id=form data-service method=post
      action="https://forms.example/f"><button id=send>Send</button></form>
      <script>form.onsubmit = (e) => { e.preventDefault(); document.title = form.method }</script>`)
    await tab.click('#send')
    await becomes(() => tab.title(), 'post')
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

  const byScript: [name: string, script: string][] = [
    [
      'that a script sends with `form.submit()`',
      'send.onclick = () => { form.submit(); return false }',
    ],
    [
      'that a script prevents and then sends with `form.submit()`',
      'form.onsubmit = (e) => { e.preventDefault(); setTimeout(() => form.submit()) }',
    ],
    ['whose submit event a script stops', 'form.onsubmit = (e) => e.stopPropagation()'],
    [
      'whose submit event the body stops',
      'document.body.addEventListener("submit", (e) => { e.cancelBubble = true })',
    ],
    [
      'whose submit event the document stops on its way down',
      'document.addEventListener("submit", (e) => e.stopPropagation(), true)',
    ],
    [
      'whose submit event the window stops at once',
      'addEventListener("submit", (e) => e.stopImmediatePropagation(), true)',
    ],
  ]
  test.each(byScript)('%s is sent once, and does not navigate', async (_, script) => {
    const { tab } = await runtime().open(`${FORM}<script>${script}</script>`)
    const address = tab.url()
    await tab.click('#send')
    await becomes(() => stateOf(tab), 'sent')
    await Bun.sleep(100)
    expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"a":"1"}'])
    expect(tab.url()).toBe(address)
  })

  test.each(['stopPropagation', 'stopImmediatePropagation'])(
    'is not sent if the script that calls %s prevents it',
    async (stop) => {
      const { tab } = await runtime().open(`${FORM}<script>
form.onsubmit = (e) => { e.${stop}(); e.preventDefault(); Service.submit({ by: 'script' }) }
</script>`)
      await tab.click('#send')
      await becomes(() => runtime().server.received.map(({ data }) => data), ['{"by":"script"}'])
      await Bun.sleep(100)
      expect(runtime().server.received.length).toBe(1)
    },
  )

  test('is sent and shows its state, whatever its controls are named', async () => {
    const names = ['setAttribute', 'getAttribute', 'hasAttribute', 'removeAttribute', 'append']
    names.push('querySelector', 'dispatchEvent', 'addEventListener', 'removeEventListener')
    names.push('getRootNode', 'isConnected', 'elements', 'submit', 'action', 'method', 'length')
    const inputs = names.map((name) => `<input name=${name} value=1>`)
    const { tab } = await runtime().open(`${RECORD_EVENTS}<form data-service>${inputs.join('')}
<button id=send>Send</button></form>`)
    await tab.waitForLoadState()
    await tab.evaluate(() => {
      document.querySelector('input')!.focus()
      document.getElementById('send')!.click()
    })
    const message = 'document.querySelector("form[data-state=sent] [role=status]")?.textContent'
    await becomes(() => tab.evaluate(message), 'Sent. Thank you.')
    const { data, trap } = runtime().server.received[0]!
    expect([Object.keys(JSON.parse(data)), trap]).toEqual([names, undefined])
    expect(await eventsIn(tab)).toEqual([['service:submitted', '', receipt]])
  })

  test('is not sent by the button that cancels its dialog', async () => {
    const { tab } = await runtime().open(`<dialog open><form data-service><input id=a name=a>
<button id=cancel formmethod=dialog formnovalidate>Cancel</button><button id=send>Send</button>
</form></dialog>`)
    await tab.fill('#a', 'mine')
    await tab.click('#cancel')
    await becomes(() => tab.locator('dialog[open]').count(), 0)
    await tab.evaluate(() => window.Service.submit({ after: true }))
    expect(runtime().server.received.map(({ data }) => data)).toEqual(['{"after":true}'])
  })

  test.each([
    ['replaces', `<div>${FORM.replace('id=form', 'id=new')}</div>`, 'form#new > [role=alert]'],
    ['removes', 'Thanks!', 'body > [role=alert]'],
    ['leaves for another', '<form data-service><input name=next></form>', 'body > [role=alert]'],
  ])('that the page %s meanwhile is not refused in silence', async (_, html, selector) => {
    const sendAnswer = delayAnswer()
    const { tab } = await runtime().open(`${RECORD_EVENTS}<main>${FORM}</main>`)
    await tab.click('#send')
    await becomes(() => runtime().server.received.length, 1)
    await tab.$eval(
      'main',
      (main, html) => {
        main.innerHTML = html
      },
      html,
    )
    sendAnswer(await refusal(409, 'closed')())
    await tab.waitForSelector(selector)
    expect(await tab.textContent(selector)).toBe('It is closed.')
    expect(await eventsIn(tab)).toMatchObject([
      ['service:error', expect.anything(), { code: 'closed' }],
    ])
  })

  test('whose button the page disables sends its value, and can be sent again', async () => {
    runtime().server.nextAnswers.push(refusal(409, 'closed'))
    const { tab } = await runtime().open(`<form id=form data-service>
<button id=send name=answer value=yes>Yes</button></form><script>
form.onsubmit = () => { send.disabled = true }</script>`)
    for (const state of ['failed', 'sent']) {
      await tab.click('#send')
      await becomes(() => stateOf(tab), state)
    }
    const sent = runtime().server.received.map(({ data }) => data)
    expect(sent).toEqual(Array(2).fill('{"answer":"yes"}'))
  })

  test.each(['open', 'closed'])('in an %s shadow root is sent by a script', async (mode) => {
    const { tab } = await runtime().open(`<div id=host></div><script>
const root = host.attachShadow({ mode: '${mode}' })
root.innerHTML = '<form data-service><input name=a value=1></form><form data-service></form>'
root.addEventListener('submit', (e) => { if (e.target !== root.firstChild) e.preventDefault() })
addEventListener('load', () => { for (const form of root.children) form.requestSubmit() })
</script>`)
    const address = tab.url()
    await becomes(() => runtime().server.received.map(({ data }) => data), ['{"a":"1"}'])
    await Bun.sleep(100)
    expect(runtime().server.received.length).toBe(1)
    expect(tab.url()).toBe(address)
  })
})
