import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Frame, Page as Tab } from 'playwright-core'
import { becomes, framed, launch, newWindow } from '../../acceptance/browser.ts'
import { pro } from '../../acceptance/client.ts'
import type { DocumentMessage, Mark, SelectedPassage } from './frame-message.ts'

setDefaultTimeout(60_000)

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => browser.close())

const LETTER = `<!doctype html><html><head><meta charset="utf-8"><title>Letter</title>
<style>p { margin: 1em }</style></head><body>
<h1>The plan</h1><p>We <b>me</b>et in&nbsp;May.</p><p>It costs 20&thinsp;€.</p>
<p>It costs 20 €.</p><ul><li>one</li><li>two</li></ul><div style="height:3000px"></div>
<p id="end">The very end.</p><script>const hidden = 'We meet in May.'</script></body></html>`

interface Received {
  received: DocumentMessage[]
}

/** Opens a page with comments, and records what its document tells the shell. */
async function opened(html: string, settings: object = {}) {
  const page = await pro.publish({ html, allow_comments: true, ...settings })
  const { tab, problems } = await newWindow(browser)
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

test('a selected passage is told with its words, those around it, and its place', async () => {
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

async function sendMarks(tab: Tab, marks: Mark[]): Promise<void> {
  await becomes(async () => (await lastOf(tab, 'ready-for-marks')) !== undefined, true)
  await tab.evaluate((marks) => window.handbillShell!.post({ type: 'marks', marks }), marks)
}
async function shown(tab: Tab): Promise<string[] | undefined> {
  return (await lastOf(tab, 'marks-shown'))?.ids
}
const highlighted = (frame: Frame) =>
  frame.evaluate(() => [...CSS.highlights.get('handbill-comments')!].map(String).sort())

test('marks stand where words and surroundings occur once, and change no element', async () => {
  const { tab, frame, problems } = await opened(LETTER)
  const before = await frame.evaluate(() => document.documentElement.outerHTML)
  await sendMarks(tab, [
    { id: 'a', quote: 'meet in May', prefix: 'We', suffix: '.' },
    { id: 'b', quote: 'It costs 20 €.', prefix: '', suffix: '' },
    { id: 'c', quote: 'It costs 20 €.', prefix: '', suffix: 'one' },
    { id: 'd', quote: 'const hidden', prefix: '', suffix: '' },
    { id: 'e', quote: 'The very end', prefix: 'other words', suffix: '' },
  ])
  await becomes(() => shown(tab), ['a', 'c'])
  expect(await highlighted(frame)).toEqual(['It costs 20 €.', 'meet in\u00a0May'])
  expect(await frame.evaluate(() => document.documentElement.outerHTML)).toBe(before)
  expect(problems).toEqual([])
})

test('a mark follows what the page’s scripts change', async () => {
  const { tab, frame } = await opened(LETTER)
  await sendMarks(tab, [{ id: 'end', quote: 'The very end', prefix: '', suffix: '' }])
  await becomes(() => shown(tab), ['end'])
  await frame.evaluate(() => document.getElementById('end')!.remove())
  await becomes(() => shown(tab), [])
  await frame.evaluate(() => document.body.append('The very end'))
  await becomes(() => shown(tab), ['end'])
})

test('a click on a marked passage tells which, and a mark is scrolled to', async () => {
  const { tab, frame } = await opened(LETTER)
  await sendMarks(tab, [{ id: 'end', quote: 'The very end', prefix: '', suffix: '' }])
  await becomes(() => shown(tab), ['end'])
  await tab.evaluate(() => window.handbillShell!.post({ type: 'reveal', id: 'end' }))
  await becomes(() => frame.evaluate(() => scrollY > 1000), true)
  await frame.click('#end', { position: { x: 5, y: 5 } })
  await becomes(async () => (await lastOf(tab, 'mark-click'))?.id, 'end')
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
  expect(await frame.evaluate(() => CSS.highlights.size)).toBe(0)
})
