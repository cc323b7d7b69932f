/** Somebody who reads no HTML changes a page: the same walk in Chromium, Firefox and WebKit. */
import { expect } from 'bun:test'
import { becomes } from '../browser.ts'
import { newOwner } from '../gates/setup.ts'
import type { Tab } from '../isolation-visitor.ts'
import { base64, png } from '../material.ts'
import { command } from '../server.ts'
import { freshEnvironment, start } from '../start.ts'
import { DEEP } from '../webkit.ts'

/** What a person does in a browser. */
export interface Hand {
  goto(url: string): Promise<unknown>
  /** Runs an expression in the dashboard. */
  evaluate(expression: string): Promise<unknown>
  /** Runs one in the preview of the draft. */
  inPreview(expression: string): Promise<unknown>
  /** Presses a point of the window. */
  press(x: number, y: number): Promise<unknown>
  /** Types in place of all that the field has. */
  overwrite(text: string): Promise<unknown>
  enter(): Promise<unknown>
}

const OLD = `data:image/png;base64,${base64(png())}`
const PAGE = `<!doctype html>\r
<html lang="en"><head><meta charset="utf-8"><title>Plan</title></head><body>\r
<h1>Plan &amp; prices</h1>\r
<p>We open on <b>May 9</b>,\r
   at ten &mdash; come early.</p>\r
<img src="${OLD}" alt="Front" width="60" height="60">\r
</body></html>\r
`

const FRAME_BOX = `document.querySelector('iframe').getBoundingClientRect()`

/** @returns whether a function body says so, among the functions of DEEP */
const inside = (body: string) => `(() => { ${DEEP}; ${body} })()`

export async function walk(hand: Hand): Promise<void> {
  const env = freshEnvironment()
  await start(env)
  const owner = await newOwner(env)
  const page = await owner.publish({ html: PAGE })
  const { stdout } = await command(env, 'account', 'sign-in', owner.email)
  const click = (name: string) =>
    becomes(() => hand.evaluate(inside(`return click(${JSON.stringify(name)})`)), true)
  const shows = (expression: string) => becomes(() => hand.inPreview(expression), true)
  const source = async () => (await owner.draft(page.id)) as string

  /** Presses the middle of a box, which an expression of the preview gives; not while it loads. */
  async function press(box: string): Promise<void> {
    const toText = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2].join()
    const at = await hand.inPreview(`(${toText})(${box})`)
    const frame = await hand.evaluate(
      `(${toText})({ ...${FRAME_BOX}.toJSON(), width: 2, height: 2 })`,
    )
    const [x = 0, y = 0] = String(at).split(',').map(Number)
    const [left = 0, top = 0] = String(frame).split(',').map(Number)
    if (Number.isFinite(left + x + top + y)) await hand.press(left + x, top + y)
  }
  /** @param whileOpen runs before the field is closed */
  async function type(selector: string, text: string, whileOpen?: () => Promise<void>) {
    const box = `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('${selector}')); return range.getBoundingClientRect() })()`
    const isOpen = `document.activeElement?.getAttribute('aria-label') === 'Text of the page'`
    await becomes(async () => {
      await press(box)
      await Bun.sleep(300)
      return hand.inPreview(isOpen)
    }, true)
    await hand.overwrite(text)
    await whileOpen?.()
    expect(await hand.inPreview(isOpen)).toBe(true)
    await hand.enter()
    await becomes(() => hand.inPreview(isOpen), false)
  }

  await hand.goto(stdout.trim())
  await click('Sign in')
  const isIn = `location.pathname === '/app' && !('earlyActions' in window)`
  // The tab is on its way there.
  await becomes(() => hand.evaluate(isIn).catch(() => false), true)
  await hand.goto(`${env.BASE_URL}/app/pages/${page.id}/edit`)
  await shows(`document.querySelector('img')?.naturalWidth === 1`)
  await type('h1', 'Plan & <costs>', () =>
    becomes(async () => (await source()).includes('&lt;costs>'), true),
  )
  await type('b', 'May 16')

  await becomes(async () => {
    // The preview may be loading again, after the text before.
    await press(`document.querySelector('img').getBoundingClientRect()`)
    await Bun.sleep(300)
    return hand.evaluate(`document.querySelector('dialog h2')?.textContent`)
  }, 'Image')
  const bytes = base64(png())
  await hand.evaluate(`(() => {
    const field = document.querySelector('dialog input[type=file]')
    const bytes = Uint8Array.from(atob('${bytes}'), (char) => char.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'new.png'))
    field.files = data.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
  await becomes(() => hand.evaluate(`document.querySelector('dialog img')?.alt`), 'As it will be')
  await becomes(() => hand.evaluate(inside(`return fill('Description', 'The new front')`)), true)
  await click('Replace image')
  await shows(`document.querySelector('img')?.alt === 'The new front'`)

  const texts = PAGE.replace('Plan &amp; prices', 'Plan &amp; &lt;costs>').replace(
    'May 9',
    'May 16',
  )
  const changed = texts
    .replace(OLD, `data:image/png;base64,${bytes}`)
    .replace('alt="Front"', 'alt="The new front"')
  await click('Take back')
  await shows(`document.querySelector('img')?.alt === 'Front'`)
  await click('Save draft')
  await becomes(source, texts)
  await click('Redo')
  await shows(`document.querySelector('img')?.alt === 'The new front'`)
  await becomes(() => hand.evaluate(inside(`return click('Publish')`)), true)
  const visitor = async () => (await fetch(page.url)).text()
  await becomes(async () => (await visitor()).includes('The new front'), true)
  expect(await source()).toBe(changed)
  expect(await owner.versions(page.id)).not.toHaveLength(1)
}

/** The hand of a tab that Playwright or Puppeteer drives. */
export function handOf(tab: Tab): Hand {
  return {
    goto: (url) => tab.goto(url),
    evaluate: (expression) => tab.evaluate(expression),
    async inPreview(expression) {
      const frame = tab.frames().find((one) => one.url().endsWith('/app/draft-frame'))
      // While it is drawn anew, there is none.
      return frame?.evaluate(expression).catch(() => undefined)
    },
    press: (x, y) => tab.mouse.click(x, y),
    async overwrite(text) {
      await tab.keyboard.down('Control')
      await tab.keyboard.press('a')
      await tab.keyboard.up('Control')
      await tab.keyboard.type(text)
    },
    enter: () => tab.keyboard.press('Enter'),
  }
}
