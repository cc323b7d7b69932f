/** The page beside an item of the inbox: at the passage, and without any power over the app. */
import { expect } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { dataOf } from '../client.ts'
import { panelOf } from '../comments/panel.ts'
import { own } from '../gates/setup.ts'
import { base64, pdf, png } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { LONG_LETTER, MARKED, MAY, TUESDAY } from './letter.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

async function opened() {
  const dashboard = await openDashboard(browser())
  const { tab } = dashboard
  await tab.setViewportSize({ width: 1440, height: 900 })
  const entries = tab.getByRole('list', { name: 'Waiting' }).locator('> li')
  const beside = tab.getByRole('region', { name: 'The page' })
  return { ...dashboard, entries, beside, frame: beside.locator('iframe') }
}

/** Runs an expression in the document of the frame beside the list. */
async function inPage<T>(tab: Tab, expression: string): Promise<T> {
  const frame = tab.frames().find((each) => each.url().includes('/~preview-'))
  return frame?.evaluate(expression).catch(() => null) as Promise<T>
}

own(
  'the page is scrolled to the passage, which is marked, and no page takes the keys of the list away',
  async () => {
    const { tab, owner, problems, open, entries, frame } = await opened()
    const html = `${LONG_LETTER}<input><script>document.querySelector('input').focus()</script>`
    const page = await owner.publish({ html, allow_comments: true })
    const panel = await panelOf(page)
    await panel.comment('Why Tuesday?', { anchor: TUESDAY })
    await panel.comment('Why May?', { anchor: MAY })
    await open('/app/inbox')
    await becomes(() => inPage(tab, MARKED), ['on the ninth of May'])
    await becomes(() => tab.evaluate('document.activeElement.localName'), 'body')
    await tab.keyboard.press('j')
    await becomes(() => entries.nth(0).getAttribute('aria-current'), 'true')
    await tab.keyboard.press('j')
    await becomes(() => inPage(tab, MARKED), ['every Tuesday'])
    await tab.keyboard.press('r')
    await tab.keyboard.type('Read')
    expect(await entries.nth(1).getByRole('textbox').inputValue()).toBe('Read')
    const scrolled = await inPage(tab, 'scrollTo(0, 0), scrollY')
    expect(scrolled).toBe(0)
    // What was read again is the same comment: the page stays where its owner scrolled it.
    await tab.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await frame.contentFrame().getByRole('heading', { name: 'A long letter' }).click()
    expect(await inPage(tab, 'scrollY')).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'a hostile page beside its item leads the app nowhere, sends nothing and gets no session',
  async () => {
    const { tab, owner, open, frame } = await opened()
    // It takes the port of our script, which runs in its realm.
    const script = `
      const native = MessagePort.prototype.postMessage
      const got = []
      MessagePort.prototype.postMessage = function (...sent) {
        MessagePort.prototype.postMessage = native
        this.addEventListener('message', ({ data }) => got.push(data.type))
        const answers = new MessageChannel()
        answers.port1.onmessage = () => got.push('answered')
        const submission = { stamp: '', id: 'x', data: '{}', controls: [] }
        for (const message of [
          { type: 'navigate', path: '../../../app/account' },
          { type: 'navigate', path: 'https://elsewhere.example/' },
          { type: 'location', path: '../../app/account', title: 'Taken' },
          { type: 'storage', area: 'local', key: 'x', value: 'y' },
          { type: 'mark-click', id: 'x' },
          { type: 'ready-for-marks' },
        ]) this.postMessage(message)
        this.postMessage({ type: 'submit', submission }, [answers.port2])
        this.postMessage({ type: 'renew' }, [new MessageChannel().port2])
      }
      try { top.location = 'https://elsewhere.example/' } catch {}
      setTimeout(() => {
        const cookies = (() => { try { return document.cookie } catch { return '' } })()
        document.body.textContent = JSON.stringify({ got, cookies, name: window.name })
      }, 900)`
    const page = await owner.publish({
      html: `<!doctype html><title>Page</title><body>Hello<script>${script}</script>`,
      allow_comments: true,
    })
    await (await panelOf(page)).comment('About it all')
    await open('/app/inbox')
    const body = frame.contentFrame().locator('body')
    await body.getByText('"got"').waitFor()
    expect(JSON.parse(await body.innerText())).toEqual({
      got: ['marks'],
      cookies: '',
      name: '',
    })
    expect(new URL(tab.url()).pathname).toBe('/app/inbox')
    expect(await tab.title()).toContain('Inbox')
    expect(await tab.evaluate('localStorage.x')).toBeUndefined()
    const responses = await owner.call('GET', `/pages/${page.id}/responses`)
    expect(dataOf(responses)).toMatchObject({ total: 0 })
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'where the text has changed, it says so with the passage as it was, and shows the version that had it',
  async () => {
    const { tab, owner, problems, open, beside } = await opened()
    const page = await owner.publish({ html: LONG_LETTER, allow_comments: true })
    await (await panelOf(page)).comment('Why Tuesday?', { anchor: TUESDAY })
    const html = LONG_LETTER.replace('We meet every Tuesday at nine', 'We never meet again')
    await owner.update(page.id, { html, allow_comments: false })
    await owner.goLive(page.id)
    await open('/app/inbox')
    await beside.getByText('The text has changed here.').waitFor()
    await beside.getByText('every Tuesday', { exact: true }).waitFor()
    await becomes(() => inPage(tab, MARKED), null)
    await beside.getByRole('button', { name: 'Show version 1' }).click()
    await becomes(() => inPage(tab, MARKED), ['every Tuesday'])
    await beside.getByRole('button', { name: 'Show the page as it is now' }).click()
    await beside.frameLocator('iframe').getByText('We never meet again').waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'words that a script of the page writes are marked, and nothing is said to be uncertain',
  async () => {
    const { tab, owner, problems, open, entries, beside } = await opened()
    const script = `<script>document.body.append('Written by a script')</script>`
    const page = await owner.publish({ html: LONG_LETTER + script, allow_comments: true })
    const quote = 'Written by a script'
    await (await panelOf(page)).comment('By whom?', { anchor: { quote, prefix: '', suffix: '' } })
    await open('/app/inbox')
    const marked = `[...(CSS.highlights.get('handbill-comments') ?? [])].map(String)`
    await becomes(() => inPage(tab, marked), [quote])
    await beside.getByText('not certain').waitFor({ state: 'detached' })
    expect(await entries.innerText()).not.toContain('not certain')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'a phone shows the page in the place of the list, at the passage; a link of a deck is followed, and left again',
  async () => {
    const { tab, owner, problems, open, entries, frame } = await opened()
    const link = '<a href="other.html">The other file</a>'
    const files = [
      { path: 'index.html', html: '<h1>Start</h1>' },
      { path: 'letter.html', html: LONG_LETTER.replace('</h1>', `</h1>${link}`) },
      { path: 'other.html', html: LONG_LETTER.replace('A long letter', 'Another letter') },
    ]
    const deck = await owner.publish({ files, allow_comments: true })
    const panel = await panelOf(deck, undefined, '/letter.html')
    await panel.comment('Why Tuesday?', { anchor: TUESDAY, path: 'letter.html' })
    await panel.comment('Why May?', { anchor: MAY, path: 'letter.html' })
    await open('/app/inbox')
    await becomes(() => inPage(tab, MARKED), ['on the ninth of May'])
    await inPage(tab, 'scrollTo(0, 0)')
    await frame.contentFrame().getByRole('link').click()
    await frame.contentFrame().getByRole('heading', { name: 'Another letter' }).waitFor()
    await Bun.sleep(300)
    expect(await inPage(tab, `CSS.highlights.get('handbill-comments').size`)).toBe(0)
    await entries.nth(1).click()
    await becomes(() => inPage(tab, MARKED), ['every Tuesday'])
    await tab.setViewportSize({ width: 390, height: 844 })
    await open('/app/inbox')
    await entries.nth(1).waitFor()
    expect(tab.frames()).toHaveLength(1)
    await entries.nth(1).getByRole('button', { name: 'Show page' }).click()
    await becomes(() => inPage(tab, MARKED), ['every Tuesday'])
    await tab.getByRole('button', { name: 'Back' }).click()
    await entries.nth(1).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'a PDF and an image open at the spot of the comment, and an element of a page has a pin',
  async () => {
    const { tab, owner, problems, open, entries, beside, frame } = await opened()
    const files = [
      { file_base64: base64(pdf()), filename: 'a.pdf' },
      { file_base64: base64(png()), filename: 'b.png' },
    ]
    const at = { x: 0.25, y: 0.75 }
    const pages = [
      await owner.publish({ ...files[0], allow_comments: true }),
      await owner.publish({ ...files[1], allow_comments: true }),
    ]
    await (await panelOf(pages[0]!)).comment('On the sheet', { anchor: { sheet: 1, ...at } })
    await (await panelOf(pages[1]!)).comment('On the image', { anchor: at })
    const html = `<title>P</title><div style="height:4000px"></div><img id="plan" alt="The plan"
      width=200 height=100 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">`
    const drawn = await owner.publish({ html, allow_comments: true })
    const element = { tag: 'img', text: 'The plan', selector: '#plan' }
    await (await panelOf(drawn)).comment('On the drawing', { anchor: { ...at, element } })
    await open('/app/inbox')
    for (const [words, surface] of [
      ['On the sheet', '.page'],
      ['On the image', '#image'],
    ] as const) {
      await entries.filter({ hasText: words }).click()
      const spot = frame.contentFrame().locator('.spot')
      await spot.waitFor()
      const off = async () => {
        const pin = (await spot.boundingBox())!
        const box = (await frame.contentFrame().locator(surface).boundingBox())!
        const x = pin.x + pin.width / 2 - (box.x + box.width * at.x)
        const y = pin.y + pin.height / 2 - (box.y + box.height * at.y)
        return Math.abs(x) + Math.abs(y) < 3
      }
      await becomes(off, true)
    }
    await entries.filter({ hasText: 'On the drawing' }).click()
    const pin = beside.locator('iframe + span')
    await pin.waitFor()
    const isOn = async () => {
      const dot = (await pin.boundingBox())!
      const box = (await frame.contentFrame().locator('#plan').boundingBox())!
      const x = dot.x + dot.width / 2 - (box.x + box.width * at.x)
      const y = dot.y + dot.height / 2 - (box.y + box.height * at.y)
      return Math.abs(x) + Math.abs(y) < 3
    }
    await becomes(isOn, true)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
