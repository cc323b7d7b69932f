import { isSourceCode } from '../../model/file-types.ts'
import { extensionOf, isHtmlName, type LocalContent, type SkippedFile } from './local-content.ts'

type Deck = Extract<LocalContent, { kind: 'deck' }>

const MAX_NAMES = 5
const MAX_USED = 5
const BUILD_FOLDERS = ['dist', 'build', 'out', '_site', 'public']

/**
 * Says which files of a folder browsers do not get, and why: first those that the pages use, then
 * the others by reason.
 */
export function describeLeftOut(deck: Deck): string[] {
  const usedBy = findUses(deck)
  const used = deck.skipped.filter(({ path }) => usedBy.has(path))
  const sources = deck.assets.filter(({ path }) => usedBy.has(path))
  const lines = [
    ...sources.map(({ path }) => describeSource(path, usedBy.get(path)!, deck)),
    ...used.map((file) => describeUsed(file, usedBy.get(file.path)!)),
  ].slice(0, MAX_USED)
  const groups = new Map<string, string[]>()
  for (const file of [
    ...used.slice(MAX_USED),
    ...deck.skipped.filter((each) => !used.includes(each)),
  ]) {
    groups.set(file.reason, [...(groups.get(file.reason) ?? []), file.path])
  }
  for (const [reason, paths] of groups) {
    const more = paths.length - MAX_NAMES
    const names = paths.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
    lines.push(`Left out ${names}: ${reason}.`)
  }
  return lines
}

/** Whether somebody should look before the deck is published: a page may lack something. */
export function mayLackFiles(deck: Deck): boolean {
  return deck.skipped.some(({ isExpected }) => !isExpected) || findUses(deck).size > 0
}

/** Whether a deck opens at this page by its name alone. */
export function isIndexPage(path: string): boolean {
  return /^index\.html?$/i.test(path)
}

export function describeEntry(entryPath: string): string {
  if (isIndexPage(entryPath)) return `The page opens at ${entryPath}.`
  return `There is no index.html, so the page opens at ${entryPath}.`
}

function describeUsed(file: SkippedFile, page: string): string {
  return `Left out, but ${page} uses it: ${file.path} (${file.reason}).`
}

function describeSource(path: string, page: string, { pages }: Deck): string {
  const folder = page.slice(0, page.lastIndexOf('/') + 1)
  const built = BUILD_FOLDERS.map((name) => `${folder}${name}/`).find((name) =>
    pages.some((file) => file.path === `${name}index.html`),
  )
  const cure =
    built === undefined
      ? 'Build the project, and publish the folder that the build writes, often dist/.'
      : `Did you mean ${built}?`
  return `${page} loads ${path}, which is source code: browsers do not run it. ${cure}`
}

/** How much of one file is searched for references. */
const MAX_CHARS = 1024 * 1024
const REFERENCE = new RegExp(
  [
    String.raw`\b(?:src|href|poster|data)\s{0,9}=\s{0,9}(?:"([^"]{1,1024})"|'([^']{1,1024})'|`,
    String.raw`([^\s"'<>\x60]{1,1024}))|url\(\s{0,9}["']?([^"')\s]{1,1024})`,
  ].join(''),
  'gi',
)

/**
 * What a page or a style sheet uses and browsers do not get as they need it, each with one file that
 * uses it: files and folders that are left out, and source code.
 */
function findUses({ pages, assets, skipped }: Deck): Map<string, string> {
  const uses = new Map<string, string>()
  const sources = assets.filter(({ path }) => isSourceCode(path))
  const files = new Set([...skipped, ...sources].map(({ path }) => path))
  if (files.size === 0) return uses
  const folders = [...files].filter((path) => path.endsWith('/'))
  const styles = assets.filter(({ path }) => extensionOf(path) === 'css')
  for (const { path, bytes } of [...pages, ...styles]) {
    const text = new TextDecoder().decode(bytes.subarray(0, MAX_CHARS))
    for (const [, ...found] of text.matchAll(REFERENCE)) {
      const target = resolve(found.find((each) => each !== undefined)!, path)
      if (target === null) continue
      const use = files.has(target) ? target : folders.find((folder) => target.startsWith(folder))
      if (use !== undefined && !(uses.has(use) && isHtmlName(uses.get(use)!))) uses.set(use, path)
    }
  }
  return uses
}

/** The path in the deck that a reference of a file means; null for another host or scheme. */
function resolve(reference: string, from: string): string | null {
  const base = `http://deck.invalid/${from.split('/').map(encodeURIComponent).join('/')}`
  const url = URL.parse(reference, base)
  if (url?.host !== 'deck.invalid') return null
  try {
    return decodeURIComponent(url.pathname.slice(1))
  } catch {
    return null
  }
}
