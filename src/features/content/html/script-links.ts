import { parse } from 'es-module-lexer/minimal'
import { type Patch, patchText } from './bytes.ts'
import { createLinkRewriter, type Deck, type LinkRewriter } from './deck-links.ts'
import type { RewriteUrl } from './link-lists.ts'
import { findStrings, type StringPlace } from './script-strings.ts'
import { baseOf, findVitePrefix, type StringUse, stringUse } from './string-uses.ts'

interface ScriptLinks {
  /** Of what is relative to the script, such as its imports. */
  fromScript: LinkRewriter
  /**
   * Of what is relative to the document that runs the script; null where documents in folders of
   * different depth may run it.
   */
  fromDocument: LinkRewriter | null
}

/** The links of a `.js` file, which any document of the deck may run. */
export function linksOfScript(path: string, source: string, deck: Deck): ScriptLinks {
  const fromScript = createLinkRewriter(deck, depthOf(path))
  // What a worker loads is relative to its own file.
  if (isWorker(source)) return { fromScript, fromDocument: fromScript }
  const depth = documentDepth(deck)
  return { fromScript, fromDocument: depth === null ? null : createLinkRewriter(deck, depth) }
}

/**
 * Makes relative, in a script, the names of imported modules and each string that is the
 * root-relative address of a file of the deck. A script that cannot be parsed stays as it is.
 */
export function rewriteScript(source: string, links: ScriptLinks): string {
  if (source.length > MAX_SCRIPT_CHARS || !/["'`]\//.test(source)) return source
  const imports = importPatches(source, (name) => links.fromScript(name, 'module'))
  const isImported = new Set(imports.map(({ start }) => start))
  const strings = stringPatches(source, links).filter(({ start }) => !isImported.has(start))
  const all = [...imports, ...strings, ...prefixPatches(source, links)]
  return patchText(
    source,
    all.sort((a, b) => a.start - b.start),
  )
}

interface Address extends StringPlace {
  text: string
  use: StringUse
}

function stringPatches(source: string, { fromScript, fromDocument }: ScriptLinks): Patch[] {
  const addresses = addressesIn(source, fromScript)
  // What the script also uses as a name, for a route or in a table, stays one everywhere.
  const names = new Set(addresses.filter(isName).map(({ text }) => text))
  return addresses.flatMap((address): Patch[] => {
    const { text, use, start, end } = address
    const isPage = /\.html?(?:[?#]|$)/i.test(text)
    if (names.has(text) || use === 'part' || (isPage && use !== 'opened')) return []
    const base = baseOf(source, address)
    const link = base === 'script' ? fromScript : base === 'document' ? fromDocument : null
    const next = link?.(text, 'module') ?? null
    return next === null ? [] : [{ start, end, text: next }]
  })
}

function isName({ use }: Address): boolean {
  return use === 'key' || use === 'compared'
}

/** The strings that are the address of a file of the deck. */
function addressesIn(source: string, link: LinkRewriter): Address[] {
  if (!mayHaveAddress(source, link)) return []
  const addresses: Address[] = []
  for (const place of findStrings(source) ?? []) {
    const { start, end } = place
    if (source[start] !== '/' || end - start > MAX_ADDRESS_CHARS) continue
    const text = source.slice(start, end)
    if (link(text, 'module') === null) continue
    addresses.push({ ...place, text, use: stringUse(source, place) })
  }
  return addresses
}

const MAX_ADDRESS_CHARS = 512
const ROOT_STRING = new RegExp(
  String.raw`(["'\x60])(\/(?!\/)[^"'\x60\\\n<>{}$]{1,${MAX_ADDRESS_CHARS}})\1`,
  'g',
)

/** Most scripts name no file: they need not be read token by token. */
function mayHaveAddress(source: string, link: LinkRewriter): boolean {
  for (const [, , text] of source.matchAll(ROOT_STRING)) {
    if (link(text!, 'module') !== null) return true
  }
  return false
}

function prefixPatches(source: string, { fromDocument }: ScriptLinks): Patch[] {
  const start = findVitePrefix(source)
  const root = fromDocument?.('/', 'prefix') ?? null
  if (start === null || root === null) return []
  // As the addresses in HTML, which the build compares with these.
  return [{ start, end: start + 1, text: root.replace(/^\.\//, '') }]
}

/** A script that receives messages and has no document. */
function isWorker(source: string): boolean {
  return !/\bdocument\b/.test(source) && RECEIVES.test(source)
}

const RECEIVES =
  /\bimportScripts\s?\(|\bonmessage\s?=|\baddEventListener\(\s?["'\x60]message["'\x60]/

/** In how many folders each of the deck's documents is; null where that differs. */
function documentDepth({ paths }: Deck): number | null {
  let depth: number | null = null
  for (const path of paths) {
    if (!/\.html?$/i.test(path)) continue
    const own = depthOf(path)
    if (depth !== null && depth !== own) return null
    depth = own
  }
  return depth
}

export function depthOf(path: string): number {
  return path.split('/').length - 1
}

// The lexer's memory grows to about ten times its longest source and is never freed.
const MAX_SCRIPT_CHARS = 8 * 1024 * 1024

/**
 * Finds the module names in `import`, `export … from` and `import('…')` that are to be rewritten;
 * none in a script that cannot be parsed.
 */
function importPatches(source: string, rewrite: RewriteUrl): Patch[] {
  if (!/import|export/.test(source)) return []
  const patches: Patch[] = []
  for (const { n: name, s, e, d: dynamicAt } of importsOf(source)) {
    if (name === undefined) continue
    // The range of a dynamic import is its expression, with the quotes.
    const quote = dynamicAt >= 0 ? 1 : 0
    const start = s + quote
    const end = e - quote
    if (source.slice(start, end) !== name) continue
    const next = rewrite(name, start)
    if (next !== null) patches.push({ start, end, text: next })
  }
  return patches
}

/** What a module imports before it runs, and where the names are in the source. */
export function staticImports(source: string): { name: string; at: number }[] {
  if (source.length > MAX_SCRIPT_CHARS || !/import|export/.test(source)) return []
  return importsOf(source).flatMap(({ n: name, s: at, d: dynamicAt }) =>
    name === undefined || dynamicAt >= 0 ? [] : [{ name, at }],
  )
}

function importsOf(source: string) {
  try {
    return parse(source)[0]
  } catch {
    return []
  }
}
