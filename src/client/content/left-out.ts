import { isSourceCode } from '../../model/file-types.ts'
import { isMarkdownName, pathInDeck } from '../../model/markdown/source.ts'
import {
  type DeckFile,
  extensionOf,
  isHtmlName,
  type LocalContent,
  type LocalDeck,
} from './local-content.ts'

/** Whether a file can be a page of its own. */
export const isPage = (path: string) => isHtmlName(path) || isMarkdownName(path)

const BUILD_FOLDERS = ['dist', 'build', 'out', '_site', 'public']

/**
 * Which files of a folder browsers do not get, and why; which a single page takes along.
 *
 * @returns a line for each file that the pages use, then one for the others of each reason; and
 *   whether somebody should look before the deck is published, as a page may lack something
 */
export async function findLeftOut(local: LocalContent) {
  if (local.kind === 'file') return { lines: [], mayLackFiles: false }
  const { skipped = [] } = local
  const { pages, assets, entry } = local.kind === 'deck' ? local : { pages: [], assets: [] }
  const usedBy = await findUses({ pages, assets, skipped })
  const isUsed = ({ path }: { path: string }) => usedBy.has(path)
  const others = skipped.filter((file) => !isUsed(file))
  const along = [...pages, ...assets].filter(({ path }) => path !== entry)
  const lines = [
    ...(entry === undefined ? [] : [`With it: ${along.map(({ path }) => path).join(', ')}.`]),
    ...assets.filter(isUsed).map(({ path }) => describeSource(path, usedBy.get(path)!, pages)),
    ...skipped
      .filter(isUsed)
      .map(({ path, reason }) => `Left out, but ${usedBy.get(path)} uses it: ${path} (${reason}).`),
    ...[...new Set(others.map(({ reason }) => reason))].map((reason) => {
      const paths = others.filter((file) => file.reason === reason).map(({ path }) => path)
      return `Left out ${paths.join(', ')}: ${reason}.`
    }),
  ]
  return { lines, mayLackFiles: usedBy.size > 0 || skipped.some(({ isExpected }) => !isExpected) }
}

export const describeEntry = (entryPath: string) => `The page opens at ${entryPath}.`

function describeSource(path: string, page: string, pages: readonly DeckFile[]): string {
  const folder = page.slice(0, page.lastIndexOf('/') + 1)
  const buildFolder = BUILD_FOLDERS.map((name) => `${folder}${name}/`).find((name) =>
    pages.some((file) => file.path === `${name}index.html`),
  )
  const cure =
    buildFolder === undefined
      ? 'Build the project, and publish the folder that the build writes, often dist/.'
      : `Did you mean ${buildFolder}?`
  return `${page} loads ${path}, which is source code: browsers do not run it. ${cure}`
}

/** How much of one file is searched for references. */
const MAX_BYTES = 1024 * 1024
const MAX_TAG = 1024
const REFERENCE = new RegExp(
  [
    String.raw`\b(src|href|poster|data|(?:image)?srcset)\s{0,9}=\s{0,9}`,
    String.raw`(?:"([^"]{1,4096})"|'([^']{1,4096})'|([^\s"'<>\x60]{1,1024}))`,
    String.raw`|url\(\s{0,9}["']?([^"')\s]{1,1024})|@import\s{1,9}["']([^"']{1,1024})`,
    String.raw`|\]\(\s{0,9}<([^<>\n]{1,1024})>|\]\(\s{0,9}([^\s<>)]{1,1024})`,
    String.raw`|^ {0,3}\[[^\]\n]{1,200}\]:\s{0,9}<?([^\s<>]{1,1024})`,
    // What scripts load: `import './a.js'`, `fetch('data.json')`, `new Worker('b.js')`.
    String.raw`|\b(?:from|import|importScripts|fetch|Worker|URL|csv|json|load)\b`,
    String.raw`[\s(]{0,9}["'\x60]([^"'\x60\n]{1,1024})["'\x60]`,
  ].join(''),
  'gim',
)

interface Reference {
  /** As it is written. */
  reference: string
  /** False of a link, which is followed by those who press it. */
  isLoaded: boolean
  /** Whether browsers would have to run it, if it is source code. */
  isRun: boolean
}

/** A link, or what a script of the page compiles, as Babel and Less do. */
const NOT_RUN = /^<a\b|\s(?:type|rel)\s{0,9}=\s{0,9}["']?(?:text|stylesheet)\/(?!javascript|css)/i

/** The references in a file of HTML, Markdown, CSS or JavaScript. */
export async function referencesIn(blob: Blob): Promise<Reference[]> {
  const text = await blob.slice(0, MAX_BYTES).text()
  return Array.from(text.matchAll(REFERENCE)).flatMap((match) => {
    const [whole, name = '', ...values] = match
    const value = values.find((each) => each !== undefined)!
    const references = /srcset$/i.test(name) ? value.split(',').map(firstWord) : [value]
    const tag = tagAt(text, match.index)
    const isLink = /^href$/i.test(name) && !OF_WORKBOOK.test(tag)
    const isLoaded = !isLink && !whole.startsWith(']')
    const isRun = !/^(?:\]|fetch|URL)/.test(whole) && !NOT_RUN.test(tag)
    return references.map((reference) => ({ reference, isLoaded, isRun }))
  })
}

/** How Excel names the sheets of a workbook that it saves as a page. */
const OF_WORKBOOK = /\sid\s{0,9}=\s{0,9}["']?shLink\b/i

/** The tag around a place, or the last before it. */
function tagAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_TAG), at)
  return before.slice(before.lastIndexOf('<')) + text.slice(at, at + MAX_TAG).split('>', 1)[0]
}

const firstWord = (text: string) => text.trim().split(/\s/, 1)[0]!

/**
 * What a page or a style sheet uses and browsers do not get as they need it, each with one file
 * that uses it: files and folders that are left out, and source code.
 */
async function findUses({
  pages,
  assets,
  skipped,
}: Pick<LocalDeck, 'pages' | 'assets' | 'skipped'>): Promise<Map<string, string>> {
  const uses = new Map<string, string>()
  const sources = new Set(assets.map(({ path }) => path).filter(isSourceCode))
  const files = new Set([...skipped.map(({ path }) => path), ...sources])
  if (files.size === 0) return uses
  const folders = [...files].filter((path) => path.endsWith('/'))
  const styles = assets.filter(({ path }) => extensionOf(path) === 'css')
  for (const { path, blob } of [...pages, ...styles]) {
    for (const { reference, isRun } of await referencesIn(blob)) {
      const target = pathInDeck(reference, path)
      if (target === null || (sources.has(target) && !isRun)) continue
      const use = files.has(target) ? target : folders.find((folder) => target.startsWith(folder))
      if (use !== undefined && !(uses.has(use) && isPage(uses.get(use)!))) uses.set(use, path)
    }
  }
  return uses
}
