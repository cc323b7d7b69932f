/** Decks that a visitor opens in the shell, and directly. */
import { framed } from './browser.ts'
import { type Page, pro } from './client.ts'
import { unlock, type View, type Visitor } from './isolation-visitor.ts'
import { base64 } from './material.ts'

export const PASSWORD = 'open sesame'

/** The files of a deck by their paths. */
type Texts = Record<string, string>

/** A deck of these files, in the shell where it has a password. */
export function deckOf(texts: Texts, isInShell: boolean): Promise<Page> {
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
export async function opened(visitor: Visitor, texts: Texts, isInShell: boolean) {
  const page = await deckOf(texts, isInShell)
  const { tab } = visitor
  if (isInShell) await unlock(visitor, page.url, PASSWORD)
  else await tab.goto(page.url)
  const view: View = isInShell ? await framed(tab, '#ready') : tab
  return { page, view }
}

/** Opens the deck in the shell, and then directly. */
export async function inBoth(
  meet: () => Promise<Visitor>,
  texts: Texts,
  holds: (opened: { visitor: Visitor; page: Page; view: View }) => Promise<void>,
): Promise<void> {
  for (const isInShell of [true, false]) {
    const visitor = await meet()
    await holds({ visitor, ...(await opened(visitor, texts, isInShell)) })
  }
}

/** What the page's script has found, as JSON. */
export const resultOf = (view: View) => view.evaluate('JSON.stringify(window.results ?? null)')
