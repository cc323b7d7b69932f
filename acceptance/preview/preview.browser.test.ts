/** The preview of a draft in Chromium, in a frame of the app. */
import { expect } from 'bun:test'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { dataOf, type Owner, type Page } from '../client.ts'
import { newOwner, own, signedIn } from '../gates/setup.ts'
import { base64, pdf } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

/** The app of a signed-in owner, with a frame in it that shows the address. */
async function frameIn(tab: Tab, url: string): Promise<Frame> {
  const handle = await tab.evaluateHandle((src) => {
    const frame = Object.assign(document.createElement('iframe'), { src })
    Object.assign(frame.style, { position: 'fixed', inset: '0', zIndex: '99' })
    return document.body.appendChild(frame)
  }, url)
  const frame = await handle.asElement()!.contentFrame()
  await frame!.waitForLoadState()
  return frame!
}

async function appOf({ email }: { email: string }): Promise<Tab> {
  const who = await signedIn(email)
  const context = await browser().newContext()
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map(({ name, value, path }) => ({ name, value, path, domain })),
  )
  const tab = await context.newPage()
  await tab.goto(`${server.url}/app`)
  return tab
}

async function previewOf(by: Owner, { id }: Page): Promise<string> {
  return dataOf<{ url: string }>(await by.call('POST', `/pages/${id}/preview`, {}), 201).url
}

const HOSTILE = `<!doctype html><title>Draft</title><p id="text">the draft</p>
<form data-service><input name="a" value="1"><button>Send</button></form>
<script>
localStorage.setItem('seen', 'yes')
const tries = {
  origin: () => self.origin,
  stored: () => localStorage.getItem('seen'),
  cookie: () => { document.cookie = 'a=1'; return document.cookie },
  parent: () => { try { return parent.document.title } catch { return 'blocked' } },
  top: () => { try { top.location.href = 'about:blank'; return 'moved' } catch { return 'blocked' } },
}
window.found = Object.fromEntries(Object.entries(tries).map(([name, run]) => [name, run()]))
fetch('/app/api/account', { headers: { 'x-handbill-request': '1' } })
  .then(({ status }) => status, () => 'blocked').then((api) => { found.api = api })
Service.submit({ a: 1 }).catch(({ code, message }) => { window.refused = [code, message] })
</script>`

own(
  'a draft is shown in a frame of the app, in its sandbox, and can neither store nor send',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: HOSTILE, publish: false })
    const tab = await appOf(by)
    const frame = await frameIn(tab, await previewOf(by, page))
    expect(await frame.locator('#text').textContent()).toBe('the draft')
    await becomes(() => frame.evaluate('found.api'), 'blocked')
    expect(await frame.evaluate('found')).toMatchObject({
      origin: 'null',
      stored: 'yes',
      parent: 'blocked',
      top: 'blocked',
    })
    const refusal = ['preview', 'This is a preview: nothing is sent, and nothing stored.']
    await becomes(() => frame.evaluate('window.refused'), refusal)
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByText('This is a preview: nothing is sent').waitFor()
    expect(tab.url()).toBe(`${server.url}/app`)
    expect(await tab.evaluate(() => localStorage.getItem('seen'))).toBeNull()
    const report = await by.call('GET', `/pages/${page.id}/responses`)
    expect(dataOf<{ total: number }>(report).total).toBe(0)
    expect((await by.page(page.id)).views).toBe(0)
  },
  TIMEOUT,
)

own(
  'a PDF is shown by the viewer in a frame of the app',
  async () => {
    const by = await newOwner()
    const page = await by.publish({
      file_base64: base64(pdf('Hello')),
      filename: 'a.pdf',
      publish: false,
    })
    const frame = await frameIn(await appOf(by), await previewOf(by, page))
    await frame.locator('.page canvas').first().waitFor()
    expect(await frame.getByRole('heading').textContent()).toBe('a.pdf')
  },
  TIMEOUT,
)

own(
  'no page of another origin can frame a preview',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: HOSTILE, publish: false })
    const url = await previewOf(by, page)
    const attacker = await by.publish({ html: `<iframe src="${url}"></iframe>` })
    const tab = await (await browser().newContext()).newPage()
    const texts = async () => {
      const all = await Promise.all(tab.frames().map((frame) => frame.content().catch(() => '')))
      return all.some((text) => text.includes('the draft'))
    }
    const responses: number[] = []
    tab.on('response', (answer) => {
      if (answer.url() === url) responses.push(answer.status())
    })
    await tab.goto(attacker.url)
    await becomes(() => responses, [200])
    await Bun.sleep(500)
    expect(await texts()).toBe(false)
  },
  TIMEOUT,
)

own(
  'in the address bar an owner sees the draft, and what is tried there is neither counted nor stored',
  async () => {
    const by = await newOwner()
    // Alone in its window, a document may lead that elsewhere.
    const alone = HOSTILE.replace(/^ {2}(parent|top): .*\n/gm, '')
    const live = { files: [{ path: 'index.html', html: '<p>live' }] }
    const page = await by.publish({ ...live, allow_comments: true })
    const draft = [
      {
        path: 'index.html',
        html: `${alone}<link rel=stylesheet href=a.css><a href=two.html>two`,
      },
      { path: 'two.html', html: '<p id="second">the second draft' },
    ]
    const assets = [{ path: 'a.css', data_base64: base64('p { color: rgb(1, 2, 3) }') }]
    await by.update(page.id, { files: draft, assets })
    const tab = await appOf(by)
    const dialogs: string[] = []
    tab.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    const url = await previewOf(by, page)
    const answer = await tab.goto(url)
    expect([answer!.status(), tab.url()]).toEqual([200, url])
    const text = tab.locator('#text')
    expect(await text.textContent()).toBe('the draft')
    expect(await text.evaluate((each) => getComputedStyle(each).color)).toBe('rgb(1, 2, 3)')
    await becomes(() => tab.evaluate('found.api'), 'blocked')
    expect(await tab.evaluate('found')).toMatchObject({ origin: 'null', stored: 'yes' })
    const refusal = ['preview', 'This is a preview: nothing is sent, and nothing stored.']
    await becomes(() => tab.evaluate('window.refused'), refusal)
    await tab.locator('input').fill('words')
    await tab.getByRole('button', { name: 'Send' }).click()
    await tab.getByText('This is a preview: nothing is sent').waitFor()
    await tab.getByRole('link', { name: 'two' }).click()
    await tab.getByText('the second draft').waitFor()
    expect(tab.url()).toBe(url.replace('index.html', 'two.html'))
    await tab.reload()
    await tab.getByText('the second draft').waitFor()
    expect(dialogs).toEqual([])
    const report = await by.call('GET', `/pages/${page.id}/responses`)
    expect(dataOf<{ total: number }>(report).total).toBe(0)
    const counted = await by.call('GET', `/pages/${page.id}/analytics`)
    expect(dataOf<{ views: number }>(counted)).toMatchObject({ views: 0, files: [], refusals: [] })
    expect((await by.page(page.id)).views).toBe(0)

    const stranger = await (await browser().newContext()).newPage()
    expect((await stranger.goto(url))!.status()).toBe(403)
    await stranger.getByRole('heading', { name: 'This is a preview' }).waitFor()
    expect(await stranger.content()).not.toContain('the draft')
  },
  TIMEOUT,
)

own(
  'in the address bar an owner sees a PDF in the viewer',
  async () => {
    const by = await newOwner()
    const file = { file_base64: base64(pdf('Hello')), filename: 'a.pdf' }
    const page = await by.publish({ ...file, publish: false })
    const tab = await appOf(by)
    await tab.goto(await previewOf(by, page))
    await tab.locator('.page canvas').first().waitFor()
    expect(await tab.getByRole('button', { name: 'Download' }).count()).toBe(0)
  },
  TIMEOUT,
)
