/** Presses that were not meant for our window do nothing, wherever one of ours has an effect. */
import { expect } from 'bun:test'
import type { Locator, Page as Tab } from 'playwright-core'
import type { Browser as HeadedBrowser, Page as HeadedTab } from 'puppeteer-core'
import puppeteer from 'puppeteer-core'
import { openDashboard } from './app/dashboard.ts'
import { becomes, newWindow, pressable } from './browser.ts'
import { sharedOutbox } from './gates/mail.ts'
import { person } from './gates/person.ts'
import { newOwner, own, owner, publishGated } from './gates/setup.ts'
import { countsIn, pollOf, publishPoll } from './polls/voter.ts'
import { server } from './server.ts'
import { duringTests, testBrowser } from './test-browser.ts'
import { DEEP, startDisplay } from './webkit.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

interface Surface {
  tab: Tab
  /** What is pressed. */
  button: Locator
  /** Whether the press has had its effect. */
  isDone(): Promise<boolean>
}

const SURFACES: Record<string, () => Promise<Surface>> = {
  async 'the link of a mail'() {
    const { email } = await owner()
    const before = sharedOutbox().sentTo(email).length
    const who = person()
    await who.submit(await who.open('/app/sign-in'), { email })
    const { links } = await sharedOutbox().last(email, before + 1)
    const { tab } = await newWindow(browser())
    await tab.goto(links[0]!)
    const button = tab.getByRole('button', { name: 'Sign in' })
    return { tab, button, isDone: async () => tab.url() === `${server.url}/app` }
  },
  async 'a gate'() {
    const settings = { access: 'password', password: 'abcd efgh' }
    const { path, content } = await publishGated(await owner(), settings)
    const { tab } = await newWindow(browser())
    await tab.goto(server.url + path)
    await tab.getByLabel('Password').fill('abcd efgh')
    const button = tab.getByRole('button', { name: 'Open the page' })
    return { tab, button, isDone: () => tab.getByText(content).isVisible() }
  },
  async 'the panel of a page'() {
    const { url } = await publishPoll()
    const { tab } = await newWindow(browser())
    await tab.goto(url)
    const button = tab.getByRole('button', { name: /^Poll/ })
    return { tab, button, isDone: () => tab.getByRole('button', { name: 'Vote' }).isVisible() }
  },
  async 'the app'() {
    const { tab, open } = await openDashboard(browser())
    await open('/app')
    const button = tab.getByRole('button', { name: 'New page' }).first()
    return { tab, button, isDone: async () => tab.url() === `${server.url}/app/new` }
  },
}

/** Presses there, whether or not something takes it. */
async function pressAt(tab: Tab, button: Locator): Promise<void> {
  const { x, y, width, height } = (await button.boundingBox())!
  await tab.mouse.click(x + width / 2, y + height / 2)
}

for (const [name, open] of Object.entries(SURFACES)) {
  own(
    `a press on ${name} does nothing when its window has just come to the front`,
    async () => {
      const { tab, button, isDone } = await open()
      await button.waitFor()
      await pressable(tab)
      await tab.evaluate(() => dispatchEvent(new Event('focus')))
      await pressAt(tab, button)
      await pressable(tab)
      expect(await isDone()).toBe(false)
      await pressAt(tab, button)
      await becomes(isDone, true)
      await tab.context().close()
    },
    TIMEOUT,
  )
}

own(
  'each of these documents begins to ignore presses before it has anything to press',
  async () => {
    for (const [name, open] of Object.entries(SURFACES)) {
      const { tab } = await open()
      const first = await tab.evaluate(
        () => document.body.querySelector('script, button, a')?.textContent,
      )
      expect(first, name).toContain('guardPointers')
      await tab.context().close()
    }
  },
  TIMEOUT,
)

own(
  'who only uses the keyboard waits for nothing',
  async () => {
    const settings = { access: 'password', password: 'abcd efgh' }
    const { path, content } = await publishGated(await owner(), settings)
    const { tab } = await newWindow(browser())
    await tab.goto(server.url + path)
    await tab.evaluate(() => dispatchEvent(new Event('focus')))
    await tab.keyboard.type('abcd efgh')
    await tab.keyboard.press('Enter')
    await tab.getByText(content).waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)

/** Its script takes the whole screen, and leaves it with the next press. */
const COVER = `<!doctype html><title>Game</title>
<style>button { position: fixed; inset: 0; width: 100% }</style><button>Play</button><script>
const play = document.querySelector('button')
play.onclick = () => document.fullscreenElement ?? document.documentElement.requestFullscreen()
play.onpointerdown = () => document.fullscreenElement && document.exitFullscreen()
</script>`

own(
  'a page that leaves the whole screen between two clicks gets no vote by the second',
  async () => {
    const by = await newOwner()
    const page = await publishPoll({ html: COVER }, by)
    const { tab } = await newWindow(browser())
    const isCovered = (value: boolean) =>
      becomes(() => tab.evaluate(() => document.fullscreenElement !== null), value)
    await tab.goto(page.url)
    await tab.getByRole('button', { name: /^Poll/ }).waitFor()
    await pressable(tab)
    await tab.getByRole('button', { name: /^Poll/ }).click()
    await tab.getByRole('radio', { name: 'A' }).check()
    const button = tab.getByRole('button', { name: 'Vote' })
    await tab.mouse.click(200, 400)
    await isCovered(true)
    await pressAt(tab, button)
    await isCovered(false)
    await pressAt(tab, button)
    await pressable(tab)
    expect(countsIn(await pollOf(page, by))).toBe('A 0, B 0, C 0')
    await pressAt(tab, button)
    await becomes(async () => countsIn(await pollOf(page, by)), 'A 1, B 0, C 0')
    await tab.context().close()
  },
  TIMEOUT,
)

/** Only a browser with a screen says which of its windows is in front. */
const headed = duringTests(
  async () => {
    const { name: DISPLAY, process: display } = await startDisplay()
    const opened = await puppeteer.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      env: { ...process.env, DISPLAY },
      headless: false,
      defaultViewport: { width: 1000, height: 700 },
    })
    return { display, opened }
  },
  async ({ display, opened }: { display: Bun.Subprocess; opened: HeadedBrowser }) => {
    await opened.close()
    display.kill()
    await display.exited
  },
)

/** The page of a poll, whose script opens a window over the panel. That closes itself when it likes. */
const LURE = `<!doctype html><title>Game</title><style>button{width:200px;height:200px}</style>
<button onclick="open('about:blank', '', 'width=900,height=600')">Double click</button>`

async function pressDeep(tab: HeadedTab, name: string): Promise<void> {
  const { x, y } = (await tab.evaluate(
    `(() => { ${DEEP}
      const named = [...all(document)].find((one) => one.matches('button, input') && isShown(one) &&
        nameOf(one).startsWith(${JSON.stringify(name)}))
      const { x, y, width, height } = named.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })()`,
  )) as { x: number; y: number }
  await tab.mouse.click(x, y)
}

own(
  'a page that closes its window over the panel between two clicks gets no vote by the second',
  async () => {
    const by = await newOwner()
    const page = await publishPoll({ html: LURE }, by)
    const tab = await headed().opened.newPage()
    await tab.goto(page.url)
    const hasFocus = (value: boolean) =>
      becomes(() => tab.evaluate(() => document.hasFocus()), value)
    const isPressable = () =>
      tab.waitForFunction(() => !document.documentElement.style.getPropertyValue('--press'))
    const votes = async () => countsIn(await pollOf(page, by))
    await tab.bringToFront()
    await hasFocus(true)
    await isPressable()
    for (const name of ['Poll', 'A']) {
      await tab.waitForFunction(
        `(() => { ${DEEP}; return shownText().includes(${JSON.stringify(name)}) })()`,
      )
      await pressDeep(tab, name)
    }

    await tab.mouse.click(100, 100)
    await hasFocus(false)
    await Bun.sleep(400)
    await (await headed().opened.pages()).at(-1)!.close()
    await hasFocus(true)
    await pressDeep(tab, 'Vote')
    await isPressable()
    expect(await votes()).toBe('A 0, B 0, C 0')

    await tab.mouse.click(400, 400)
    await becomes(() => tab.evaluate(() => document.activeElement?.localName), 'iframe')
    await pressDeep(tab, 'Vote')
    await becomes(votes, 'A 1, B 0, C 0')
  },
  TIMEOUT,
)
