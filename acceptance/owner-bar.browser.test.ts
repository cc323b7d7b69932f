import { beforeAll, expect } from 'bun:test'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import { becomes, framed, pressable, problemsOf } from './browser.ts'
import type { Page } from './client.ts'
import { violationsIn } from './gates/axe.ts'
import { type MailedOwner, newOwner, own, signedIn } from './gates/setup.ts'
import { base64, pdf, png, word } from './material.ts'
import { server } from './server.ts'
import { testBrowser } from './test-browser.ts'

const TIMEOUT = 240_000
const HOSTILE = '<img src=x onerror="document.title=1">'
const htmlOf = (words: string, more = '') =>
  `<!doctype html><html lang=en><title>Words</title><main><h1>Words</h1><p id=words>${words}</main>${more}`

const browser = testBrowser()
let owner: MailedOwner
let signedInContext: () => Promise<BrowserContext>
beforeAll(async () => {
  if (!server.own) return
  owner = await newOwner()
  const { jar } = await signedIn(owner.email)
  const { hostname: domain } = new URL(server.url)
  const cookies = [...jar.values()].map(({ name, value, path }) => ({ name, value, path, domain }))
  signedInContext = async () => {
    const context = await browser().newContext({ reducedMotion: 'reduce' })
    await context.addCookies(cookies)
    return context
  }
}, TIMEOUT)

/** A tab at the page. */
async function opened(page: Page, context: BrowserContext) {
  const tab = await context.newPage()
  tab.setDefaultTimeout(60_000)
  const problems = problemsOf(tab)
  await tab.goto(page.url)
  return { tab, problems, bar: barOf(tab) }
}

const barOf = (tab: Tab) => tab.getByRole('region', { name: 'Your page' })

own(
  'the owner publishes the draft from the bar, and sees the new content and that it is live',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ html: htmlOf('one') })
    await owner.update(page.id, { html: htmlOf('two') })
    const { tab, bar, problems } = await opened(page, context)
    await bar.getByText('Changes waiting').waitFor()
    expect(await (await framed(tab, '#words')).textContent('#words')).toBe('one')
    await bar.getByRole('button', { name: 'Publish' }).click()
    await bar.getByText('Live', { exact: true }).waitFor()
    await bar.getByText('Published', { exact: true }).waitFor()
    expect(await (await framed(tab, '#words')).textContent('#words')).toBe('two')
    expect(await bar.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    expect((await owner.page(page.id)).has_unpublished_changes).toBe(false)
    expect(problems).toEqual([])
    await context.close()
  },
  TIMEOUT,
)

own(
  'the bar is on decks, PDFs and images too, and leads to the dashboard',
  async () => {
    const context = await signedInContext()
    const files = [{ path: 'index.html', html: htmlOf('deck') }]
    const cases: [object, RegExp][] = [
      [{ files, publish: false }, /\/edit$/],
      [{ file_base64: base64(pdf()), filename: `${word('f')}.pdf`, publish: false }, /pg_\w+$/],
      [{ file_base64: base64(png()), filename: `${word('f')}.png`, publish: false }, /pg_\w+$/],
    ]
    for (const [content, edit] of cases) {
      const page = await owner.publish({ ...content, title: `${HOSTILE} ${word()}` })
      const { bar, problems } = await opened(page, context)
      await bar.getByText('Draft', { exact: true }).waitFor()
      await bar.getByRole('button', { name: 'Publish' }).click()
      await bar.getByText('Live', { exact: true }).waitFor()
      await bar.getByText('Published', { exact: true }).waitFor()
      const link = (name: RegExp) => bar.getByRole('link', { name }).getAttribute('href')
      expect(await link(/^Share$/)).toBe(`/app/pages/${page.id}/share`)
      expect(await link(/^(Edit|Manage)$/)).toMatch(edit)
      expect(await link(/views$/)).toBe(`/app/pages/${page.id}/analytics`)
      expect((await owner.page(page.id)).views).toBe(0)
      expect(problems).toEqual([])
    }
    await context.close()
  },
  TIMEOUT,
)

own(
  'the bar stands above the viewer, which keeps its own bar and zoom in sight',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ file_base64: base64(pdf()), filename: `${word('f')}.pdf` })
    const { tab, bar } = await opened(page, context)
    const topOf = async (selector: string) => (await tab.locator(selector).boundingBox())!.y
    await tab.locator('#position').waitFor()
    const { height } = (await bar.boundingBox())!
    expect([await topOf('#owner-bar'), await topOf('#bar')]).toEqual([0, height])
    const zoom = (await tab.locator('#position').boundingBox())!
    expect(zoom.y + zoom.height).toBeLessThanOrEqual(tab.viewportSize()!.height)
    await bar.getByRole('button', { name: 'Hide this bar' }).click()
    await becomes(() => topOf('#bar'), 0)
    await context.close()
  },
  TIMEOUT,
)

own(
  'publishing that fails says why, and can be tried again',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ html: htmlOf('one'), publish: false })
    const { tab, bar } = await opened(page, context)
    const publish = bar.getByRole('button', { name: 'Publish' })
    await tab.route('**/publish', (route) => route.abort(), { times: 1 })
    await publish.click()
    await bar.getByText('No answer came').waitFor()
    const error = { code: 'signed_out', message: `Sign in again ${HOSTILE}` }
    const answer = { status: 401, json: { error } }
    await tab.route('**/publish', (route) => route.fulfill(answer), { times: 1 })
    await publish.click()
    await bar.getByText(error.message).waitFor()
    expect(await bar.locator('img').count()).toBe(0)
    await publish.click()
    await bar.getByText('Live', { exact: true }).waitFor()
    await context.close()
  },
  TIMEOUT,
)

own(
  'the link is copied, also where browsers give pages no clipboard',
  async () => {
    const context = await signedInContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await owner.publish({ html: htmlOf('one') })
    const { tab, bar } = await opened(page, context)
    const copyLink = bar.getByRole('button', { name: 'Copy link' })
    const copied = () => tab.evaluate(() => navigator.clipboard.readText())
    await copyLink.click()
    await bar.getByText('Link copied').waitFor()
    expect(await copied()).toBe(page.url)
    await tab.evaluate(() => navigator.clipboard.writeText(''))
    const clipboard = await tab.evaluateHandle(() => navigator.clipboard)
    await tab.evaluate(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
    )
    await copyLink.click()
    await becomes(() => clipboard.evaluate((value) => value.readText()), page.url)
    await context.close()
  },
  TIMEOUT,
)

own(
  'a hidden bar stays hidden in its tab alone, and comes back by its button',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ html: htmlOf('one') })
    const { tab, bar } = await opened(page, context)
    await bar.getByRole('button', { name: 'Hide this bar' }).click()
    await bar.waitFor({ state: 'hidden' })
    await tab.reload()
    await framed(tab, '#words')
    expect(await bar.isVisible()).toBe(false)
    const other = await opened(page, context)
    await other.bar.waitFor()
    await tab.keyboard.press('Tab')
    const show = tab.getByRole('button', { name: 'Show the bar of your page' })
    await show.focus()
    await tab.keyboard.press('Enter')
    await bar.waitFor()
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('owner-hide')
    await context.close()
  },
  TIMEOUT,
)

own(
  'on a phone the bar unfolds what does not fit, by keyboard too',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ html: htmlOf('one'), publish: false })
    const { tab, bar } = await opened(page, context)
    await tab.setViewportSize({ width: 320, height: 600 })
    expect(await bar.getByRole('button', { name: 'Publish' }).isVisible()).toBe(true)
    const share = bar.getByRole('link', { name: 'Share' })
    expect(await share.count()).toBe(0)
    const more = bar.getByRole('button', { name: 'More about your page' })
    await more.press('Enter')
    await share.waitFor()
    await share.focus()
    await tab.keyboard.press('Escape')
    await share.waitFor({ state: 'hidden' })
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('owner-more')
    await more.click()
    await framed(tab, '#words')
    await tab.mouse.click(160, 580)
    await share.waitFor({ state: 'hidden' })
    const width = await tab.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(320)
    await context.close()
  },
  TIMEOUT,
)

own(
  'strangers and other signed-in accounts have no bar',
  async () => {
    const page = await owner.publish({ html: htmlOf('one'), allow_comments: true })
    const file = { file_base64: base64(png()), filename: `${word('f')}.png` }
    const image = await owner.publish(file)
    const other = await signedIn((await newOwner()).email)
    const { hostname: domain } = new URL(server.url)
    const cookies = [...other.jar.values()]
    for (const held of [[], cookies]) {
      const context = await browser().newContext()
      await context.addCookies(held.map(({ name, value, path }) => ({ name, value, path, domain })))
      for (const each of [page, image]) {
        const { tab, bar } = await opened(each, context)
        await tab.locator('iframe, #image').first().waitFor()
        expect(await bar.count()).toBe(0)
        expect(await tab.content()).not.toMatch(/owner-bar|\/app\/pages\//)
      }
      await context.close()
    }
  },
  TIMEOUT,
)

const ATTACK = `<style>html,body{margin:0}#over{position:fixed;inset:-400px 0 auto;height:900px;
width:100vw;z-index:2147483647;background:red}</style><div id=over></div><script>
window.found = []
const attempt = (name, run) => { try { run(); found.push(name) } catch {} }
attempt('document', () => parent.document.querySelector('#owner-publish').click())
attempt('frame', () => frameElement.style.setProperty('margin-top', '-100px'))
attempt('storage', () => parent.sessionStorage.setItem('handbill:owner-bar-hidden', '1'))
attempt('navigate', () => { top.location.hash; })
for (const type of ['publish', 'owner-bar', 'location', 'height', 'navigate']) {
  parent.postMessage({ type, path: '#owner-publish', pixels: 9999, title: 'x' }, '*')
}
fetch('/app/api/pages/PAGE/publish', { method: 'POST', headers: { 'x-handbill-request': '1' } })
  .then((answer) => { if (answer.ok) found.push('fetch') }, () => {})
  .finally(() => { window.done = true })
</script>`

own(
  'a script of the page cannot reach, cover or press the bar',
  async () => {
    const context = await signedInContext()
    const page = await owner.publish({ html: htmlOf('one', ATTACK) })
    await owner.update(page.id, {
      html: htmlOf('two', ATTACK.replace('PAGE', page.id)),
    })
    await owner.goLive(page.id)
    await owner.update(page.id, { html: htmlOf('three') })
    const { tab, bar } = await opened(page, context)
    const frame = await framed(tab, '#over')
    await becomes(() => frame.evaluate(() => (window as { done?: boolean }).done), true)
    expect(await frame.evaluate(() => (window as { found?: string[] }).found)).toEqual([])
    await bar.getByText('Changes waiting').waitFor()
    await pressable(tab)
    const hit = await tab.evaluate(() => {
      const { x, y, width, height } = document
        .getElementById('owner-publish')!
        .getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2)?.id
    })
    expect(hit).toBe('owner-publish')
    const box = (await tab.locator('iframe').boundingBox())!
    expect(box.y).toBe((await bar.boundingBox())!.height)
    expect((await owner.page(page.id)).has_unpublished_changes).toBe(true)
    await context.close()
  },
  TIMEOUT,
)

own(
  'axe finds nothing on the bar, around a page and around a file',
  async () => {
    const plain = await signedInContext()
    const cookies = await plain.cookies()
    const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    await context.addCookies(cookies)
    const file = { file_base64: base64(png()), filename: `${word('f')}.png`, publish: false }
    for (const content of [{ html: htmlOf('one'), publish: false, accent: 'amber' }, file]) {
      const page = await owner.publish(content)
      const { tab, bar } = await opened(page, context)
      await tab.waitForLoadState('networkidle')
      expect(await violationsIn(tab)).toEqual([])
      await tab.setViewportSize({ width: 390, height: 800 })
      await bar.getByRole('button', { name: 'More about your page' }).click()
      expect(await violationsIn(tab)).toEqual([])
    }
    await context.close()
    await plain.close()
  },
  TIMEOUT,
)
