import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Frame, Locator, Page as Tab } from 'playwright-core'
import { samplePdf } from '../../src/testing/sample-pdf.ts'
import { becomes, framed, newWindow } from '../browser.ts'
import { type Page, pro } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { base64 } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { besides, CARDS, type Card, commented, FRAME_TOP, idOf, TOPS } from './cards.ts'

setDefaultTimeout(240_000)

const browser = testBrowser({ closesWindows: true })
const WIDE = { width: 1440, height: 900 }

async function opened({ url }: Pick<Page, 'url'>, size = WIDE) {
  const { tab, problems } = await newWindow(browser())
  await tab.setViewportSize(size)
  const scripts: string[] = []
  tab.on('request', (request) => scripts.push(request.url()))
  await tab.goto(url)
  await tab.getByRole('button', { name: /^Comments/ }).click()
  await tab.locator('[data-thread]').first().waitFor()
  const frame = await framed(tab)
  return { tab, problems, frame, hasLoaded: () => scripts.some((each) => /cards/.test(each)) }
}

const cardsIn = (tab: Tab) => tab.evaluate(CARDS) as Promise<Card[]>
/** Which cards are beside their passages, by their words. */
async function besideIn({ tab, frame }: { tab: Tab; frame: Frame }): Promise<string[]> {
  const tops = (await frame.evaluate(TOPS)) as Record<string, number>
  return besides(await cardsIn(tab), tops, (await tab.evaluate(FRAME_TOP)) as number)
}
const overlaps = async (tab: Tab) => {
  const inOrder = (await cardsIn(tab)).toSorted((a, b) => a.top - b.top)
  return inOrder.filter((card, at) => at > 0 && card.top < inOrder[at - 1]!.bottom)
}

test('cards are beside their passages, follow the page and make way for the active one', async () => {
  const window = await opened(await commented())
  const { tab, frame, problems } = window
  const first = ['The whole plan', 'Sentence 2', 'Sentence 20', 'Sentence 35']
  await becomes(() => besideIn(window), first)
  expect(await overlaps(tab)).toEqual([])
  for (const y of [900, 1700, 200, 0]) {
    await frame.evaluate((y) => scrollTo(0, y), y)
    await becomes(() => besideIn(window), first)
    expect(await overlaps(tab)).toEqual([])
  }

  // Its passage is out of sight, and has two cards of the passage before it in its way.
  const card = tab.locator('[data-card]', { hasText: 'About Sentence 21.' })
  await card.getByRole('button', { name: 'Reply' }).focus()
  await becomes(async () => (await besideIn(window)).includes('Sentence 21'), true)
  expect(await frame.evaluate(() => scrollY)).toBeGreaterThan(500)
  expect(await overlaps(tab)).toEqual([])
  await card.getByRole('button', { name: 'Reply' }).click()
  await tab.getByLabel('Comment', { exact: true }).fill('One\ntwo\nthree\nfour\nfive')
  await becomes(() => overlaps(tab), [])
  await tab.getByRole('button', { name: 'Cancel' }).click()
  expect(problems).toEqual([])
  expect(await violationsIn(tab)).toEqual([])
})

test('a long thread shows its start until it is read, and cards above give way to what is in sight', async () => {
  const page = await commented()
  const parent = await idOf(page, 'About The whole plan.')
  for (let n = 0; n < 9; n++) {
    const reply = { body: `Reply ${n} of a long talk`, parent_id: parent }
    await pro.call('POST', `/pages/${page.id}/comments`, reply)
  }
  const window = await opened(page)
  const { tab, frame } = window
  const long = tab.locator('[data-card]', { hasText: 'About The whole plan.' })
  const height = async () => Math.round((await long.boundingBox())!.height)
  await becomes(height, 280)
  expect(await besideIn(window)).not.toContain('Sentence 2')
  await frame.evaluate(() => scrollTo(0, 170))
  await becomes(async () => (await besideIn(window)).includes('Sentence 2'), true)
  await frame.evaluate(() => scrollTo(0, 0))
  await becomes(async () => (await besideIn(window)).includes('The whole plan'), true)
  await long.getByText('Reply 0').click()
  await becomes(async () => (await height()) > 600, true)
  await becomes(() => overlaps(tab), [])
})

test('what has no passage is a list below the cards, and everything is one where that is chosen', async () => {
  const { url } = await commented()
  const window = await opened({ url })
  const { tab } = window
  await becomes(async () => (await cardsIn(tab)).length, 6)
  const about = tab.getByText('About the page.', { exact: true })
  await about.scrollIntoViewIfNeeded()
  const { y } = (await about.boundingBox())!
  expect(y).toBeGreaterThan(Math.max(...(await cardsIn(tab)).map(({ bottom }) => bottom)))

  await tab.getByRole('button', { name: 'Show as a list' }).click()
  await becomes(() => cardsIn(tab), [])
  const order = () => tab.locator('.threads .words').allInnerTexts()
  expect((await order()).at(-1)).toBe('About the page.')
  await tab.reload()
  await tab.getByRole('button', { name: 'Show beside the page' }).waitFor()
  expect(await cardsIn(tab)).toEqual([])
  await tab.getByRole('button', { name: 'Show beside the page' }).click()
  await becomes(async () => (await cardsIn(tab)).length, 6)
})

test('what one posts is shown at once: a card beside its passage, or the end of the list', async () => {
  const window = await opened(await commented())
  const { tab, frame } = window
  await becomes(async () => (await cardsIn(tab)).length, 6)
  await tab.getByLabel('Comment', { exact: true }).fill('On all of it')
  await tab.getByRole('button', { name: 'Post comment' }).click()
  const posted = tab.locator('.threads').getByText('On all of it')
  await becomes(() => isShown(tab, 'On all of it'), true)
  expect(await posted.count()).toBe(1)

  await frame.evaluate(() => {
    const last = document.querySelector('p:last-of-type')!
    last.scrollIntoView()
    getSelection()!.selectAllChildren(last)
  })
  await tab.getByRole('button', { name: 'Comment on this' }).click()
  await tab.getByLabel('Comment', { exact: true }).fill('On the end')
  await tab.getByRole('button', { name: 'Post comment' }).click()
  await becomes(() => isShown(tab, 'On the end'), true)
  await becomes(() => tab.locator('[data-active]').getByText('On the end').count(), 1)
})

test('a click on a passage makes its card the active one, beside it', async () => {
  const window = await opened(await commented())
  const { tab, frame } = window
  await becomes(async () => (await cardsIn(tab)).length, 6)
  await frame.getByText('Sentence 21 of').scrollIntoViewIfNeeded()
  await frame.getByText('Sentence 21 of').click({ position: { x: 20, y: 12 } })
  await becomes(() => tab.locator('[data-active]').getByText('About Sentence 21.').count(), 1)
  await becomes(() => isShown(tab, 'About Sentence 21.'), true)
})

test('a link to a thread opens its card beside the passage, and its place in a list', async () => {
  const { url, id } = await linked('About Sentence 35.')
  for (const [size, isList] of SHAPES) {
    const { tab, problems } = await newWindow(browser())
    await tab.setViewportSize(size)
    await tab.addInitScript((isList) => {
      if (top === self && isList) localStorage.setItem('handbill:panel-cards', 'list')
    }, isList)
    await tab.goto(`${url}#~comments/${id}`)
    const frame = await framed(tab)
    const passage = frame.getByText('Sentence 35 of')
    await becomes(() => isInView(passage), true)
    await becomes(() => isShown(tab, 'About Sentence 35.'), true)
    expect(
      await tab.locator(`[data-thread="${id}"]`).evaluate((item) => item.matches(':focus')),
    ).toBe(true)
    const isCard = size === WIDE && !isList
    await becomes(async () => (await cardsIn(tab)).length, isCard ? 6 : 0)
    if (isCard) {
      await becomes(async () => (await besideIn({ tab, frame })).includes('Sentence 35'), true)
      expect(await tab.locator('[data-active]').getAttribute('data-thread')).toBe(id)
      // It is one way to get there: the page scrolls away as ever.
      await frame.evaluate(() => scrollTo(0, 0))
      await becomes(async () => (await besideIn({ tab, frame })).includes('The whole plan'), true)
    }
    expect(problems).toEqual([])
  }
})

test('a link to a thread about the page leads to it below the cards', async () => {
  const { url, id } = await linked('About the page.')
  const { tab } = await newWindow(browser())
  await tab.setViewportSize(WIDE)
  await tab.goto(`${url}#~comments/${id}`)
  await becomes(async () => (await cardsIn(tab)).length, 6)
  await becomes(() => isShown(tab, 'About the page.'), true)
})

test('passages lead to their threads and back after a link within the page, too', async () => {
  const { tab, frame } = await opened(await commented('<a href="#end">To the end</a>'))
  const passages = tab.locator('.threads blockquote').getByRole('button')
  await becomes(() => passages.count(), 6)
  await frame.getByText('To the end').click()
  await becomes(() => frame.evaluate(() => location.hash), '#end')
  await Bun.sleep(500)
  expect(await passages.count()).toBe(6)
})

test('on a PDF cards are beside their spots, through scrolling and zooming', async () => {
  const file = { file_base64: base64(samplePdf({ pages: 6 })), filename: 'plan.pdf' }
  const page = await pro.publish({ ...file, allow_comments: true })
  for (const sheet of [5, 1, 2]) {
    const anchor = { sheet, x: 0.5, y: 0.4 }
    await pro.call('POST', `/pages/${page.id}/comments`, { body: `On ${sheet}`, anchor })
  }
  const { tab, problems } = await newWindow(browser())
  await tab.setViewportSize(WIDE)
  await tab.goto(page.url)
  await tab.getByRole('button', { name: /^Comments/ }).click()
  const distances = () =>
    tab.evaluate(() => {
      const { shadowRoot } = document.querySelector('#conversations')!
      return [...shadowRoot!.querySelectorAll('[data-card]')].map((card) => {
        const [, sheet] = /On (\d)/.exec(card.textContent)!
        const box = document.querySelector(`[data-page-number="${sheet}"]`)!.getBoundingClientRect()
        return Math.round(card.getBoundingClientRect().top + 12 - box.top - 0.4 * box.height)
      })
    })
  await becomes(distances, [0, 0, 0])
  await tab.locator('#container').evaluate((container) => container.scrollTo(0, 1000))
  await becomes(distances, [0, 0, 0])
  await tab.getByRole('button', { name: 'Zoom in' }).click()
  await becomes(distances, [0, 0, 0])
  await tab.locator('[data-card]', { hasText: 'On 1' }).getByText('Reply').focus()
  await becomes(() => isShown(tab, 'On 1'), true)
  const id = await idOf(page, 'On 5')
  await tab.goto('about:blank')
  await tab.goto(`${page.url}#~comments/${id}`)
  await becomes(() => isShown(tab, 'On 5'), true)
  await becomes(() => tab.locator('[data-active]').getByText('On 5').count(), 1)
  await becomes(() => isInView(tab.locator('[data-page-number="5"]')), true)
  await becomes(distances, [0, 0, 0])
  expect(problems).toEqual([])
})

test('narrower windows have the list, and load no script for cards until they are wide', async () => {
  const window = await opened(await commented(), { width: 1199, height: 800 })
  const { tab } = window
  await tab.getByText('About the page.', { exact: true }).waitFor()
  expect(window.hasLoaded()).toBe(false)
  expect(await cardsIn(tab)).toEqual([])
  await tab.setViewportSize(WIDE)
  await becomes(async () => (await cardsIn(tab)).length, 6)
  await tab.setViewportSize({ width: 390, height: 844 })
  await becomes(() => cardsIn(tab), [])
  expect(await tab.getByRole('button', { name: 'Show as a list' }).count()).toBe(0)
})

/** Gives the page's scripts the port to the shell, and silences what Handbill's script would say. */
const HOSTILE = `<script>
  const { postMessage } = MessagePort.prototype
  MessagePort.prototype.postMessage = function (message) {
    window.send = (message) => postMessage.call(this, message)
    if (message.type === 'marks-shown') window.ids = message.ids
    if (message.type !== 'marks-moved') postMessage.apply(this, arguments)
  }
</script>`

test('a page that lies about its passages moves their cards, and does nothing else', async () => {
  const { tab, frame, problems } = await opened(await commented(HOSTILE))
  await becomes(() => frame.evaluate(() => (window as unknown as Hostile).ids?.length), 6)
  const ids = await frame.evaluate(() => (window as unknown as Hostile).ids)
  const say = (marks: unknown) =>
    frame.evaluate(
      (marks) => (window as unknown as Hostile).send({ type: 'marks-moved', marks }),
      marks,
    )
  const garbage = [
    ...[null, 'x', {}, [null], [{ id: ids[0] }], [{ id: ids[0], top: 'auto' }]],
    ...[Number.NaN, Number.POSITIVE_INFINITY, {}, []].map((top) => [{ id: ids[0], top }]),
    Array.from({ length: 301 }, () => ({ id: ids[0], top: 10 })),
  ]
  for (const marks of garbage) await say(marks)
  await say([{ id: '"] <b>', top: 1 }, ...ids.map((id) => ({ id: `${id} `, top: 5 }))])
  await Bun.sleep(300)
  expect(await cardsIn(tab)).toEqual([])

  await say(ids.map((id, at) => ({ id, top: at * 300 })))
  await becomes(async () => (await cardsIn(tab)).length, 6)
  await say(ids.map((id, at) => ({ id, top: at % 2 === 0 ? -1e300 : 1e300 })))
  await becomes(async () => (await cardsIn(tab)).filter(({ top }) => top > 100_000).length, 3)
  expect(await overlaps(tab)).toEqual([])
  await frame.evaluate((ids) => {
    for (let n = 0; n < 20_000; n++) {
      const marks = ids.map((id) => ({ id, top: Math.random() * 1e6 }))
      ;(window as unknown as Hostile).send({ type: 'marks-moved', marks })
    }
  }, ids)
  await tab.getByRole('button', { name: 'Show as a list' }).click()
  expect(await cardsIn(tab)).toEqual([])
  await tab.getByText('About Sentence 35.', { exact: true }).scrollIntoViewIfNeeded()
  await becomes(() => isShown(tab, 'About Sentence 35.'), true)
  expect(await tab.locator('[data-thread]').count()).toBe(7)
  expect(problems).toEqual([])
})

/** A window, and whether its visitor has chosen the list. */
const SHAPES = [
  [WIDE, false],
  [WIDE, true],
  [{ width: 1000, height: 700 }, false],
] as const

/** A page with comments, and the id of the one with these words. */
async function linked(words: string) {
  const page = await commented()
  return { url: page.url, id: await idOf(page, words) }
}

function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })
}

interface Hostile {
  ids: string[]
  send(message: unknown): void
}

/** Whether the column shows all of a comment with these words. */
function isShown(tab: Tab, words: string): Promise<boolean> {
  return tab.evaluate((words) => {
    const { shadowRoot } = document.querySelector('#conversations')!
    const list = shadowRoot!.querySelector('.letters')!.getBoundingClientRect()
    const all = [...shadowRoot!.querySelectorAll('.threads .words')]
    const box = all.find((each) => each.textContent === words)?.getBoundingClientRect()
    return box !== undefined && box.top >= list.top && box.bottom <= list.bottom
  }, words)
}
