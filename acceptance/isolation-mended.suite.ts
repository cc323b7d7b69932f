/** Sites as a plain static host serves them: what is mended for the sandbox works in any browser. */
import { expect } from 'bun:test'
import { becomes, framed } from './browser.ts'
import { type Page, pro } from './client.ts'
import { type Promised, unlock, type View, type Visitor } from './isolation-visitor.ts'
import { base64 } from './material.ts'

const PASSWORD = 'open sesame'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

type Texts = Record<string, string>

/** A deck of these files, in the shell where it has a password. */
function deckOf(texts: Texts, isInShell: boolean): Promise<Page> {
  const files = Object.entries(texts)
  const isPage = ([path]: [string, string]) => path.endsWith('.html')
  return pro.publish({
    ...(isInShell && { access: 'password', password: PASSWORD }),
    files: files.filter(isPage).map(([path, html]) => ({ path, html })),
    assets: files
      .filter((file) => !isPage(file))
      .map(([path, text]) => ({ path, data_base64: base64(text) })),
  })
}

/** Opens the deck, in the shell or directly. */
async function opened(visitor: Visitor, texts: Texts, isInShell: boolean) {
  const page = await deckOf(texts, isInShell)
  const { tab } = visitor
  if (isInShell) await unlock(visitor, page.url, PASSWORD)
  else await tab.goto(page.url)
  const view: View = isInShell ? await framed(tab, '#ready') : tab
  return { page, view }
}

/** Opens the deck in the shell, and then directly. */
async function inBoth(
  meet: () => Promise<Visitor>,
  texts: Texts,
  holds: (opened: { visitor: Visitor; page: Page; view: View }) => Promise<void>,
): Promise<void> {
  for (const isInShell of [true, false]) {
    const visitor = await meet()
    await holds({ visitor, ...(await opened(visitor, texts, isInShell)) })
  }
}

const resultOf = (view: View) => view.evaluate('JSON.stringify(window.results ?? null)')

const ROOTED = {
  'index.html': `<!doctype html><title>Rooted</title><body id=ready>
<script type=module src="/assets/app.js"></script></body>`,
  'assets/app.js': `import { name } from '/assets/name.js'
const image = new Image(); image.src = '/img/a.svg'; await image.decode()
const near = new Image(); near.src = new URL('/img/a.svg', import.meta.url); await near.decode()
const { data } = await (await fetch("/data.json")).json()
window.results = [name, data, image.naturalWidth, near.naturalWidth]`,
  'assets/name.js': `export const name = 'name'`,
  'data.json': '{"data":"data"}',
  'img/a.svg': SVG,
}

export const MENDED: Promised = {
  'scripts load files by their addresses from the root': async (meet) => {
    await inBoth(meet, ROOTED, async ({ visitor, view }) => {
      await becomes(() => resultOf(view), '["name","data",9,9]')
      expect(visitor.problems).toEqual([])
    })
  },
}
