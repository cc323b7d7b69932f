import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, Page as Tab } from 'playwright-core'
import { becomes, newWindow } from '../browser.ts'
import { type Page, pro } from '../client.ts'
import { base64 } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import {
  animatedGif,
  chartPage,
  type DeckSource,
  drawn,
  manual,
  PDF_PAGES,
  type Picture,
  photoEssay,
  revealDeck,
} from './material.ts'

const PATIENCE_MS = 90_000
const MB = 1024 * 1024

const browser = testBrowser({ closesWindows: true })
let pictures: Picture[]
beforeAll(async () => {
  pictures = await drawAll()
}, PATIENCE_MS)

async function drawAll(): Promise<Picture[]> {
  const { tab } = await newWindow(browser())
  const made: Picture[] = []
  for (const [seed, type] of (['jpeg', 'png', 'webp', 'jpeg', 'jpeg', 'webp'] as const).entries()) {
    const size = type === 'png' ? { width: 800, height: 600 } : { width: 2000, height: 1500 }
    made.push(await drawn(tab, type, { ...size, seed: seed + 1 }))
  }
  await tab.context().close()
  return made
}

function pictureOf(type: string): Picture {
  return pictures.find(({ mime }) => mime === `image/${type}`)!
}

interface Opened {
  tab: Tab
  /** Errors of scripts and the console, and failed requests. */
  problems: string[]
  /** The document with the selector: the window's own, or the framed one. */
  frame: Frame
}

/** Opens a URL in a new window, and waits until it shows the selector. */
async function open(url: string, selector: string): Promise<Opened> {
  const { tab } = await newWindow(browser())
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  tab.on('requestfailed', (request) => {
    problems.push(`${request.failure()?.errorText}: ${request.url()}`)
  })
  tab.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`)
  })
  await tab.goto(url)
  return { tab, problems, frame: await frameWith(tab, selector) }
}

async function frameWith(tab: Tab, selector: string): Promise<Frame> {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    for (const frame of tab.frames()) {
      if (await frame.$(selector).catch(() => null)) return frame
    }
    await Bun.sleep(50)
  }
  throw new Error(`nothing shows ${selector} at ${tab.url()}`)
}

/** Saves a screenshot for people, if HANDBILL_SCREENSHOTS names a folder. */
async function photographed({ tab }: Opened, name: string): Promise<void> {
  const folder = process.env.HANDBILL_SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await tab.screenshot({ path: join(folder, `${name}.png`) })
}

async function publishHtml(html: string): Promise<Page> {
  const { id } = await pro.upload(html)
  return pro.publish({ html_upload: id })
}

async function publishDeck({ files, assets, entry }: DeckSource): Promise<Page> {
  const uploaded: { path: string; upload: string }[] = []
  for (const { path, bytes } of assets) {
    uploaded.push({ path, upload: (await pro.upload(bytes)).id })
  }
  return pro.publish({ files, assets: uploaded, entry })
}

async function publishFile({ name, bytes }: Pick<Picture, 'name' | 'bytes'>): Promise<Page> {
  if (bytes.byteLength < 2 * MB) {
    return pro.publish({ file_base64: base64(bytes), filename: name })
  }
  const { id } = await pro.upload(bytes)
  return pro.publish({ file_upload: id, filename: name })
}

function loadedFonts(frame: Frame): Promise<string[]> {
  return frame.evaluate(async () => {
    await document.fonts.ready
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
    return [...new Set(loaded.map(({ family }) => family.replaceAll('"', '')))]
  })
}

/** The natural width of every image once it has loaded, 0 for a broken one. */
function imageWidths(frame: Frame): Promise<number[]> {
  return frame.evaluate(() =>
    Promise.all(
      [...document.images].map((image) =>
        image.decode().then(
          () => image.naturalWidth,
          () => 0,
        ),
      ),
    ),
  )
}

interface RevealWindow {
  Reveal: { getIndices(): { h: number; v: number }; getTotalSlides(): number }
}

describe('a reveal.js deck', () => {
  const place = (frame: Frame) =>
    frame.evaluate(() => {
      const { h, v } = (window as unknown as RevealWindow).Reveal.getIndices()
      return [h, v]
    })

  test(
    'has its theme and fonts, and its slides advance by keys and by links',
    async () => {
      const page = await publishDeck(revealDeck(pictureOf('png')))
      expect([page.kind, page.file_count]).toEqual(['bundle', 2])
      const opened = await open(page.url, '.reveal.ready')
      const { tab, frame, problems } = opened
      expect(new URL(tab.url()).pathname).toBe(`/p/${page.slug}/index.html`)
      const colour = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(colour).toBe('rgb(25, 25, 25)')
      expect(await loadedFonts(frame)).toContain('Source Sans Pro')
      await photographed(opened, 'deck-first')

      await frame.focus('body')
      expect(await place(frame)).toEqual([0, 0])
      await tab.keyboard.press('ArrowRight')
      await becomes(() => place(frame), [1, 0])
      await becomes(() => new URL(tab.url()).hash, '#/1')
      await tab.keyboard.press('ArrowRight')
      await tab.keyboard.press('ArrowDown')
      await becomes(() => place(frame), [2, 1])
      await Bun.sleep(1200)
      await photographed(opened, 'deck-vertical')
      const highlighted = await frame.$$('pre code.hljs span[class^="hljs-"]')
      expect(highlighted.length).toBeGreaterThan(10)
      expect(problems).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'opens at the slide that its address names, and stays there on a reload',
    async () => {
      const page = await publishDeck(revealDeck(pictureOf('png')))
      const { tab, frame, problems } = await open(`${page.url}/index.html#/3`, '.reveal.ready')
      await becomes(() => place(frame), [3, 0])
      await tab.reload()
      const again = await frameWith(tab, '.reveal.ready')
      await becomes(() => place(again), [3, 0])
      expect(problems).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'has a second page, whose references from the root lead into the deck',
    async () => {
      const page = await publishDeck(revealDeck(pictureOf('png')))
      const opened = await open(`${page.url}/handout/`, '#root')
      const { tab, frame, problems } = opened
      expect(await loadedFonts(frame)).toContain('League Gothic')
      expect(await imageWidths(frame)).toEqual([pictureOf('png').width])
      await photographed(opened, 'deck-handout')
      await frame.click('#root')
      const deck = await frameWith(tab, '.reveal.ready')
      await becomes(() => place(deck), [2, 0])
      expect(new URL(tab.url()).pathname).toBe(`/p/${page.slug}/index.html`)
      expect(problems).toEqual([])
    },
    PATIENCE_MS,
  )
})

test(
  'a single file of several megabytes shows every image in it',
  async () => {
    const html = photoEssay([...pictures, animatedGif()])
    expect(html.length).toBeGreaterThan(5 * MB)
    const opened = await open((await publishHtml(html)).url, 'figure:last-child img')
    const widths = await imageWidths(opened.frame)
    expect(widths).toEqual([...pictures, animatedGif()].map(({ width }) => width))
    await photographed(opened, 'photo-essay')
    expect(opened.problems).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'several megabytes of inline script run',
  async () => {
    const html = chartPage()
    expect(html.length).toBeGreaterThan(4 * MB)
    const opened = await open((await publishHtml(html)).url, '#chart .main-svg .point')
    const { frame, problems } = opened
    expect((await frame.$$('#chart .scatterlayer .point')).length).toBe(200)
    expect(await frame.textContent('#chart .gtitle')).toContain('several megabytes')
    await photographed(opened, 'chart')
    expect(problems).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'a PDF of several megabytes shows its pages, their text and their number',
  async () => {
    const bytes = await manual(pictures.filter(({ mime }) => mime !== 'image/webp'))
    expect(bytes.byteLength).toBeGreaterThan(3 * MB)
    const page = await publishFile({ name: 'manual.pdf', bytes })
    expect(page.file?.mime).toBe('application/pdf')
    const opened = await open(page.url, '.page[data-page-number="1"] .endOfContent')
    const { tab, problems } = opened
    expect(await tab.textContent('#page-count')).toBe(String(PDF_PAGES))
    const text = await tab.textContent('.page[data-page-number="1"] .textLayer')
    expect(text).toContain('Chapter 1 of the manual')
    await photographed(opened, 'pdf-first')
    await tab.fill('#page', String(PDF_PAGES - 1))
    await tab.press('#page', 'Enter')
    const late = `.page[data-page-number="${PDF_PAGES - 1}"]`
    await tab.waitForSelector(`${late} .endOfContent`, { state: 'attached' })
    expect(await tab.textContent(`${late} .textLayer`)).toContain(`Chapter ${PDF_PAGES - 1} of`)
    await Bun.sleep(500)
    await photographed(opened, 'pdf-late')
    expect(problems).toEqual([])
  },
  PATIENCE_MS,
)

test.each(['png', 'jpeg', 'webp', 'gif'])(
  'an image of type %s is shown whole',
  async (type) => {
    const picture = type === 'gif' ? animatedGif() : pictureOf(type)
    const page = await publishFile(picture)
    expect(page.file).toEqual({
      name: picture.name,
      mime: picture.mime,
      size_bytes: picture.bytes.byteLength,
    })
    const opened = await open(page.url, '#image')
    const output = await opened.frame.evaluate(async () => {
      const image = document.querySelector<HTMLImageElement>('#image')!
      await image.decode()
      const { width, height } = image.getBoundingClientRect()
      return { natural: [image.naturalWidth, image.naturalHeight], isSeen: width * height > 100 }
    })
    expect(output).toEqual({ natural: [picture.width, picture.height], isSeen: true })
    await photographed(opened, `image-${type}`)
    expect(opened.problems).toEqual([])
  },
  PATIENCE_MS,
)

test('a page that names no icon leaves no error in the console', async () => {
  const page = await pro.publish({ html: '<!doctype html><title>Plain</title><p>Plain' })
  const { tab, problems } = await newWindow(browser())
  await tab.goto(page.url)
  await Bun.sleep(1000)
  expect(problems).toEqual([])
})
