/** Editing in the preview: text and images are changed where they are shown. */
import { expect, test } from 'bun:test'
import type { FrameLocator, Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { testBrowser } from '../test-browser.ts'
import { deck, openEditor } from './editor.ts'

const TIMEOUT = 60_000

const browser = testBrowser()

const PAGE = `<!doctype html>\r
<html lang="en"><head><meta charset="utf-8"><title>Plan</title></head><body>\r
<h1>Plan &amp; prices</h1>\r
<p>We open on <b>May 9</b>,\r
   at ten &mdash; <a href="#x">come</a> early.</p>\r
<pre>  one\r
    two</pre>\r
<p id="made"></p><svg width="200" height="40"><text y="20">In a drawing</text></svg>\r
<script>document.getElementById('made').textContent = 'Made by script'</script>\r
</body></html>\r
`

const previewOf = (tab: Tab) => tab.frameLocator('iframe[title="Preview of the draft"]')

/** Presses words, wherever in an element they are. */
async function press(tab: Tab, words: string): Promise<void> {
  const frame = tab.locator('iframe[title="Preview of the draft"]')
  const body = frame.contentFrame().locator('body')
  await frame.contentFrame().getByText(words).first().waitFor()
  const at = await body.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (!walker.currentNode.nodeValue?.includes(wanted) && walker.nextNode());
    const range = document.createRange()
    const from = walker.currentNode.nodeValue!.indexOf(wanted)
    range.setStart(walker.currentNode, from)
    range.setEnd(walker.currentNode, from + wanted.length)
    const { x, y, width, height } = range.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  }, words)
  const box = (await frame.boundingBox())!
  await tab.mouse.click(box.x + 1 + at.x, box.y + 1 + at.y)
}

const fieldOf = (preview: FrameLocator) =>
  preview.getByRole('textbox', { name: 'Text of the page' })

/** Presses a text until it is a field: a press is lost while the preview is drawn anew. */
async function edit(tab: Tab, words: string): Promise<void> {
  const field = fieldOf(previewOf(tab))
  for (let tries = 1; ; tries++) {
    await press(tab, words)
    const isThere = await field.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
    if (tries === 4) throw new Error(`pressing ${words} opens no field`)
  }
}

/** Presses a text and types in its place. */
async function type(tab: Tab, words: string, typed: string, key = 'Enter'): Promise<void> {
  await edit(tab, words)

  await tab.keyboard.press('Control+a')
  await tab.keyboard.type(typed)
  await tab.keyboard.press(key)
  await fieldOf(previewOf(tab)).waitFor({ state: 'detached' })
}

test(
  'text is changed where it is shown, and nothing else of the file changes by a byte',
  async () => {
    const { owner, tab, page, button, says, problems } = await openEditor(browser(), { html: PAGE })
    const preview = previewOf(tab)
    await type(tab, 'Plan & prices', 'Plan & costs')
    await type(tab, 'at ten', ', at noon —')
    await type(tab, 'May 9', 'May 16 <or> 17')
    await type(tab, 'come', 'dropped', 'Escape')
    await preview.getByText('come').waitFor()
    await type(tab, 'In a drawing', 'In a picture')
    await edit(tab, 'one')
    await tab.keyboard.press('Control+End')
    await tab.keyboard.press('Shift+Enter')
    await tab.keyboard.type('    three')
    await press(tab, 'May 16 <or> 17')
    await button('Save draft').click()
    await says('Saved, not published yet')
    const expected = PAGE.replace('prices', 'costs')
      .replace('ten &mdash;', 'noon &mdash;')
      .replace('May 9', 'May 16 &lt;or> 17')
      .replace('a drawing', 'a picture')
      .replace('two</pre>', 'two\r\n    three</pre>')
    expect(await owner.draft(page.id)).toBe(expected)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'one history for both views: what was typed in the preview is undone there and in the source',
  async () => {
    const { tab, field, says, problems } = await openEditor(browser(), { html: PAGE })
    const preview = previewOf(tab)
    await type(tab, 'Plan & prices', 'Plan & costs')
    await type(tab, 'early.', 'late.')
    await field.getByText('late.').waitFor()
    await tab.keyboard.press('Control+z')
    await preview.getByText('early.').waitFor()
    await field.getByText('early.').waitFor()
    await preview.getByText('Plan & costs').waitFor()
    await field.click()
    await tab.keyboard.press('Control+z')
    await says('Saved and published')
    await preview.getByText('Plan & prices').waitFor()
    await tab.keyboard.press('Control+y')
    await preview.getByText('Plan & costs').waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what a script has made is said to be so, and found in the source',
  async () => {
    const { tab, field, button, says } = await openEditor(browser(), { html: PAGE })
    const preview = previewOf(tab)
    await press(tab, 'Made by script')
    await says('This text is made by a script: edit it in the source.')
    expect(await fieldOf(preview).count()).toBe(0)
    await button('Find it in the source').click()
    const selected = () => tab.evaluate(() => String(document.getSelection()))
    await becomes(selected, 'Made by script')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    // A copy that a script has made has the number of what it was copied from.
    const source = `<p>Copied</p><script>document.body.append(document.querySelector('p').cloneNode(true))</script>`
    await field.fill(source)
    await becomes(() => preview.getByText('Copied').count(), 2)
    await button('Hide this').click()
    await press(tab, 'Copied')
    await says('This text is made by a script: edit it in the source.')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'of a deck, the file that is shown is the one that is edited',
  async () => {
    const { owner, tab, page, button, says, problems } = await openEditor(browser(), deck())
    const files = tab.getByRole('navigation', { name: 'Files of the deck' })
    await files.getByRole('button', { name: 'team.html', exact: true }).click()
    await type(tab, 'The team meets', 'All of us meet on May 9')
    // The preview of a stylesheet is that of the entry.
    await files.getByRole('button', { name: 'style.css', exact: true }).click()
    await type(tab, 'Opening on May 9', 'Opening on May 10')
    await tab.getByRole('textbox', { name: 'HTML of the draft' }).getByText('May 10').waitFor()
    await button('Save draft').click()
    await says('Saved, not published yet')
    const draft = await owner.html(page.id)
    const texts = draft.files.map(({ html }) => /May 10|All of us meet/.exec(html)?.[0])
    expect(texts).toEqual(['May 10', 'All of us meet'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
