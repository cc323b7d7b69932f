/** What a page in the shell can do as in a window of its own, in any browser. */
import { expect } from 'bun:test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { becomes, framed } from './browser.ts'
import { pro } from './client.ts'
import { type Promised, type Tab, textOf, type Visitor } from './isolation-visitor.ts'
import { base64 } from './material.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
const STORES = '<script>localStorage.x = 1</script>'

async function opened({ tab }: Visitor, html: string) {
  const page = await pro.publish({ html: html + STORES })
  await tab.goto(page.url)
  return { page, frame: await framed(tab, 'body') }
}

async function printed(tab: Tab): Promise<string[]> {
  const data = new Uint8Array(await tab.pdf({ width: '1000px', height: '1000px' }))
  const pdf = await getDocument({ data }).promise
  const sheets: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    sheets.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return sheets
}

const OPENERS = `<button id=away>away</button><button id=later>later</button>
<button id=write>write</button><script>
const usable = (w) => { w.opener = null; w.focus(); return [w !== null, w.closed] }
away.onclick = () => { window.first = window.open('two.html'); window.at_once = usable(first) }
later.onclick = () => {
  const w = window.open('', '_blank')
  window.at_once = usable(w)
  setTimeout(() => { w.location.href = 'two.html?later' }, 50)
}
write.onclick = () => {
  const w = window.open('', '', 'width=300,height=300')
  window.at_once = usable(w)
  w.document.write('<!doctype html><title>Slip</title><p id=slip>slip</p><img src="one.svg">')
  w.document.close()
}
</script>`
const UNASKED = `<script>window.unasked = [window.open(''), window.open('two.html')]</script>`

export const WINDOW: Promised = {
  'windows that a page opens do open, and its script gets a usable handle': async (meet) => {
    const visitor = await meet()
    const { tab, problems } = visitor
    const page = await pro.publish({
      files: [
        { path: 'index.html', html: `<title>One</title>${OPENERS}${STORES}` },
        { path: 'two.html', html: '<title>Two</title><p>two</p>' },
      ],
      assets: [{ path: 'one.svg', data_base64: base64(SVG) }],
    })
    await tab.goto(page.url)
    const frame = await framed(tab, '#write')
    const press = async (id: string) => {
      await tab.bringToFront()
      await frame.evaluate('window.at_once = undefined')
      await frame.locator(`#${id}`).click()
      await becomes(() => frame.evaluate('window.at_once'), [true, false])
    }
    const newest = async (isIt: (other: Tab) => boolean) => {
      const find = async () => (await visitor.tabs()).find(isIt)
      await becomes(async () => (await find()) !== undefined, true)
      return (await find())!
    }
    await press('away')
    await newest((other) => other.url() === `${page.url}/two.html`)
    await becomes(() => frame.evaluate('first.closed'), true)
    await press('later')
    await newest((other) => other.url() === `${page.url}/two.html?later`)
    await press('write')
    const slip = await newest((other) => other.url().startsWith('blob:'))
    await becomes(() => textOf(slip, '#slip'), 'slip')
    await becomes(() => slip.evaluate('document.images[0].naturalWidth'), 9)
    expect(await slip.evaluate('[self.origin, window.opener, document.compatMode]')).toEqual([
      ...['null', null, 'CSS1Compat'],
    ])
    expect(await visitor.tabs()).toHaveLength(4)
    expect(problems).toEqual([])
  },

  'a page gets null for a window that was blocked': async (meet) => {
    const visitor = await meet()
    const { frame } = await opened(visitor, UNASKED)
    await becomes(() => frame.evaluate('window.unasked'), [null, null])
    // A call by the test counts as the user's.
    expect(await frame.evaluate(`window.open('two.html', '', 'noopener')`)).toBeNull()
  },

  'keys reach the page from the start, and the browser’s shortcuts stay its own': async (meet) => {
    const visitor = await meet()
    const { frame } = await opened(
      visitor,
      `<body><p>sought</p><div style="height:5000px"></div><script>window.kept = []
addEventListener('keydown', (e) => setTimeout(() => { if (e.defaultPrevented) kept.push(e.key) }))
</script>`,
    )
    const { keyboard } = visitor.tab
    // A window that an earlier test opened may come up late.
    await visitor.tab.bringToFront()
    await becomes(() => frame.evaluate('document.hasFocus()'), true)
    for (const key of [' ', 'PageDown', 'ArrowDown']) {
      const before = Number(await frame.evaluate('scrollY'))
      await keyboard.press(key)
      await becomes(async () => Number(await frame.evaluate('scrollY')) > before, true)
    }
    await keyboard.down('Control')
    for (const key of ['f', 'g', 'a', 'c', '+', '0']) await keyboard.press(key)
    await keyboard.up('Control')
    expect(await frame.evaluate('new Promise((done) => setTimeout(() => done(kept), 50))')).toEqual(
      [],
    )
  },

  'an element can fill the screen': async (meet) => {
    const visitor = await meet()
    const { frame } = await opened(
      visitor,
      `<div id=all>all</div><button id=go>go</button><script>
go.onclick = () => all.requestFullscreen().catch((e) => { window.refused = String(e) })</script>`,
    )
    await visitor.tab.bringToFront()
    await frame.locator('#go').click()
    await becomes(() => frame.evaluate('window.refused ?? document.fullscreenElement?.id'), 'all')
    await frame.evaluate('document.exitFullscreen()')
  },

  'a page may copy and stay awake, and gets nothing that browsers grant to this host': async (
    meet,
  ) => {
    const visitor = await meet()
    const { frame } = await opened(
      visitor,
      `<button id=go>go</button><script>
// Firefox says what a frame may ask for in the answer to a query alone.
const stateOf = (name) => document.featurePolicy
  ? document.featurePolicy.allowsFeature(name) ? 'allowed' : 'denied'
  : navigator.permissions.query({ name }).then(({ state }) => state, () => 'denied')
const located = new Promise((done) => {
  navigator.geolocation.getCurrentPosition(() => done('located'), ({ code }) => done(code))
})
go.onclick = async () => {
  const copied = await navigator.clipboard.writeText('mine').then(() => 'copied', String)
  const states = ['geolocation', 'clipboard-read', 'camera', 'microphone'].map(stateOf)
  window.results = [copied, await located, ...(await Promise.all(states))]
}</script>`,
    )
    await visitor.tab.bringToFront()
    await frame.locator('#go').click()
    await becomes(() => frame.evaluate('window.results'), ['copied', 1, ...Array(4).fill('denied')])
  },

  'printing prints all of the page': async (meet) => {
    const visitor = await meet()
    const sheets = Array.from({ length: 5 }, (_, index) => `<p>sheet ${index}</p>`)
    const { frame } = await opened(
      visitor,
      `<style>body{margin:0}p{height:1000px;margin:0}</style>${sheets.join('')}`,
    )
    await becomes(() => frame.evaluate('document.documentElement.scrollHeight'), 5000)
    await becomes(
      () =>
        visitor.tab.evaluate(`document.documentElement.style.getPropertyValue('--page-height')`),
      '5000px',
    )
    const text = (await printed(visitor.tab)).join(' ')
    for (const index of [0, 1, 2, 3, 4]) expect(text).toContain(`sheet ${index}`)
  },
}
