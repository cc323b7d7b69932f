/** Editing in the preview: text and images are changed where they are shown. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Locator, Page as Tab } from 'playwright-core'
import { becomes, newWindow } from '../browser.ts'
import type { Html, Owner } from '../client.ts'
import { base64, html, png } from '../material.ts'
import { server } from '../server.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { deck, openEditor } from './editor.ts'
import { handOf, walk } from './visual-walk.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
afterAll(cleanUp)

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
  'what is typed is saved while its field is open, with the caret where it was',
  async () => {
    const { owner, tab, page, field, problems } = await openEditor(browser(), { html: PAGE })
    const saved = (words: string) =>
      becomes(() => owner.draft(page.id), PAGE.replace('&mdash;', `&mdash;${words}`))
    await edit(tab, 'at ten')
    await tab.keyboard.press('Control+End')
    await tab.keyboard.type('Soon')
    for (let count = 0; count < 4; count++) await tab.keyboard.press('Shift+ArrowLeft')
    await saved('Soon')
    // What was selected is typed over.
    await tab.keyboard.type('Later')
    await field.getByText('Later').waitFor()
    expect(await fieldOf(previewOf(tab)).innerText()).toBe(', at ten —Later')
    await saved('Later')
    const again = await tab.context().newPage()
    await tab.close()
    await again.goto(`${server.url}/app/pages/${page.id}/edit`)
    await previewOf(again).getByText('Later').waitFor()
    // The document of the preview goes before a pause.
    await edit(again, 'early.')
    await again.keyboard.type('very ')
    await previewOf(again)
      .locator('body')
      .evaluate(() => location.replace('about:blank'))
    await again.getByRole('textbox', { name: 'HTML of the draft' }).getByText('very').waitFor()
    // So does the editor itself.
    await again.reload()
    await edit(again, 'In a drawing')
    await again.keyboard.type('words ')
    await Bun.sleep(300)
    await again.goto('about:blank')
    await again.goBack()
    await previewOf(again)
      .getByText(/words /)
      .waitFor()
    expect(problems).toEqual([])
    await again.context().close()
  },
  TIMEOUT,
)

test(
  'what is typed just before Back, or before the tab is hidden, is in the draft',
  async () => {
    const { owner, tab, page, problems } = await openEditor(browser(), { html: PAGE })
    const tabs = tab.getByRole('navigation', { name: 'Page' })
    await tabs.getByRole('link', { name: 'Versions' }).click()
    await tabs.getByRole('link', { name: 'Edit' }).click()
    await edit(tab, 'early.')
    await tab.keyboard.type('very ')
    // Less than the pause after which the source says it.
    await Bun.sleep(300)
    await tab.evaluate(() => history.back())
    await tab.waitForURL(/\/versions$/)
    await becomes(async () => (await owner.draft(page.id)).includes('very '), true)
    await tab.goForward()
    await edit(tab, 'In a drawing')
    await tab.keyboard.type('words ')
    await Bun.sleep(300)
    const isStored = await tab.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'))
      dispatchEvent(new Event('pagehide'))
      return Object.values(localStorage).some((text) => /words /.test(text))
    })
    expect(isStored).toBe(true)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a field is one step, however often it was saved: Undo and Escape take all of it back',
  async () => {
    const { owner, tab, page, field, problems } = await openEditor(browser(), { html: PAGE })
    const preview = previewOf(tab)
    const paused = (words: string) => field.getByText(words).waitFor()
    await type(tab, 'Plan & prices', 'Plan & costs')
    await edit(tab, 'at ten')
    await tab.keyboard.press('Control+a')
    for (const words of [', at noon', ' or', ' one o’clock']) {
      await tab.keyboard.type(words)
      await paused(words.trim())
    }
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('Control+z')
    await preview.getByText('at ten — come').waitFor()
    await tab.keyboard.press('Control+y')
    await preview.getByText('at noon or one o’clock').waitFor()
    await edit(tab, 'early.')
    await tab.keyboard.press('Control+a')
    await tab.keyboard.type('very late.')
    await paused('very late.')
    await becomes(async () => (await owner.draft(page.id)).includes('very late.'), true)
    await tab.keyboard.press('Escape')
    const expected = PAGE.replace('prices', 'costs').replace('ten &mdash;', 'noon or one o’clock')
    await becomes(() => owner.draft(page.id), expected)
    await tab.keyboard.press('Control+z')
    await preview.getByText('at ten — come').waitFor()
    await tab.keyboard.press('Control+z')
    await preview.getByText('Plan & prices').waitFor()
    await becomes(() => owner.draft(page.id), PAGE)
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

const IMAGE = `data:image/png;base64,${base64(png())}`
const PICTURED = `<!doctype html>\r
<html lang="en"><head><title>Pictured</title><style>#hero { background: url(${IMAGE}); height: 60px }</style></head><body>\r
<h1>Our café</h1><p>Before <img src="${IMAGE}" alt="The café" width=80 height="60"> after.</p>\r
<picture><source srcset="${IMAGE} 2x">\r
<img alt='Second' src=${IMAGE} width=80></picture>\r
<div id="hero"></div><p id="made"></p>\r
<script>document.getElementById('made').innerHTML = '<img alt="Made" width="80" height="40" src="${IMAGE}">'</script>\r
</body></html>\r
`
const FOLDER = mkdtempSync(join(tmpdir(), 'handbill-visual-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(FOLDER, name)
  writeFileSync(path, bytes)
  return path
}

async function middleOf(target: Locator) {
  const { x, y, width, height } = (await target.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Drops a file as the system does: the page takes it for one that a person has dropped. */
async function dropOn(tab: Tab, target: Locator, path: string): Promise<void> {
  const cdp = await tab.context().newCDPSession(tab)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const at = await middleOf(target)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await cdp.detach()
}

test(
  'an image is replaced by a drop or a press, and nothing else of the file changes by a byte',
  async () => {
    const at = await openEditor(browser(), { html: PICTURED })
    const { owner, tab, page, field, button, says, problems } = at
    const preview = previewOf(tab)
    const [first, second] = [png(), png()]
    const dialog = tab.getByRole('dialog')
    await preview.getByRole('img', { name: 'The café' }).waitFor()
    await dropOn(tab, preview.getByRole('img', { name: 'The café' }), fileOf('a.png', first))
    await dialog.getByRole('img', { name: 'As it will be' }).waitFor()
    await dialog.getByLabel('Description').fill('The "new" café & garden')
    await button('Replace image').click()
    await dialog.waitFor({ state: 'detached' })
    await preview.getByRole('img', { name: 'The "new" café & garden' }).waitFor()
    await preview.getByRole('img', { name: 'Second' }).click()
    await dialog.getByRole('img', { name: 'As it is now' }).waitFor()
    await dialog.getByLabel('Choose another image').setInputFiles(fileOf('b.png', second))
    await dialog.getByText('takes the place of all').waitFor()
    await button('Replace image').click()
    await dialog.waitFor({ state: 'detached' })
    await button('Save draft').click()
    await says('Saved, not published yet')
    const change = (src: Uint8Array) => `src="data:image/png;base64,${base64(src)}"`
    const once = PICTURED.replace(`src="${IMAGE}" alt="The café"`, (result) =>
      result
        .replace(/src="[^"]*"/, change(first))
        .replace('The café', 'The &quot;new&quot; café &amp; garden'),
    ).replace('height="60"', 'height="80"')
    const twice = once
      .replace(`<source srcset="${IMAGE} 2x">`, '')
      .replace(`src=${IMAGE} width`, `${change(second)} width`)
    expect(await owner.draft(page.id)).toBe(twice)
    await field.click()
    await tab.keyboard.press('Control+z')
    await button('Save draft').click()
    await becomes(() => owner.draft(page.id), once)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is no image, and what is none of the source, says what to do',
  async () => {
    const at = await openEditor(browser(), { html: PICTURED }, { bypassCSP: true })
    const { tab, page, owner, button, says, expectAccessible } = at
    const preview = previewOf(tab)
    const dialog = tab.getByRole('dialog')
    const image = preview.getByRole('img', { name: 'The café' })
    await image.waitFor()
    await preview.getByRole('img', { name: 'Made' }).click()
    await says('This image is put here by a script: change it in the source.')
    await preview.locator('#hero').click()
    await says('This image is a background of a style sheet: change it in the source.')
    await dropOn(tab, preview.getByText('Our café'), fileOf('c.png', png()))
    await says('Drop an image on the image of the page that it is to replace.')
    await dropOn(tab, image, fileOf('d.png', '<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await dialog.getByText('d.png is no PNG, JPG, WebP or GIF image').waitFor()
    await dialog
      .getByLabel('Choose another image')
      .setInputFiles(fileOf('e.png', png().slice(0, 40)))
    await dialog.getByText('e.png cannot be shown').waitFor()
    await expectAccessible()
    await button('Cancel').click()
    // By the keyboard alone.
    await button('Images').press('Enter')
    await tab.getByRole('menuitem', { name: '2. Second' }).press('Enter')
    await dialog.getByLabel('Description').fill('Another one')
    await tab.keyboard.press('Enter')
    await preview.getByRole('img', { name: 'Another one' }).waitFor()
    await button('Save draft').click()
    await becomes(() => owner.draft(page.id), PICTURED.replace("alt='Second'", 'alt="Another one"'))
    await tab.context().close()
  },
  TIMEOUT,
)

/** A PNG that hardly gets smaller by packing: of noise. */
async function noise(tab: Tab, side: number): Promise<Buffer> {
  const url = await tab.evaluate((size) => {
    const canvas = document.createElement('canvas')
    canvas.width = size
    canvas.height = size / 2
    const context = canvas.getContext('2d')!
    const image = context.createImageData(size, size / 2)
    for (let at = 0; at < image.data.length; at += 1) {
      image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256
    }
    context.putImageData(image, 0, 0)
    return canvas.toDataURL()
  }, side)
  return Buffer.from(url.split(',')[1]!, 'base64')
}

test(
  'an image of a camera that is too large for the page is made smaller, and says so',
  async () => {
    const at = await openEditor(browser(), { html: PICTURED })
    const { owner, tab, page, button, says, problems } = at
    const dialog = tab.getByRole('dialog')
    const buffer = await noise(tab, 2400)
    expect(buffer.length).toBeGreaterThan(2 * 1024 * 1024)
    await previewOf(tab).getByRole('img', { name: 'The café' }).click()
    const choose = dialog.getByLabel('Choose another')
    await choose.setInputFiles({ name: 'camera.png', mimeType: 'image/png', buffer })
    await dialog.getByText('camera.png, made smaller: ').waitFor()
    await button('Replace image').click()
    await dialog.waitFor({ state: 'detached' })
    await button('Save draft').click()
    await says('Saved, not published yet')
    const [, type, data] = /src="data:(image\/\w+);base64,([^"]+)" alt="The café"/.exec(
      await owner.draft(page.id),
    )!
    expect(type).toBe('image/webp')
    expect(data!.length).toBeLessThan((2 * 1024 * 1024 * 4) / 3)
    const image = previewOf(tab).getByRole('img', { name: 'The café' })
    await becomes(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth), 2000)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

/** A deck whose pages show one logo. */
const pictured = () => ({
  files: [
    {
      path: 'index.html',
      html: html('One').replace('</body>', '<img src="img/logo.png" alt="Logo" width="40"></body>'),
    },
    {
      path: 'parts/two.html',
      html: html('Two').replace(
        '</body>',
        '<img src="../img/logo.png" alt="Logo" width="40"></body>',
      ),
    },
  ],
  assets: [{ path: 'img/logo.png', data_base64: base64(png()) }],
})

/** The addresses in the pages of a deck, and the paths of its assets. */
async function picturesOf(owner: Owner, id: string) {
  const { files, assets } = (await owner.html(id)) as Html & { assets: { path: string }[] }
  const sources = files.map(({ html }) => /src="([^"]*)"/.exec(html)![1])
  return [sources, assets.map(({ path }) => path)]
}

test(
  'in a deck a new image is an asset of its own, and what other places show stays',
  async () => {
    const at = await openEditor(browser(), pictured())
    const { owner, tab, page, button, says, problems } = at
    const preview = previewOf(tab)
    const dialog = tab.getByRole('dialog')
    const logo = preview.getByRole('img', { name: 'Logo' })
    const width = () =>
      logo.evaluate((image) => (image as HTMLImageElement).naturalWidth).catch(() => 0)
    const read = () => picturesOf(owner, page.id)
    await becomes(width, 1)
    await dropOn(tab, logo, fileOf('logo.png', png()))
    await dialog.getByLabel('Replace it in 1 other place of the deck, too').waitFor()
    await button('Replace image').click()
    await dialog.waitFor({ state: 'detached' })
    await becomes(read, [
      ['img/logo-2.png', '../img/logo.png'],
      ['img/logo-2.png', 'img/logo.png'],
    ])
    await becomes(width, 1)
    await tab.getByRole('button', { name: 'parts/two.html', exact: true }).click()
    await logo.click()
    await dialog.getByLabel('Choose another image').setInputFiles(fileOf('new.png', png()))
    await button('Replace image').click()
    await button('Delete img/logo.png').click()
    await becomes(read, [
      ['img/logo-2.png', '../img/new.png'],
      ['img/logo-2.png', 'img/new.png'],
    ])
    // Longer than the draft takes to be saved by itself.
    await button('Undo').click()
    await button('Save draft').click()
    await says('Saved, not published yet')
    expect(await read()).toEqual([
      ['img/logo-2.png', '../img/new.png'],
      ['img/logo-2.png', 'img/logo.png', 'img/new.png'],
    ])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an image of a deck is replaced in all places at once where one says so, and that is undone',
  async () => {
    const { owner, tab, page, button, problems } = await openEditor(browser(), pictured())
    const dialog = tab.getByRole('dialog')
    const sources = async () => (await picturesOf(owner, page.id))[0]
    const logo = previewOf(tab).getByRole('img', { name: 'Logo' })
    await logo.click()
    await dialog.getByLabel('Choose another').setInputFiles(fileOf('new.png', png()))
    await dialog.getByLabel('Replace it in 1 other place of the deck, too').check()
    await dialog.getByLabel('Description').fill('New logo')
    await button('Replace image').click()
    await becomes(sources, ['img/new.png', '../img/new.png'])
    await previewOf(tab).getByRole('img', { name: 'New logo' }).waitFor()
    await tab.getByText('Nothing in the deck names img/logo.png any more.').waitFor()
    await button('Undo').click()
    await becomes(sources, ['img/logo.png', '../img/logo.png'])
    await logo.waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'text and an image are changed where they are shown, undone and published in Chromium',
  async () => {
    const { tab, problems } = await newWindow(browser())
    await walk(handOf(tab))
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
