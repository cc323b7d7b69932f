/** Walks through a site as a visitor does, and through the same site elsewhere in the same way. */
import type { Browser, Frame, Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import type { BuiltSite } from './sites.ts'

/** What one step did. */
type Step = { do: 'open' | 'follow'; address: string } | { do: 'back' | 'forward' | 'reload' }

/** A step and what the document showed after it. */
export interface Stop {
  step: Step
  shown: Shown
  /** Whether each image of a style sheet loads; null where the step has not opened a document. */
  backgrounds: boolean[] | null
}

interface Shown {
  /** The path and fragment, from the root of the site. */
  address: string
  title: string
  text: string
  /** The natural size of each image. */
  images: string[]
  /** Whether each reference to a symbol of an SVG draws something. */
  symbols: boolean[]
  /** The addresses in the site that its links lead to. */
  links: string[]
}

/** Where a site stands. */
interface Place {
  /** The address of the site's root, without a slash at its end. */
  root: string
  /** The file that the root shows, as in an address. */
  entry: string
}

/** A window on a site, and what has failed in it. */
export interface Visit extends Place {
  tab: Tab
  /** Failed requests, and errors and warnings of the console. */
  problems: string[]
}

/** What Chromium says on any server. */
const OF_CHROMIUM = [
  // Of TypeDoc's script in a frame.
  /^Setting overlaysContent is only supported from the top level browsing context/,
  /^\[\.WebGL-\w+\]GL Driver Message \(OpenGL, Performance,/,
  /^XSLTProcessor and XSLT Processing Instructions have been deprecated by all browsers/,
]

/** Opens a window that notes each problem. */
export async function newVisit(
  browser: Browser,
  root: string,
  entry = 'index.html',
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  const problems: string[] = []
  context.on('response', (answer) => {
    if (answer.status() >= 400) problems.push(`${answer.status()} ${answer.url()}`)
  })
  context.on('requestfailed', (request) => {
    // A navigation ends what the document before it was still loading.
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') problems.push(`${reason} ${request.url()}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('console', (message) => {
    const type = message.type()
    const isOfChromium = OF_CHROMIUM.some((said) => said.test(message.text()))
    const isProblem = (type === 'error' || type === 'warning') && !isOfChromium
    if (isProblem) problems.push(`${type}: ${message.text()}`)
  })
  return { tab: await context.newPage(), root, entry: encodeURI(entry), problems }
}

/**
 * Runs in a document: what it shows now. With `follow`, it clicks the first visible link to that
 * address of the site. Below the address of a page there may be the token of a frame.
 */
function inDocument({ root, entry, follow }: Place & { follow?: string }): Shown {
  const atRoot = new RegExp(`^(?:/${entry})?(?=$|[?#])`)
  const inSite = (url: string) =>
    url === root || url.startsWith(`${root}/`)
      ? url
          .slice(root.length)
          .replace(/^\/~[^/]+/, '')
          .replace(atRoot, '/')
      : null
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    .filter((link) => link.checkVisibility({ visibilityProperty: true }) && !link.download)
    .filter((link) => link.role !== 'button' && link.target !== '_blank')
    .map((link) => ({ link, address: inSite(link.href) }))
  if (follow !== undefined) links.find(({ address }) => address === follow)!.link.click()
  // A document of XML may have no body.
  const text = document.body?.innerText ?? document.documentElement.textContent ?? ''
  return {
    address: inSite(location.href) ?? location.href,
    title: document.title,
    text: text.replace(/\s+/g, ' ').trim(),
    images: [...document.images].map(
      (image) => `${image.naturalWidth}x${image.naturalHeight}${image.complete ? '' : ' loading'}`,
    ),
    symbols: [...document.querySelectorAll('use')].map((use) => {
      const { width, height } = use.getBBox()
      return width + height > 0
    }),
    links: [...new Set(links.flatMap(({ address }) => address ?? []))],
  }
}

/** Whether each image that a style sheet names can be drawn. */
function readBackgrounds(): Promise<boolean[]> {
  const styles = [...document.querySelectorAll('*')].flatMap((element) =>
    [null, '::before', '::after'].map((part) => getComputedStyle(element, part)),
  )
  const urls = styles.flatMap(({ backgroundImage, maskImage }) =>
    [...`${backgroundImage} ${maskImage}`.matchAll(/url\("([^"]+)"\)/g)].map(([, url]) => url!),
  )
  const drawn = (url: string) =>
    Object.assign(new Image(), { src: url })
      .decode()
      .then(
        () => true,
        () => false,
      )
  return Promise.all([...new Set(urls)].map(drawn))
}

/** The document of the site: that of the window, or of the frame in a document of ours. */
function siteIn({ tab, root }: Visit): Frame {
  const framed = tab.frames().find((frame) => frame.url().startsWith(`${root}/~`))
  return framed ?? tab.mainFrame()
}

const read = (visit: Visit) =>
  siteIn(visit)
    .evaluate(inDocument, { root: visit.root, entry: visit.entry })
    .catch(() => null)

/** Until the document is painted and its scripts have nothing to do, however slow the machine is. */
const idle = (visit: Visit) =>
  siteIn(visit)
    .evaluate(async () => {
      // Observers of what is in view are told with the second frame.
      for (let n = 0; n < 2; n++) await new Promise((resolve) => requestAnimationFrame(resolve))
      await new Promise((resolve) => requestIdleCallback(resolve))
    })
    .catch(() => null)

const backgroundsIn = (visit: Visit) => siteIn(visit).evaluate(readBackgrounds)

async function take(visit: Visit, step: Step): Promise<void> {
  const { tab, root, entry } = visit
  if (step.do === 'open') await tab.goto(root + step.address)
  else if (step.do === 'back') await tab.goBack()
  else if (step.do === 'forward') await tab.goForward()
  else if (step.do === 'follow') {
    await siteIn(visit).evaluate(inDocument, { root, entry, follow: step.address })
  } else await tab.reload()
}

/**
 * Walks through a site from its root: opens each document by its address, loads it again, follows
 * each link that no document before it had, and goes back and forward.
 */
export async function walk(visit: Visit, site: BuiltSite): Promise<Stop[]> {
  const stops: Stop[] = []
  const go = async (step: Step) => {
    const before = await read(visit)
    await take(visit, step)
    // A router moves some time after the click, and until then the document is the old one.
    const moves = 'address' in step ? step.address !== before?.address : step.do !== 'reload'
    const answer = await settled(visit, site, moves ? before?.address : undefined)
    const backgrounds = step.do === 'open' ? await backgroundsIn(visit) : null
    stops.push({ step, shown: answer, backgrounds })
    return answer
  }
  const followed = new Set<string>(['/'])
  const documents = new Set<string>(['/'])
  for (const document of documents) {
    const { links } = await go({ do: 'open', address: document })
    await go({ do: 'reload' })
    let hasGoneForward = false
    for (const address of links) {
      if (followed.has(address)) continue
      followed.add(address)
      const place = await placeInHistory(visit)
      const { address: reached } = await go({ do: 'follow', address })
      documents.add(reached.replace(/#.*/, ''))
      // A router stays where it is when it is there already. A fragment is one step at once.
      const isFragment = address.startsWith(`${document}#`)
      if (isFragment || (await placeInHistory(visit)) === place) continue
      await go({ do: 'back' })
      if (hasGoneForward) continue
      hasGoneForward = true
      await go({ do: 'forward' })
      await go({ do: 'back' })
    }
  }
  return stops
}

const placeInHistory = ({ tab }: Visit) => tab.evaluate(() => navigation.currentEntry!.index)

/**
 * Waits until the document shows what it is to show, and nothing changes any more.
 *
 * @param left the address that the step leads away from
 */
async function settled(visit: Visit, { documents }: BuiltSite, left?: string): Promise<Shown> {
  let before = ''
  await becomes(async () => {
    await idle(visit)
    const now = await read(visit)
    const text = JSON.stringify(now)
    const address = now?.address ?? ''
    const marker = documents[address] ?? documents[address.replace(/#.*/, '')]
    const isSame = text === before
    before = text
    const isShown = address !== left && marker !== undefined && now!.text.includes(marker)
    return (isShown && isSame && !text.includes(' loading')) || text
  }, true)
  return JSON.parse(before)
}

/** Takes the same steps elsewhere, and waits until each shows the same. */
export async function walkAgain(visit: Visit, stops: readonly Stop[]): Promise<void> {
  for (const { step, shown, backgrounds } of stops) {
    const where = `${JSON.stringify(step)} at ${visit.tab.url()}`
    try {
      await take(visit, step)
      await becomes(() => read(visit), shown)
      if (backgrounds === null) continue
      await becomes(() => backgroundsIn(visit).catch(() => null), backgrounds)
    } catch (error) {
      throw new Error(`${where}: ${error}\n${visit.problems.join('\n')}`)
    }
  }
}
