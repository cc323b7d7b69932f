import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow } from '../browser.ts'
import { type Page, pro } from '../client.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { newEmail, own } from '../gates/setup.ts'
import { base64, isoIn } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { report } from './viewer.ts'

const TIMEOUT = 240_000
const PASSWORD = 'abcd efgh'
const SENT = 'We have it, thank you.'

const FORM = `<form data-service data-success="${SENT}">
<label>Name <input name="name" data-label="Your name" required></label>
<label>Seats <input type="number" name="seats" value="2"></label>
<fieldset><label><input type="radio" name="meal" value="fish"> Fish</label>
<label><input type="radio" name="meal" value="none"> None</label></fieldset>
<fieldset disabled><input name="off" value="x"></fieldset>
<label><input type="checkbox" name="news"> News</label>
<label><input type="checkbox" name="days" value="mo"> Mo</label>
<label><input type="checkbox" name="days" value="tu"> Tu</label>
<select name="tags" multiple><option selected>a<option selected>b<option>c</select>
<input value="without a name">
<button name="button" value="book">Book</button></form>
<textarea name="remarks" form="none"></textarea>`
const SURVEY = `<!doctype html><html lang="en"><title>Survey</title><main>${FORM}</main></html>`
/** A page with this script needs the shell. */
const STORES = '<script>localStorage.setItem("seen", "yes")</script>'

const browser = testBrowser()

type View = Tab | Frame

async function fillIn(view: View, name: string): Promise<void> {
  await view.fill('[name=name]', name)
  await view.check('[value=fish]')
  await view.check('[value=tu]')
  await view.click('[name=button]')
}
const stateOf = (view: View) => () => view.getAttribute('form', 'data-state')
const messageOf = (view: View) => () => view.textContent('[data-service-message]')
const responsesOf = async (page: Page) => (await report(pro, page)).responses
const namesOf = (page: Page) => async () => (await responsesOf(page)).map(({ data }) => data.name)

const EXPECTED = {
  ...{ name: 'Ann', seats: 2, meal: 'fish', news: false, days: ['tu'], tags: ['a', 'b'] },
  button: 'book',
}

test(
  'a form with a chosen file says that it cannot send files, and sends nothing',
  async () => {
    const file = '<input name="cv" type="file"><button>Send</button>'
    const html = `<!doctype html><form data-service><input name="a" value="1">${file}</form>`
    const page = await pro.publish({ html })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.setInputFiles('[name=cv]', {
      name: 'cv.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    })
    await tab.click('button')
    await becomes(stateOf(tab), 'failed')
    expect(await messageOf(tab)()).toContain('cannot send files')
    expect(await responsesOf(page)).toEqual([])
    await tab.setInputFiles('[name=cv]', [])
    await tab.click('button')
    await becomes(stateOf(tab), 'sent')
  },
  TIMEOUT,
)

test(
  'a form is collected on a page served directly, and shows that it was sent',
  async () => {
    const page = await pro.publish({ html: SURVEY })
    const { tab, problems } = await newWindow(browser())
    await tab.goto(page.url)
    await fillIn(tab, 'Ann')
    await becomes(stateOf(tab), 'sent')
    expect(await messageOf(tab)()).toBe(SENT)
    expect(tab.url()).toBe(page.url)
    const [response] = await responsesOf(page)
    expect(response!.data).toEqual(EXPECTED)
    expect(Object.keys(response!.data)).toEqual(Object.keys(EXPECTED))
    const { fields } = await report(pro, page)
    expect(fields).toContainEqual({ key: 'name', label: 'Your name', type: 'text' })
    expect(fields.map(({ type }) => type)).toEqual([
      ...['text', 'number', 'choice', 'boolean', 'multi', 'multi', 'text'],
    ])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

/** Fills the form in, in the frame of the shell, and expects its response and no errors. */
async function expectSentInFrame(page: Page): Promise<Frame> {
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  const frame = await framed(tab, 'form')
  await fillIn(frame, 'Ann')
  await becomes(stateOf(frame), 'sent')
  expect((await responsesOf(page)).map(({ data }) => data)).toEqual([EXPECTED])
  expect(problems).toEqual([])
  return frame
}

test(
  'the same form is collected in the shell',
  async () => {
    const page = await pro.publish({ html: SURVEY + STORES })
    const frame = await expectSentInFrame(page)
    expect(await frame.content()).not.toContain('data-token')
  },
  TIMEOUT,
)

const POLICIES = [
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
  "script-src 'unsafe-inline'; connect-src 'none'; form-action 'none'",
]

test(
  'a form is collected whatever the policy of its page lets scripts connect to',
  async () => {
    for (const policy of POLICIES) {
      for (const script of ['', '<script>document.title = "Run"</script>']) {
        const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
        const page = await pro.publish({ html: `<!doctype html>${meta}${FORM}${script}` })
        await expectSentInFrame(page)
      }
    }
  },
  TIMEOUT,
)

test(
  'a form behind a password is collected with an alias',
  async () => {
    const page = await pro.publish({ html: SURVEY, access: 'password', password: PASSWORD })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.fill('input[name=password]', PASSWORD)
    await tab.click('button')
    await fillIn(tab, 'Ann')
    await becomes(namesOf(page), ['Ann'])
    expect((await responsesOf(page))[0]!.respondent).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  },
  TIMEOUT,
)

own(
  'behind an email gate the confirmed address is the respondent',
  async () => {
    const page = await pro.publish({ html: SURVEY, access: 'email_gate' })
    const email = newEmail()
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.fill('input[name=email]', email)
    await tab.click('button')
    const { links } = await sharedOutbox().last(email)
    await tab.goto(links[0]!)
    await tab.click('button')
    await fillIn(tab, 'Ann')
    await becomes(namesOf(page), ['Ann'])
    expect((await responsesOf(page))[0]!.respondent).toBe(email)
  },
  TIMEOUT,
)

test(
  'two tabs of a browser are one viewer, and another browser is another',
  async () => {
    const page = await pro.publish({ html: SURVEY })
    const { tab } = await newWindow(browser())
    const second = await tab.context().newPage()
    await tab.goto(page.url)
    await second.goto(page.url)
    await fillIn(tab, 'Ann')
    await becomes(stateOf(tab), 'sent')
    await fillIn(second, 'Ann again')
    await becomes(namesOf(page), ['Ann again'])
    const other = await newWindow(browser())
    await other.tab.goto(page.url)
    await fillIn(other.tab, 'Bob')
    await becomes(namesOf(page), ['Bob', 'Ann again'])
    expect((await responsesOf(page)).map(({ submit_count: submitCount }) => submitCount)).toEqual([
      1, 2,
    ])
  },
  TIMEOUT,
)

test(
  'the forms of a deck are collected with the path of their file',
  async () => {
    const files = [
      {
        path: 'index.html',
        html: '<!doctype html><title>Start</title><a href="part/two.html">On</a>',
      },
      { path: 'part/two.html', html: SURVEY },
    ]
    const page = await pro.publish({ files })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.click('a')
    await fillIn(tab, 'Ann')
    await becomes(namesOf(page), ['Ann'])
    expect((await responsesOf(page))[0]!.path).toBe('part/two.html')
  },
  TIMEOUT,
)

test(
  'a form made by a framework is collected with its labels',
  async () => {
    const modules = join(import.meta.dir, '..', '..', 'node_modules')
    const preact = readFileSync(join(modules, 'preact/dist/preact.mjs'))
    const app = `import { h, render } from './preact.js'
    const field = (props) => h('input', props)
    setTimeout(() => render(h('form', { 'data-service': true },
      field({ name: 'name', 'data-label': 'Your name' }), field({ type: 'number', name: 'seats' }),
      h('select', { name: 'meal' }, h('option', null, 'fish')), h('button', null, 'Send')),
      document.body), 50)`
    const files = [
      {
        path: 'index.html',
        html: '<!doctype html><title>App</title><script type="module" src="app.js"></script>',
      },
    ]
    const assets = [
      { path: 'preact.js', data_base64: base64(preact) },
      { path: 'app.js', data_base64: base64(app) },
    ]
    const page = await pro.publish({ files, assets })
    const { tab, problems } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.fill('[name=name]', 'Ann')
    await tab.fill('[name=seats]', '3')
    await tab.click('button')
    await becomes(namesOf(page), ['Ann'])
    const result = await report(pro, page)
    expect(result.status.collecting).toBe(true)
    expect(result.responses[0]!.data).toEqual({ name: 'Ann', seats: 3, meal: 'fish' })
    expect(result.fields).toEqual([
      { key: 'name', label: 'Your name', type: 'text' },
      { key: 'seats', label: null, type: 'number' },
      { key: 'meal', label: null, type: 'choice' },
    ])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

const CALLS = `<!doctype html><title>Calls</title><script>
  window.sent = Service.submit({ score: 7, rounds: [{ n: 1 }, { n: 2 }] })
</script>`

test(
  'Service.submit can be called before its script has loaded, and returns the receipt',
  async () => {
    for (const html of [CALLS, CALLS + STORES]) {
      const page = await pro.publish({ html })
      const { tab } = await newWindow(browser())
      await tab.goto(page.url)
      const view = html === CALLS ? tab : await framed(tab)
      const receipt = await view.evaluate(() => (window as unknown as { sent: unknown }).sent)
      const [response] = await responsesOf(page)
      expect(receipt).toEqual({
        id: response!.id,
        submitted_at: response!.submitted_at,
        submit_count: 1,
      })
      expect(response!.data).toEqual({ score: 7, rounds: [{ n: 1 }, { n: 2 }] })
    }
  },
  TIMEOUT,
)

test(
  'a form on a page closed meanwhile shows why it failed, and keeps its input',
  async () => {
    const page = await pro.publish({ html: SURVEY })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await pro.update(page.id, { responses_closed_at: isoIn(-1000) })
    await fillIn(tab, 'Ann')
    await becomes(stateOf(tab), 'failed')
    expect(await messageOf(tab)()).toMatch(/closed|no longer/i)
    expect(await tab.inputValue('[name=name]')).toBe('Ann')
    expect(await responsesOf(page)).toEqual([])
  },
  TIMEOUT,
)

test(
  'a form submitted offline arrives once, when there is a connection again',
  async () => {
    const page = await pro.publish({ html: SURVEY })
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await tab.waitForLoadState('load')
    await tab.context().setOffline(true)
    await fillIn(tab, 'Ann')
    await Bun.sleep(500)
    expect(await responsesOf(page)).toEqual([])
    await tab.context().setOffline(false)
    await becomes(namesOf(page), ['Ann'])
    await becomes(stateOf(tab), 'sent')
    expect((await responsesOf(page))[0]!.submit_count).toBe(1)
  },
  TIMEOUT,
)

test(
  'a response after a republish has the version that the tab shows',
  async () => {
    const page = await pro.publish({ html: SURVEY })
    const { published_at: publishedAt } = await pro.page(page.id)
    const { tab } = await newWindow(browser())
    await tab.goto(page.url)
    await pro.update(page.id, { html: SURVEY.replace('Seats', 'Places') })
    await pro.goLive(page.id)
    await fillIn(tab, 'Ann')
    await becomes(namesOf(page), ['Ann'])
    expect((await responsesOf(page))[0]!.page_version).toBe(publishedAt)
    await tab.reload()
    await fillIn(tab, 'Bea')
    await becomes(namesOf(page), ['Bea'])
    const later = (await pro.page(page.id)).published_at
    expect((await responsesOf(page))[0]!.page_version).toBe(later)
  },
  TIMEOUT,
)
