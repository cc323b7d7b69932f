/** Files of a page in the sandbox are saved, drawn, found and refused as on a plain static host. */
import { expect } from 'bun:test'
import { becomes } from './browser.ts'
import { deckOf, inBoth, opened, resultOf } from './isolation-decks.ts'
import { type Promised, textOf, type View, type Visitor } from './isolation-visitor.ts'
import { word } from './material.ts'

const drawing = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${colour}"/></svg>`

/** @param name that no other test saves a file by */
const saving = (name: string) => ({
  'index.html': `<!doctype html><title>Saving</title><body id=ready>
<a id=named href="data/${name}.csv" download="${name}-named.csv">a</a>
<a id=bare href="data/${name}.csv?v=2" download target=_blank>a</a>
<a id=program href="img/${name}.svg" download="${name}-program.exe">a</a>
<a id=stopped href="data/${name}.csv" download="${name}-stopped.csv">a</a>
<a id=prevented href="data/${name}.csv" download="${name}-prevented.csv">a</a>
<a id=page href="about.html" download="${name}-page.html">a</a>
<a id=data href="data:text/plain,data" download="${name}-data.txt">a</a>
<button id=made>a</button> <button id=sent>a</button> <button id=blob>a</button>
<script>
const find = (id) => document.getElementById(id)
const made = (href, name) =>
  Object.assign(document.createElement('a'), { href, download: '${name}-' + name })
find('stopped').onclick = (event) => event.stopPropagation()
find('prevented').onclick = (event) => { window.seen = event.target.href; event.preventDefault() }
find('made').onclick = () => made('data/${name}.csv', 'made.csv').click()
find('sent').onclick = () =>
  made('data/${name}.csv', 'sent.csv').dispatchEvent(new MouseEvent('click'))
find('blob').onclick = () =>
  made(URL.createObjectURL(new Blob(['blob'])), 'blob.txt').click()
</script></body>`,
  'about.html': '<!doctype html><title>About</title><body id=about>about',
  [`data/${name}.csv`]: 'a,b',
  [`img/${name}.svg`]: drawing('red'),
})

/** What each link saves: by which name, and its first characters. */
const SAVED: [id: string, ending: string, start: string][] = [
  ['named', '-named.csv', 'a,b'],
  ['bare', '.csv', 'a,b'],
  ['program', '-program.exe.svg', '<svg'],
  ['stopped', '-stopped.csv', 'a,b'],
  ['made', '-made.csv', 'a,b'],
  ['sent', '-sent.csv', 'a,b'],
  ['blob', '-blob.txt', 'blob'],
  ['data', '-data.txt', 'data'],
]

async function savedAs(visitor: Visitor, name: string): Promise<string | undefined> {
  return (await visitor.saved())[name]?.slice(0, 4).trim()
}

/** An image is drawn, and its colour read. The own ones in each way that scripts make them. */
const drawn = (foreign: string) => ({
  'index.html': `<!doctype html><title>Drawn</title><body id=ready>
<img id=static src="img/red.svg"><div id=box></div><template><img src="img/red.svg"></template>
<script src="js/read.js"></script></body>`,
  'js/read.js': `const box = document.getElementById('box')
const read = async (image) => {
  try {
    if (!image.complete || image.naturalWidth === 0) {
      await new Promise((resolve, reject) => { image.onload = resolve; image.onerror = reject })
    }
    const pen = document.createElement('canvas').getContext('2d')
    pen.drawImage(image, 0, 0)
    return pen.getImageData(1, 1, 1, 1).data.join()
  } catch (error) { return error.name ?? 'not loaded' }
}
const added = (add) => { add(); return read(box.lastElementChild) }
const set = (set) => { const image = new Image(); set(image); return read(image) }
const loaded = async (image, src) => {
  image.src = src
  await image.decode().catch(() => {})
  return read(image)
}
const parsed = (html) => new DOMParser().parseFromString(html, 'text/html').body.firstChild
const results = async () => [
  await read(document.getElementById('static')),
  await set((image) => { image.src = 'img/red.svg' }),
  await set((image) => image.setAttribute('src', 'img/red.svg')),
  await set((image) => { image.srcset = 'img/red.svg 1x' }),
  await set((image) => { image.crossOrigin = 'use-credentials'; image.src = 'img/red.svg' }),
  await set((image) => { image.src = '${foreign}'; image.src = 'img/red.svg' }),
  await added(() => { box.innerHTML = '<p title=">"></p><img alt="x" src="img/red.svg?a=1&amp;b">' }),
  await added(() => box.insertAdjacentHTML('beforeend', '<img src=img/red.svg?c>')),
  await added(() => box.append(document.querySelector('template').content.cloneNode(true))),
  await set((image) => { image.src = '${foreign}' }),
  await set((image) => { image.src = 'img/red.svg'; image.src = '${foreign}' }),
  await added(() => { box.innerHTML = '<img src="${foreign}">' }),
  await loaded(document.getElementById('static'), '${foreign}'),
]
const late = document.importNode(parsed('<img src="img/red.svg?d">'))
box.append(late)
results().then(async (all) => { window.results = [...all, await read(late)] })`,
  'img/red.svg': drawing('red'),
})

const RED = '255,0,0,255'
const READ = [...Array(9).fill(RED), ...Array(4).fill('SecurityError'), RED]

const FOUND = {
  'index.html': `<!doctype html><title>Entry</title><body id=ready>
<a id=about href="about?from=entry">a</a> <a id=docs href="docs">a</a></body>`,
  'about.html': `<!doctype html><title>About</title><body id=ready><p id=text>about</p>
<a id=back href="./">a</a></body>`,
  'docs/index.html': `<!doctype html><title>Docs</title><body id=ready><p id=text>docs</p>
<a id=near href="near">a</a></body>`,
  'docs/near.html': '<!doctype html><title>Near</title><body id=ready><p id=text>near</p></body>',
}

const REFUSED = {
  'index.html': `<!doctype html><title>Refused</title><body id=ready><script>
const body = new URLSearchParams({ a: 1 })
const headers = { 'content-type': 'application/json' }
Promise.all([
  fetch('index.html', { method: 'POST', body }),
  fetch('missing', { method: 'POST', headers, body: '{}' }),
]).then((all) => { window.results = all.map(({ status }) => status) })</script></body>`,
}

/** The page's document now: that of the tab, or of the frame in our document. */
function viewOf({ tab }: Visitor): View {
  const framed = tab.frames().find((frame) => frame.parentFrame() === tab.mainFrame())
  return framed ?? tab
}

/** The text of an element; null where there is none, or another document is on its way. */
const textIn = (visitor: Visitor, selector: string) =>
  textOf(viewOf(visitor), selector).catch(() => null)

export const FILES: Promised = {
  'links with download save files of the page, by their name and type': async (meet) => {
    for (const isInShell of [true, false]) {
      const name = word('saved')
      const visitor = await meet()
      const { view } = await opened(visitor, saving(name), isInShell)
      const address = view.url()
      for (const [id, ending, start] of SAVED) {
        await view.locator(`#${id}`).click()
        await becomes(() => savedAs(visitor, name + ending), start)
      }
      // A link is as the page has written it, before and after a click, and to the page itself.
      await view.locator('#prevented').click()
      const seen = `[new URL(seen).search, find('prevented').href === seen,
find('bare').getAttribute('href'), find('bare').target, find('named').hasAttribute('target')]`
      await becomes(() => view.evaluate(seen), ['', true, `data/${name}.csv?v=2`, '_blank', false])
      expect([view.url(), (await visitor.tabs()).length]).toEqual([address, 1])
      expect(visitor.problems).toEqual([])
      // HTML is opened: what is sent of it is meant for the sandbox.
      await view.locator('#page').click()
      await becomes(() => textIn(visitor, '#about'), 'about')
      const names = Object.keys(await visitor.saved()).filter((each) => each.startsWith(name))
      expect(names.sort()).toEqual(SAVED.map(([, ending]) => name + ending).sort())
    }
  },

  'scripts read the pixels of images of the page, and of no others': async (meet) => {
    const other = await deckOf({ 'index.html': '<p>x', 'img.svg': drawing('lime') }, false)
    await inBoth(meet, drawn(`${other.url}/img.svg`), async ({ visitor, view }) => {
      await becomes(() => resultOf(view), JSON.stringify(READ))
      expect(visitor.problems).toEqual([])
    })
  },

  'relative links find documents without their extension, and folders': async (meet) => {
    await inBoth(meet, FOUND, async ({ visitor, page, view }) => {
      await view.locator('#about').click()
      await becomes(() => textIn(visitor, '#text'), 'about')
      await becomes(() => visitor.tab.url(), `${page.url}/about.html?from=entry`)
      await viewOf(visitor).locator('#back').click()
      await becomes(() => textIn(visitor, '#docs'), 'a')
      await viewOf(visitor).locator('#docs').click()
      await becomes(() => textIn(visitor, '#text'), 'docs')
      await viewOf(visitor).locator('#near').click()
      await becomes(() => textIn(visitor, '#text'), 'near')
      await becomes(() => visitor.tab.url(), `${page.url}/docs/near.html`)
    })
  },

  'scripts read that a page takes no POST': async (meet) => {
    await inBoth(meet, REFUSED, async ({ view }) => {
      await becomes(() => resultOf(view), '[405,405]')
    })
  },
}
