import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes, framed, newWindow } from '../../acceptance/browser.ts'
import { pro } from '../../acceptance/client.ts'
import { testBrowser } from '../../acceptance/test-browser.ts'
import type {
  DocumentMessage,
  ElementSpot,
  Mark,
  PlacedSpot,
  SelectedPassage,
  SpotMark,
} from './frame-message.ts'

setDefaultTimeout(240_000)

const browser = testBrowser({ closesWindows: true })

const LETTER = `<!doctype html><html><head><meta charset="utf-8"><title>Letter</title>
<style>p { margin: 1em }</style></head><body>
<h1>The plan</h1><p>We <b>me</b>et in&nbsp;May.</p><p>It costs 20&thinsp;€.</p>
<p>It costs 20 €.</p><ul><li>one</li><li>two</li></ul><div style="height:3000px"></div>
<p id="end">The very end.</p><script>const hidden = 'We meet in May.'</script></body></html>`

interface Received {
  received: DocumentMessage[]
}

/** Opens a page with comments, and records the messages of its document to the shell. */
async function opened(html: string, settings: object = {}) {
  const page = await pro.publish({ html, allow_comments: true, ...settings })
  const { tab, problems } = await newWindow(browser())
  await tab.addInitScript(() => {
    const own = window as unknown as Received
    own.received = []
    let bridge: Window['handbillShell']
    Object.defineProperty(window, 'handbillShell', {
      configurable: true,
      get: () => bridge,
      set(value: NonNullable<Window['handbillShell']>) {
        bridge = value
        value.onMessage((message) => own.received.push(message))
      },
    })
  })
  await tab.goto(page.url)
  return { tab, problems, frame: await framed(tab) }
}

async function lastOf<Type extends DocumentMessage['type']>(tab: Tab, type: Type) {
  const all = await tab.evaluate(() => (window as unknown as Received).received)
  return all.findLast((message) => message.type === type) as
    | Extract<DocumentMessage, { type: Type }>
    | undefined
}

/** Selects from the first occurrence of one text to the end of another, in their text nodes. */
async function select(frame: Frame, [from, to]: [string, string]): Promise<void> {
  await frame.evaluate(
    ([from, to]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      let hasStart = false
      while (walker.nextNode()) {
        const { data } = walker.currentNode as Text
        if (!hasStart && data.includes(from)) {
          range.setStart(walker.currentNode, data.indexOf(from))
          hasStart = true
        }
        if (hasStart && data.includes(to)) {
          range.setEnd(walker.currentNode, data.indexOf(to) + to.length)
          break
        }
      }
      getSelection()!.removeAllRanges()
      getSelection()!.addRange(range)
    },
    [from, to] as const,
  )
}

async function selected(tab: Tab): Promise<SelectedPassage | null | undefined> {
  return (await lastOf(tab, 'selection'))?.selection
}

test('a selected passage is reported with its words, those around it, and its place', async () => {
  const { tab, frame, problems } = await opened(LETTER)
  await select(frame, ['We', 'May'])
  await becomes(async () => (await selected(tab))?.quote, 'We meet in May')
  const passage = (await selected(tab))!
  expect([passage.prefix, passage.suffix.slice(0, 12)]).toEqual(['The plan', '. It costs 2'])
  expect(passage.bottom).toBeGreaterThan(passage.top)
  await select(frame, ['one', 'two'])
  await becomes(async () => (await selected(tab))?.quote, 'one two')
  await frame.evaluate(() => getSelection()!.removeAllRanges())
  await becomes(() => selected(tab), null)
  expect(problems).toEqual([])
})

test('the words around a passage have no halves of characters', async () => {
  const faces = '😀'.repeat(60)
  const { tab, frame } = await opened(`<!doctype html><p>${faces}a</p><p>word</p><p>b${faces}</p>`)
  await select(frame, ['word', 'word'])
  await becomes(async () => (await selected(tab))?.quote, 'word')
  const { prefix, suffix } = (await selected(tab))!
  expect([prefix, suffix]).toEqual([`${'😀'.repeat(19)}a`, `b${'😀'.repeat(19)}`])
})

async function sendMarks(tab: Tab, marks: Mark[], spots: SpotMark[] = []): Promise<void> {
  await becomes(async () => (await lastOf(tab, 'ready-for-marks')) !== undefined, true)
  const message = { type: 'marks' as const, marks, spots }
  await tab.evaluate((message) => window.handbillShell!.post(message), message)
}
async function visible(tab: Tab): Promise<string[] | undefined> {
  return (await lastOf(tab, 'marks-shown'))?.ids
}
const highlighted = (frame: Frame) =>
  frame.evaluate(() => [...CSS.highlights.get('handbill-comments')!].map(String).sort())

test('marks stand where words, or words and surroundings, occur once, and change no element', async () => {
  const { tab, frame, problems } = await opened(LETTER)
  const before = await frame.evaluate(() => document.documentElement.outerHTML)
  await sendMarks(tab, [
    { id: 'a', quote: 'meet in May', prefix: 'We', suffix: '.' },
    { id: 'b', quote: 'It costs 20 €.', prefix: '', suffix: '' },
    { id: 'c', quote: 'It costs 20 €.', prefix: '', suffix: 'one' },
    { id: 'd', quote: 'const hidden', prefix: '', suffix: '' },
    { id: 'e', quote: 'The very end', prefix: 'other words', suffix: '' },
    { id: 'f', quote: 'costs', prefix: 'other words', suffix: '' },
  ])
  await becomes(() => visible(tab), ['a', 'c', 'e'])
  const words = ['It costs 20 €.', 'The very end', 'meet in\u00a0May']
  expect(await highlighted(frame)).toEqual(words)
  expect(await frame.evaluate(() => document.documentElement.outerHTML)).toBe(before)
  expect(problems).toEqual([])
})

test('a mark follows what the page’s scripts change', async () => {
  const { tab, frame } = await opened(LETTER)
  await sendMarks(tab, [{ id: 'end', quote: 'The very end', prefix: '', suffix: '' }])
  await becomes(() => visible(tab), ['end'])
  await frame.evaluate(() => document.getElementById('end')!.remove())
  await becomes(() => visible(tab), [])
  await frame.evaluate(() => document.body.append('The very end'))
  await becomes(() => visible(tab), ['end'])
})

test('a click on a marked passage reports which, and a mark is scrolled to', async () => {
  const { tab, frame } = await opened(LETTER)
  await sendMarks(tab, [{ id: 'end', quote: 'The very end', prefix: '', suffix: '' }])
  await becomes(() => visible(tab), ['end'])
  await tab.evaluate(() => window.handbillShell!.post({ type: 'reveal', id: 'end' }))
  await becomes(() => frame.evaluate(() => scrollY > 1000), true)
  await frame.click('#end', { position: { x: 5, y: 5 } })
  await becomes(async () => (await lastOf(tab, 'mark-click'))?.id, 'end')
})

const IMAGES = `<!doctype html><html><head><meta charset="utf-8"><title>Images</title>
<style>body { margin: 0 } img { display: block; width: 200px; height: 100px; background: gray }
  #icon { width: 39px }</style></head><body>
<img alt="North"><div><img alt=" The  south\n"><img alt="East" id="east"></div>
<a href="#x"><img alt="Link"></a><button><img alt="Button"></button>
<img alt="Own" id="own"><img alt="Icon" id="icon"><p>Words.</p>
<div style="height:3000px"></div><img alt="Far" id="far"><div style="height:600px"></div>
<script>own.addEventListener('click', (event) => event.preventDefault())</script></body></html>`

async function spotAt(tab: Tab): Promise<ElementSpot | null | undefined> {
  return (await lastOf(tab, 'spot'))?.spot
}
const clickImage = (frame: Frame, alt: string) =>
  frame.click(`img[alt*="${alt}"]`, { position: { x: 50, y: 25 } })

test('a clicked image is reported with its text, a selector of it alone, and its place', async () => {
  const { tab, frame, problems } = await opened(IMAGES)
  await becomes(async () => (await lastOf(tab, 'ready-for-marks')) !== undefined, true)
  await clickImage(frame, 'North')
  const box = { top: 0, left: 0, bottom: 100, right: 200 }
  const north = { tag: 'img', text: 'North', selector: 'body > img:nth-of-type(1)' } as const
  await becomes(() => spotAt(tab), { x: 0.25, y: 0.25, element: north, ...box })
  await frame.getByText('Words.').click()
  await becomes(() => spotAt(tab), null)
  await clickImage(frame, 'south')
  const selector = 'div:nth-of-type(1) > img:nth-of-type(1)'
  const south = { tag: 'img', text: 'The south', selector } as const
  await becomes(async () => (await spotAt(tab))?.element, south)
  await clickImage(frame, 'East')
  const east = { tag: 'img', text: 'East', selector: '#east' } as const
  await becomes(async () => (await spotAt(tab))?.element, east)
  await frame.evaluate(() => scrollTo(0, 150))
  await becomes(async () => (await lastOf(tab, 'spot'))?.spot?.top, 50)
  expect(problems).toEqual([])
})

test('a click on an image that does something else, or is an icon, reports nothing', async () => {
  const { tab, frame } = await opened(IMAGES)
  await becomes(async () => (await lastOf(tab, 'ready-for-marks')) !== undefined, true)
  for (const alt of ['Link', 'Button', 'Own']) await clickImage(frame, alt)
  await frame.click('#icon')
  await frame.getByText('Words.').click()
  await clickImage(frame, 'East')
  await becomes(async () => (await spotAt(tab))?.element.text, 'East')
  const received = await tab.evaluate(() => (window as unknown as Received).received)
  const texts = received.flatMap((each) =>
    each.type === 'spot' ? (each.spot?.element.text ?? '') : [],
  )
  expect([...new Set(texts)]).toEqual(['East'])
})

async function placed(tab: Tab): Promise<PlacedSpot[] | undefined> {
  return (await lastOf(tab, 'marks-placed'))?.spots
}
const mark = (id: string, selector: string, text: string): SpotMark => {
  return { id, x: 0.5, y: 1, element: { tag: 'img', text, selector } }
}

test('a spot is placed where its image is, and follows it', async () => {
  const { tab, frame, problems } = await opened(IMAGES)
  await sendMarks(tab, [], [mark('east', '#east', 'East'), mark('far', 'body > #far', 'Far')])
  const east = { id: 'east', left: 100, top: 300, is_visible: true }
  await becomes(async () => (await placed(tab))?.[0], east)
  expect((await placed(tab))![1]).toMatchObject({ id: 'far', is_visible: false })
  await frame.evaluate(() => scrollTo(0, 120))
  await becomes(async () => (await placed(tab))?.[0], { ...east, top: 180 })
  await frame.evaluate(() => document.getElementById('east')!.style.setProperty('width', '300px'))
  await becomes(async () => (await placed(tab))?.[0], { ...east, left: 150, top: 180 })
  await tab.evaluate(() => window.handbillShell!.post({ type: 'reveal', id: 'far' }))
  await becomes(async () => (await placed(tab))?.[1]?.is_visible, true)
  await frame.evaluate(() => document.getElementById('far')!.remove())
  await becomes(async () => (await placed(tab))?.map(({ id }) => id), ['east'])
  await frame.evaluate(() => document.getElementById('east')!.setAttribute('alt', 'West'))
  await becomes(() => placed(tab), [])
  expect(problems).toEqual([])
})

test('a spot is hidden where something covers its image', async () => {
  const { tab, frame } = await opened(IMAGES)
  await sendMarks(tab, [], [mark('east', '#east', 'East')])
  await becomes(async () => (await placed(tab))?.[0]?.is_visible, true)
  await frame.evaluate(() => {
    document.querySelector('p')!.style.cssText = 'position:fixed;inset:0;margin:0;background:#fff'
  })
  await becomes(async () => (await placed(tab))?.[0]?.is_visible, false)
})

test('a spot has no place where its selector is not one of a single image', async () => {
  const { tab, problems } = await opened(IMAGES)
  const refused = [
    ...['img', 'div > img', 'p', '#none', '', ' > ', '#1', '*', 'img, p', '[id=east]'],
    ...['#east:not(p)', 'body:has(p) > #far', 'div #east', '#east::before', '#east{}'],
  ]
  const spots = refused.map((selector, index) => mark(`${index}`, selector, 'East'))
  await sendMarks(tab, [], [...spots, mark('text', '#far', 'Near'), mark('far', '#far', 'Far')])
  await becomes(async () => (await placed(tab))?.map(({ id }) => id), ['far'])
  expect(problems).toEqual([])
})

test('a page without comments has none of it', async () => {
  const { tab, frame } = await opened(LETTER, {
    allow_comments: false,
    collect_votes: true,
    poll_question: 'When?',
    poll_options: ['May', 'June'],
  })
  await select(frame, ['We', 'May'])
  await Bun.sleep(500)
  expect(await selected(tab)).toBeUndefined()
  await frame.evaluate(() => {
    document.body.innerHTML = '<img alt="North" style="display:block;width:200px;height:100px">'
  })
  await clickImage(frame, 'North')
  await Bun.sleep(200)
  expect(await spotAt(tab)).toBeUndefined()
  expect(await frame.evaluate(() => CSS.highlights.size)).toBe(0)
})
