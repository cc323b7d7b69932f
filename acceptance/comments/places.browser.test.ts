import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow, pressable } from '../browser.ts'
import { type Page, pro } from '../client.ts'
import { base64, pdf, png } from '../material.ts'
import { testBrowser } from '../test-browser.ts'

setDefaultTimeout(240_000)

const browser = testBrowser()

const LETTER = `<!doctype html><html><head><meta charset="utf-8"><title>Letter</title>
<meta name="viewport" content="width=device-width"></head><body><h1>The plan</h1>
<p>We meet in May. It costs 20 €.</p><p>We meet in June. It costs 20 €.</p>
<div style="height:2000px"></div><p id="end">The very end.</p></body></html>`

async function opened({ url }: Page, path = '') {
  const { tab, problems } = await newWindow(browser())
  await tab.goto(url + path)
  return { tab, problems }
}

interface Comment {
  id: string
  body: string
  path: string
  anchor: object | null
  anchor_state: string | null
}
const commentsOf = async (page: Page) =>
  ((await pro.call('GET', `/pages/${page.id}/comments`)).json as { data: Comment[] }).data

const button = (tab: Tab, name: string | RegExp) =>
  tab.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

/** Selects the nth occurrence of a text within one text node. */
async function select(frame: Frame, text: string, nth = 0): Promise<void> {
  await frame.evaluate(
    ([text, nth]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      let seen = 0
      while (walker.nextNode()) {
        const at = (walker.currentNode as Text).data.indexOf(text)
        if (at < 0 || seen++ < nth) continue
        const range = document.createRange()
        range.setStart(walker.currentNode, at)
        range.setEnd(walker.currentNode, at + text.length)
        getSelection()!.removeAllRanges()
        getSelection()!.addRange(range)
        return
      }
    },
    [text, nth] as const,
  )
}

async function commentOn(tab: Tab, words: string): Promise<void> {
  await tab.getByLabel('Comment', { exact: true }).fill(words)
  await button(tab, 'Post comment').click()
  await becomes(() => tab.getByLabel('Comment', { exact: true }).inputValue(), '')
}

const marked = (frame: Frame) =>
  frame.evaluate(() => [...CSS.highlights.get('handbill-comments')!].map(String))

test('a selected passage is commented on, marked for everybody, and follows edits', async () => {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  const ann = await opened(page)
  const frame = await framed(ann.tab)
  await select(frame, 'It costs 20 €', 1)
  await button(ann.tab, 'Comment on this').click()
  expect(await ann.tab.locator('.write blockquote').textContent()).toBe('It costs 20 €')
  await commentOn(ann.tab, 'Too much')
  expect(await ann.tab.locator('.write blockquote').count()).toBe(0)
  const [comment] = await commentsOf(page)
  expect(comment).toMatchObject({ body: 'Too much', anchor_state: 'exact' })
  expect(comment!.anchor).toMatchObject({ quote: 'It costs 20 €' })
  await becomes(() => marked(frame), ['It costs 20 €'])

  const bob = await opened(page)
  await becomes(async () => marked(await framed(bob.tab)), ['It costs 20 €'])
  await button(bob.tab, /^Comments/).click()
  await bob.tab.locator('.threads').getByRole('button', { name: 'It costs 20 €' }).click()
  const active = () =>
    bobFrame.evaluate(() => [...CSS.highlights.get('handbill-comment')!].map(String))
  const bobFrame = await framed(bob.tab)
  await becomes(active, ['It costs 20 €'])

  const edits = [
    { find: 'We meet in May. It costs 20 €.', replace: 'We meet in May. It costs 20 €. Really.' },
    { find: '<h1>The plan</h1>', replace: '<h1>The new plan</h1><p>It costs 20 €.</p>' },
  ]
  await pro.call('PATCH', `/pages/${page.id}/html`, { edits, publish: true })
  const later = await opened(page)
  await becomes(async () => marked(await framed(later.tab)), ['It costs 20 €'])
  const laterFrame = await framed(later.tab)
  const paragraph = await laterFrame.evaluate(() => {
    const [range] = [...CSS.highlights.get('handbill-comments')!] as Range[]
    return range!.startContainer.textContent
  })
  expect(paragraph).toBe('We meet in June. It costs 20 €.')
  expect((await commentsOf(page))[0]).toMatchObject({ anchor_state: 'moved' })

  const gone = [{ find: 'June. It costs 20 €', replace: 'June. It is free' }]
  await pro.call('PATCH', `/pages/${page.id}/html`, { edits: gone, publish: true })
  const last = await opened(page)
  await button(last.tab, /^Comments/).click()
  await last.tab.getByText('The text has changed here.').waitFor()
  expect(await last.tab.locator('.threads blockquote').first().textContent()).toBe('It costs 20 €')
  expect(await marked(await framed(last.tab))).toEqual([])
  for (const { problems } of [ann, bob, later, last]) expect(problems).toEqual([])
})

test('a click on a marked passage opens its thread', async () => {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  const anchor = { quote: 'The very end', prefix: '', suffix: '.' }
  await pro.call('POST', `/pages/${page.id}/comments`, { body: 'Good end', anchor })
  // More than the panel builds before it paints.
  for (let n = 0; n < 60; n++) {
    await pro.call('POST', `/pages/${page.id}/comments`, { body: `Later ${n}` })
  }
  const { tab } = await opened(page)
  const frame = await framed(tab)
  await becomes(() => marked(frame), ['The very end'])
  await pressable(tab)
  const ignoresPresses = tab.waitForFunction(
    () => document.documentElement.style.getPropertyValue('--press') === 'none',
  )
  await frame.click('#end', { position: { x: 5, y: 5 } })
  await ignoresPresses
  const focused = () =>
    tab.evaluate(
      () => document.querySelector('#conversations')!.shadowRoot!.activeElement?.textContent,
    )
  await becomes(async () => (await focused())?.includes('Good end'), true)
  expect(await tab.getByText('Good end').isVisible()).toBe(true)
  const lines = await tab.locator('.threads .words').allTextContents()
  expect(lines).toEqual(['Good end', ...Array.from({ length: 60 }, (_, n) => `Later ${n}`)])
})

const TWO_LETTERS = [
  { path: 'index.html', html: LETTER.replace('The plan', 'One') },
  { path: 'b.html', html: LETTER.replace('The plan', 'Two') },
]

test('a page that lays the offer under several presses has none of them do more than open the panel', async () => {
  const page = await pro.publish({ html: LETTER, allow_comments: true })
  const { tab } = await opened(page)
  const frame = await framed(tab)
  await pressable(tab)
  await frame.evaluate(() => {
    const words = document.querySelector('h1')!
    words.style.cssText = 'position: fixed; right: 0; top: 0; margin: 0; font-size: 1px'
  })
  await select(frame, 'The plan')
  const offer = (await button(tab, 'Comment on this').boundingBox())!
  const at = [offer.x + offer.width - 9, offer.y + 12] as const
  await tab.mouse.click(...at)
  await button(tab, 'Close').waitFor()
  const { x, y, width, height } = (await button(tab, 'Close').boundingBox())!
  expect([at[0] > x, at[0] < x + width, at[1] > y, at[1] < y + height]).not.toContain(false)
  await tab.mouse.click(...at)
  await pressable(tab)
  expect(await button(tab, 'Close').isVisible()).toBe(true)
})

test('a comment on a passage of a deck belongs to the file that was shown', async () => {
  const page = await pro.publish({ files: TWO_LETTERS, allow_comments: true })
  const { tab } = await opened(page, '/b.html')
  const frame = await framed(tab)
  await select(frame, 'We meet in May')
  await button(tab, 'Comment on this').click()
  await commentOn(tab, 'In b')
  expect((await commentsOf(page))[0]).toMatchObject({ path: 'b.html', anchor_state: 'exact' })
  await becomes(() => marked(frame), ['We meet in May'])
  const other = await opened(page)
  await button(other.tab, /^Comments/).click()
  await other.tab.getByText('In b', { exact: true }).waitFor()
  const otherFrame = await framed(other.tab)
  expect(await marked(otherFrame)).toEqual([])
  const link = other.tab.getByRole('link', { name: 'in b.html' })
  expect(await link.count()).toBe(1)
  await otherFrame.evaluate(() => location.assign('b.html'))
  await becomes(() => link.count(), 0)
  await becomes(async () => marked(await framed(other.tab)), ['We meet in May'])
})

test('a comment on a passage belongs to the file where it was selected, also when posted on another', async () => {
  const page = await pro.publish({ files: TWO_LETTERS, allow_comments: true })
  const { tab } = await opened(page, '/b.html')
  const frame = await framed(tab)
  await select(frame, 'We meet in May')
  await button(tab, 'Comment on this').click()
  await frame.evaluate(() => location.assign('index.html'))
  await becomes(async () => (await framed(tab)).locator('h1').textContent(), 'One')
  await commentOn(tab, 'In b')
  expect(await commentsOf(page)).toMatchObject([{ path: 'b.html', anchor_state: 'exact' }])
})

const ATLAS = LETTER.replace(
  '<div style',
  `<p><img id="map" alt="Map of the town" style="width:300px;height:200px"
    src="data:image/png;base64,${base64(png())}"></p><div style`,
)

test('an image of a page is commented on, and has a pin that follows it', async () => {
  const page = await pro.publish({ html: ATLAS, allow_comments: true })
  const ann = await opened(page)
  await (await framed(ann.tab)).click('#map', { position: { x: 75, y: 150 } })
  await button(ann.tab, 'Comment on this').click()
  expect(await ann.tab.locator('.write blockquote').textContent()).toBe('The image Map of the town')
  await commentOn(ann.tab, 'Where is north?')
  const [comment] = await commentsOf(page)
  const element = { tag: 'img', text: 'Map of the town', selector: '#map' }
  expect(comment).toMatchObject({ body: 'Where is north?', anchor_state: 'exact' })
  const { x, y, ...about } = comment!.anchor as { x: number; y: number }
  expect(about).toMatchObject({ element })
  expect([x, y].map((each) => Math.round(each * 20) / 20)).toEqual([0.25, 0.75])

  const bob = await opened(page)
  const pin = button(bob.tab, /^Comment 1 by/)
  await pin.waitFor()
  const frame = await framed(bob.tab)
  const image = (await frame.locator('#map').boundingBox())!
  const at = (await pin.boundingBox())!
  expect(at.x + at.width / 2 - image.x).toBeCloseTo(x * image.width, 0)
  expect(at.y + at.height / 2 - image.y).toBeCloseTo(y * image.height, 0)
  await frame.evaluate(() => scrollTo(0, 50))
  await becomes(async () => Math.round((await pin.boundingBox())!.y), Math.round(at.y - 50))
  const toEnd = () => frame.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await toEnd()
  await pin.waitFor({ state: 'hidden' })
  await frame.evaluate(() => scrollTo(0, 0))
  await pin.click()
  await bob.tab.getByText('Where is north?').waitFor()
  await toEnd()
  await pin.waitFor({ state: 'hidden' })
  await bob.tab.locator('.threads').getByRole('button', { name: 'Map of the town' }).click()
  await pin.waitFor()

  const edits = [{ find: 'The plan', replace: 'The new plan' }]
  await pro.call('PATCH', `/pages/${page.id}/html`, { edits, publish: true })
  const later = await opened(page)
  await button(later.tab, /^Comments/).click()
  await later.tab.getByText('Its place in this version is not certain.').waitFor()
  expect(await later.tab.locator('.pin').count()).toBe(0)
  for (const { problems } of [ann, bob, later]) expect(problems).toEqual([])
})

/** A page that does something at every key and click, and claims that its visitor chose. */
const SPITEFUL = `<!doctype html><html><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"></head><body><h1>Shop</h1>
<p>We meet in May.</p><p><a href="#paid" id="buy">Buy now</a></p>
<canvas id="chart" width="200" height="100" style="background:#ddd"></canvas>
<div style="height:2000px"></div><div>The very end.</div>
<script>
window.seen = []
for (const type of ['keydown', 'pointerdown', 'mousedown', 'mousemove', 'click', 'focusin', 'wheel'])
  window.addEventListener(type, (event) => seen.push(type), true)
const quote = { quote: 'Buy now', prefix: '', suffix: '' }
const element = { tag: 'a', text: 'Buy now', selector: '#buy' }
const forged = { type: 'picked', picked: { x: 0, y: 0, element, passage: quote } }
setInterval(() => parent.postMessage(forged, '*', [new MessageChannel().port2]), 50)
</script></body></html>`

const outlined = async (tab: Tab) => {
  const box = await tab.locator('.pick-outline').boundingBox()
  return box && [box.x, box.y, box.width, box.height].map(Math.round)
}
const boxOf = async (frame: Frame, selector: string) => {
  const { x, y, width, height } = (await frame.locator(selector).boundingBox())!
  return [x, y, width, height].map(Math.round)
}
const chosen = (tab: Tab) => tab.locator('.write blockquote')
const seenBy = (frame: Frame) =>
  frame.evaluate(() => (window as unknown as { seen: string[] }).seen)

test('an element is chosen by keys, and the page neither notices nor takes part', async () => {
  const page = await pro.publish({ html: SPITEFUL, allow_comments: true })
  const { tab, problems } = await opened(page)
  const frame = await framed(tab)
  const before = await frame.evaluate(() => document.documentElement.outerHTML)
  await button(tab, /^Comments/).click()
  await button(tab, 'Point at something').focus()
  await tab.keyboard.press('Enter')
  await tab.keyboard.press('ArrowDown')
  await becomes(() => outlined(tab), await boxOf(frame, 'h1'))
  await tab.keyboard.press('Tab')
  await becomes(() => outlined(tab), await boxOf(frame, 'h1 + p'))
  await tab.keyboard.press('Escape')
  await tab.locator('.pick-outline').waitFor({ state: 'hidden' })
  expect(await chosen(tab).count()).toBe(0)

  await button(tab, 'Point at something').focus()
  await tab.keyboard.press('Enter')
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab']) await tab.keyboard.press(key)
  await becomes(() => outlined(tab), await boxOf(frame, '#buy'))
  await tab.keyboard.press('ArrowLeft')
  await becomes(() => outlined(tab), await boxOf(frame, 'p:has(#buy)'))
  await tab.keyboard.press('ArrowRight')
  await tab.keyboard.press('Shift+Tab')
  await tab.keyboard.press('Shift+Tab')
  await becomes(() => outlined(tab), await boxOf(frame, 'h1 + p'))
  await tab.keyboard.press('Enter')
  await becomes(() => chosen(tab).textContent(), 'We meet in May.')
  await commentOn(tab, 'Which day?')
  const [comment] = await commentsOf(page)
  const element = { tag: 'p', text: 'We meet in May.', selector: 'p:nth-of-type(1)' }
  expect(comment).toMatchObject({ body: 'Which day?', anchor_state: 'exact' })
  expect(comment!.anchor).toMatchObject({ quote: 'We meet in May.', element })
  await becomes(() => marked(frame), ['We meet in May.'])
  expect(await seenBy(frame)).toEqual([])
  expect(await frame.evaluate(() => document.documentElement.outerHTML)).toBe(before)
  expect(problems).toEqual([])
})

test('an element without words is chosen by pointer, has a pin, and no click of it is done', async () => {
  const page = await pro.publish({ html: SPITEFUL, allow_comments: true })
  const { tab, problems } = await opened(page)
  const frame = await framed(tab)
  await button(tab, /^Comments/).click()
  await button(tab, 'Point at something').click()
  const link = (await frame.locator('#buy').boundingBox())!
  await tab.mouse.move(link.x + 5, link.y + 5)
  await becomes(() => outlined(tab), await boxOf(frame, '#buy'))
  await tab.mouse.wheel(0, 40)
  await becomes(() => frame.evaluate(() => scrollY), 40)
  const chart = (await frame.locator('#chart').boundingBox())!
  await tab.mouse.click(chart.x + 50, chart.y + 75)
  await becomes(() => chosen(tab).textContent(), 'The drawing')
  await commentOn(tab, 'In which unit?')
  const [comment] = await commentsOf(page)
  const element = { tag: 'canvas', text: '', selector: '#chart' }
  expect(comment).toMatchObject({ body: 'In which unit?', anchor_state: 'exact' })
  const { x, y, ...about } = comment!.anchor as { x: number; y: number }
  expect(about).toMatchObject({ element })
  expect([x, y].map((each) => Math.round(each * 20) / 20)).toEqual([0.25, 0.75])
  const pin = (await button(tab, /^Comment 1 by/).boundingBox())!
  expect(pin.x + pin.width / 2 - chart.x).toBeCloseTo(x * chart.width, 0)
  expect(pin.y + pin.height / 2 - chart.y).toBeCloseTo(y * chart.height, 0)
  // The button ends what it began.
  for (const isShown of [true, false, true]) {
    await button(tab, isShown ? 'Point at something' : 'Stop').click()
    expect(await tab.locator('.pick-surface').isVisible()).toBe(isShown)
  }
  await tab.mouse.click(link.x + 5, link.y - 35)
  await becomes(() => chosen(tab).textContent(), 'Buy now')
  expect(await frame.evaluate(() => location.hash)).toBe('')
  expect(await seenBy(frame)).toEqual([])
  expect(problems).toEqual([])
})

for (const [kind, file, spot] of [
  ['an image', { file_base64: base64(png()), filename: 'dot.png' }, { x: 0.5, y: 0.5 }],
  ['a PDF', { file_base64: base64(pdf()), filename: 'a.pdf' }, { sheet: 1, x: 0.5, y: 0.5 }],
] as const) {
  test(`a spot on ${kind} is commented on, and has a pin for everybody`, async () => {
    const page = await pro.publish({ ...file, allow_comments: true })
    const { tab, problems } = await opened(page)
    const surface = tab.locator('#image, .pdfViewer .page').first()
    await surface.waitFor()
    await button(tab, /^Comments/).click()
    await button(tab, 'Point at a spot').click()
    await surface.click()
    await commentOn(tab, 'Here')
    const [comment] = await commentsOf(page)
    expect(comment).toMatchObject({ body: 'Here', anchor_state: 'exact' })
    const { sheet, x, y } = comment!.anchor as { sheet?: number; x: number; y: number }
    expect({
      ...(sheet && { sheet }),
      x: Math.round(x * 10) / 10,
      y: Math.round(y * 10) / 10,
    }).toEqual(spot)
    const other = await opened(page)
    await button(other.tab, /^Comment 1 by/).click()
    await other.tab.getByText('Here').waitFor()
    expect([...problems, ...other.problems]).toEqual([])
  })
}
