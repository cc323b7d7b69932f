/** The part of a browser's API that the isolation tests use, the same for Chromium and Firefox. */
import type { Download, Page, Request } from 'playwright-core'
import { newWindow, pressable } from './browser.ts'
import { testBrowser } from './test-browser.ts'

interface Element {
  click(): Promise<void>
  type(text: string): Promise<void>
}

export interface View {
  url(): string
  title(): Promise<string>
  content(): Promise<string>
  $(selector: string): Promise<unknown>
  evaluate(expression: string): Promise<unknown>
  evaluateHandle(expression: string): Promise<{ asElement(): Element | null }>
  locator(selector: string): { click(): Promise<void>; fill(text: string): Promise<void> }
}
export interface Frame extends View {
  parentFrame(): Frame | null
}
export interface Tab extends View {
  goto(url: string): Promise<{ status(): number } | null>
  reload(): Promise<unknown>
  bringToFront(): Promise<void>
  keyboard: {
    press(key: string): Promise<void>
    down(key: string): Promise<void>
    up(key: string): Promise<void>
    type(text: string): Promise<void>
  }
  mouse: { click(x: number, y: number): Promise<void> }
  pdf(size: { width: string; height: string }): Promise<Uint8Array>
  mainFrame(): Frame
  frames(): Frame[]
}

export interface Sent {
  method: string
  url: string
  headers: Record<string, string>
}

/** A visitor with a new browser profile. */
export interface Visitor {
  tab: Tab
  /** Errors that the pages of the first tab reported. */
  problems: string[]
  /** Every request of every tab so far. */
  sent(): Promise<Sent[]>
  /** Of the first tab. */
  resize(size: { width: number; height: number }): Promise<void>
  newTab(): Promise<Tab>
  tabs(): Promise<Tab[]>
  /** Sets an HttpOnly, SameSite=Lax cookie. */
  setCookie(url: string, name: string, value: string): Promise<void>
  /** The files that this browser has saved so far, as text, by their names. */
  saved(): Promise<Record<string, string>>
  leave(): Promise<void>
}

export interface Visited {
  newVisitor(): Promise<Visitor>
}

/** Tests by name. `meet` gives a new visitor. */
export type Promised = Record<string, (meet: () => Promise<Visitor>) => Promise<void>>

export const textOf = (view: View, selector: string) =>
  view.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`)

/** Opens a page behind a password. The gate's 403 does not count as a problem of the page. */
export async function unlock(
  { tab, problems }: Pick<Visitor, 'tab' | 'problems'>,
  url: string,
  password: string,
): Promise<void> {
  await tab.goto(url)
  await tab.locator('input[name=password]').fill(password)
  problems.length = 0
  await pressable(tab)
  await tab.locator('button').click()
}

/** Chromium of a file of tests, with windows for visitors. */
export function testChromium(options?: { withWindows: boolean }): () => Visited {
  const browser = testBrowser(options)
  async function newVisitor(): Promise<Visitor> {
    const { tab, problems } = await newWindow(browser())
    const context = tab.context()
    const requests: Request[] = []
    const downloads: Download[] = []
    const listen = (page: Page) => page.on('download', (download) => downloads.push(download))
    context.pages().forEach(listen)
    context.on('page', listen)
    context.on('request', (request) => requests.push(request))
    const sentOf = async (request: Request) => ({
      method: request.method(),
      url: request.url(),
      headers: await request.allHeaders().catch(() => ({})),
    })
    return {
      tab,
      problems,
      sent: () => Promise.all(requests.map(sentOf)),
      resize: (size) => tab.setViewportSize(size),
      newTab: () => context.newPage(),
      tabs: async () => context.pages(),
      setCookie: (url: string, name: string, value: string) =>
        context.addCookies([{ url, name, value, httpOnly: true, sameSite: 'Lax' }]),
      async saved() {
        const read = async (download: Download): Promise<[string, string]> => [
          download.suggestedFilename(),
          await Bun.file(await download.path()).text(),
        ]
        return Object.fromEntries(await Promise.all(downloads.map(read)))
      },
      leave: () => context.close(),
    }
  }
  return () => ({ newVisitor })
}
