/**
 * Runs Debian's WebKitGTK for the tests that every browser must pass. Its driver speaks WebDriver
 * (W3C), of which the tests need a dozen commands, so they are called directly.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { guard } from './guardian.ts'

const LIBRARIES = '/usr/lib/x86_64-linux-gnu'
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const WAIT_MS = 60_000

/** Without a graphics card, session bus and accessibility bus, which a test machine lacks. */
const ENVIRONMENT = {
  LIBGL_ALWAYS_SOFTWARE: '1',
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  NO_AT_BRIDGE: '1',
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
}

const BUTTON = [
  { type: 'pointerDown', button: 0 },
  { type: 'pointerUp', button: 0 },
]
/** Keys as WebDriver names them. */
export const KEYS = { enter: '\uE007', control: '\uE009' }

type Element = Record<typeof ELEMENT, string>

/** A window of a browser with a profile of its own. */
export interface WebKitWindow {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  url(): Promise<string>
  title(): Promise<string>
  /** Runs a function body in the page, or in the frame that was entered. */
  evaluate(body: string, ...parameters: unknown[]): Promise<unknown>
  /** Clicks the first element of the selector, once there is one. */
  click(selector: string): Promise<void>
  type(selector: string, text: string): Promise<void>
  /** Clicks the element that a function body returns, or types into it. @returns whether there is one */
  press(body: string, text?: string): Promise<boolean>
  /** Presses a point of the window. */
  pressAt(x: number, y: number): Promise<void>
  /** Presses keys one after the other, while another one may be down. */
  keys(keys: string, held?: string): Promise<void>
  /** Clicks a button in any shadow tree by the start of its accessible name. */
  clickButton(name: string): Promise<void>
  /** Types into a field in any shadow tree by its accessible name. */
  fillField(name: string, text: string): Promise<void>
  /** Waits until the text of the window, or of the frame that was entered, contains a text. */
  shows(text: string): Promise<void>
  /** Enters the frame of the shell. */
  enterFrame(): Promise<void>
  leaveFrame(): Promise<void>
  /** Makes it as large as the screen. */
  maximize(): Promise<void>
  close(): Promise<void>
}

export interface WebKit {
  open(): Promise<WebKitWindow>
  close(): Promise<void>
}

export async function launchWebKit(): Promise<WebKit> {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-webkit-'))
  const display = await startDisplay()
  const guardian = guard([display.process.pid], folder)
  return {
    open: () => openWindow(display.name, mkdtempSync(join(folder, 'home-'))),
    async close() {
      guardian.kill()
      display.process.kill()
      await display.process.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each window has a driver of its own: one that crashes fails the test of its window alone. */
async function openWindow(display: string, home: string): Promise<WebKitWindow> {
  const port = freePort()
  const driver = spawn(['WebKitWebDriver', '--host=127.0.0.1', `--port=${port}`], {
    ...ENVIRONMENT,
    DISPLAY: display,
    HOME: home,
    // A list of the media plugins for all windows: each would make one anew.
    GST_REGISTRY: join(home, '../media-plugins'),
  })
  const guardian = guard([driver.pid], home)
  const call = callerOf(`http://127.0.0.1:${port}`)
  async function end() {
    guardian.kill()
    driver.kill()
    await driver.exited
    rmSync(home, { recursive: true, force: true })
  }

  try {
    await until(() => call('GET', '/status').then(Boolean, () => false), 'the driver is ready')
    const options = { binary: miniBrowser(), args: ['--automation'] }
    const alwaysMatch = { 'webkitgtk:browserOptions': options }
    const session = await call('POST', '/session', { capabilities: { alwaysMatch } })
    return windowOf(call, `/session/${(session as { sessionId: string }).sessionId}`, end)
  } catch (err) {
    await end()
    throw err
  }
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

function windowOf(call: Call, session: string, end: () => Promise<void>): WebKitWindow {
  async function find(selector: string): Promise<string> {
    let id = ''
    await until(async () => {
      const using = { using: 'css selector', value: selector }
      const result = (await call('POST', `${session}/element`, using).catch(() => null)) as Element
      id = result?.[ELEMENT] ?? ''
      return id !== ''
    }, selector)
    return id
  }
  const evaluate = (body: string, ...args: unknown[]) =>
    call('POST', `${session}/execute/sync`, { script: body, args })

  return {
    goto: async (url) => void (await call('POST', `${session}/url`, { url })),
    reload: async () => void (await call('POST', `${session}/refresh`, {})),
    url: async () => String(await call('GET', `${session}/url`)),
    title: async () => String(await call('GET', `${session}/title`)),
    evaluate,
    async click(selector) {
      const isPressable = `return !document.documentElement.style.getPropertyValue('--press')`
      await until(() => evaluate(isPressable), `${selector} can be pressed`)
      await call('POST', `${session}/element/${await find(selector)}/click`, {})
    },
    async type(selector, text) {
      await call('POST', `${session}/element/${await find(selector)}/value`, { text })
    },
    async press(body, text) {
      const element = (await evaluate(body)) as Element | null
      const path = `${session}/element/${element?.[ELEMENT]}`
      if (element !== null && text === undefined) await call('POST', `${path}/click`, {})
      if (element !== null && text !== undefined) await call('POST', `${path}/value`, { text })
      return element !== null
    },
    async pressAt(x, y) {
      const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }
      const actions = [move, ...BUTTON]
      const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }
      await call('POST', `${session}/actions`, { actions: [mouse] })
    },
    async keys(keys, held) {
      const around = (type: string) => (held === undefined ? [] : [{ type, value: held }])
      const pressed = [...keys].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      const actions = [...around('keyDown'), ...pressed, ...around('keyUp')]
      await call('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] })
    },
    clickButton: (name) =>
      until(() => evaluate(`${DEEP}; return click(arguments[0])`, name), `button ${name}`),
    fillField: (name, text) =>
      until(() => evaluate(`${DEEP}; return fill(...arguments)`, name, text), `field ${name}`),
    shows: (text) =>
      until(() => evaluate(`${DEEP}; return shownText().includes(arguments[0])`, text), text),
    async enterFrame() {
      const id = { [ELEMENT]: await find('iframe') }
      await call('POST', `${session}/frame`, { id })
    },
    leaveFrame: async () => void (await call('POST', `${session}/frame`, { id: null })),
    maximize: async () => {
      await call('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 })
    },
    close: () => call('DELETE', session).then(end, end),
  }
}

/**
 * Functions that look through open shadow trees, in which the panel of conversations is: `click`
 * and `fill` by accessible name, and `shownText`.
 */
export const DEEP = `
function* all(root) {
  for (const element of root.querySelectorAll('*')) {
    yield element
    if (element.shadowRoot) yield* all(element.shadowRoot)
  }
}
function nameOf(element) {
  const label = element.labels?.[0]?.textContent
  return (element.getAttribute('aria-label') ?? label ?? element.textContent).trim()
}
function isShown(element) {
  return element.checkVisibility()
}
function click(name) {
  for (const element of all(document)) {
    if (!element.matches('button, [role=tab], input[type=radio]') || !isShown(element)) continue
    if (element.disabled || element.ariaDisabled === 'true' || !nameOf(element).startsWith(name)) continue
    element.click()
    return true
  }
  return false
}
function fill(name, text) {
  for (const element of all(document)) {
    if (!element.matches('input, textarea') || !isShown(element)) continue
    if (!nameOf(element).startsWith(name)) continue
    element.focus()
    element.value = text
    element.dispatchEvent(new Event('input', { bubbles: true }))
    element.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  }
  return false
}
function shownText() {
  const roots = [...all(document)].map((element) => element.shadowRoot).filter(Boolean)
  const shown = roots.flatMap((root) => [...root.children].filter((child) => !child.matches('style')))
  return [document.body, ...shown].map((each) => each.innerText).join('\\n')
}`

function callerOf(base: string): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}

async function until(isSo: () => unknown, what: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while ((await isSo()) !== true) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for: ${what}`)
    await Bun.sleep(40)
  }
}

/** The newest MiniBrowser that is installed, with the library that the driver belongs to. */
function miniBrowser(): string {
  const versions = readdirSync(LIBRARIES).filter((name) => /^webkit2gtk-4/.test(name))
  return join(LIBRARIES, versions.sort().at(-1)!, 'MiniBrowser')
}

/** A screen in memory. The server picks a free number and writes it to its output. */
export async function startDisplay() {
  const process = Bun.spawn(
    ['Xvfb', '-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdout: 'pipe', stderr: 'ignore' },
  )
  const { value } = await process.stdout.getReader().read()
  return { name: `:${new TextDecoder().decode(value).trim()}`, process }
}

function spawn(command: string[], env: Record<string, string>): Bun.Subprocess {
  return Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  })
}
