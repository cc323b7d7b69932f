import { inMegabytes, MAX_DECK_ASSETS, MAX_DECK_PAGES } from '../../model/plan.ts'
import {
  type Bytes,
  ContentProblem,
  type DeckFile,
  isHtmlName,
  isMarkdownName,
  type LocalContent,
  MAX_BYTES,
  type SkippedFile,
} from './local-content.ts'
import { markdownPage } from './markdown.ts'

/** More entries mean that this is probably the wrong folder. */
const MAX_ENTRIES = 10_000
/** The file in which the command line records the page of a folder. */
export const PAGE_RECORD_FILE = '.handbill.json'

/** Collects the files of a folder or an archive into a deck, and skips those that do not fit. */
export function createDeckBuilder(name: string) {
  const pages: DeckFile[] = []
  const assets: DeckFile[] = []
  const skipped: SkippedFile[] = []
  let bytes = 0
  let entries = 0

  /** Returns why a file does not belong in a deck, judged by its path. */
  function skipReason(path: string): Omit<SkippedFile, 'path'> | null {
    const parts = path.split('/').filter((part) => part !== '')
    if (parts.some((part) => part.startsWith('.'))) return expected('its name starts with a dot')
    if (parts.some((part) => part === 'node_modules' || part === '__MACOSX')) {
      return expected('it belongs to tools')
    }
    return null
  }

  return {
    /** Whether to read an entry. Records it as skipped if not. A folder ends with a slash. */
    accepts(path: string): boolean {
      if (path.replace(/^.*\//, '') === PAGE_RECORD_FILE) return false
      entries += 1
      if (entries > MAX_ENTRIES) {
        throw new ContentProblem(
          `${name} holds more than ${MAX_ENTRIES} files: name the folder of the page alone.`,
        )
      }
      const skip = skipReason(path)
      if (skip !== null) skipped.push({ path, ...skip })
      return skip === null
    },
    /** Counts a file's bytes before it is read, so that memory use is bounded. */
    reserve(sizeBytes: number): void {
      bytes += sizeBytes
      if (bytes <= MAX_BYTES) return
      throw new ContentProblem(
        `${name} holds more than ${inMegabytes(MAX_BYTES)}: make it smaller.`,
      )
    },
    add(item: DeckFile): void {
      if (isHtmlName(item.path)) pages.push(item)
      else assets.push(item)
    },
    skip(path: string, reason: string): void {
      skipped.push({ path, reason, isExpected: false })
    },
    /** A folder of Markdown alone becomes pages of HTML; beside HTML, Markdown stays as it is. */
    async build(): Promise<LocalContent> {
      const texts = pages.length === 0 ? assets.filter(({ path }) => isMarkdownName(path)) : []
      const all = texts.length === 0 ? pages : await markdownPages(texts)
      const others = assets.filter((file) => !texts.includes(file))
      assertHasPages(name, all)
      assertCount(all.length, {
        limit: MAX_DECK_PAGES,
        problem: `${name} holds ${all.length} HTML files; a deck takes up to ${MAX_DECK_PAGES}`,
        cure: 'publish its folders as pages of their own, or leave out those that nobody opens',
      })
      assertCount(others.length, {
        limit: MAX_DECK_ASSETS,
        problem: `${name} holds ${others.length} assets; a deck takes up to ${MAX_DECK_ASSETS}`,
        cure: 'leave out those that no page uses, such as source maps, or bundle them',
      })
      return { kind: 'deck', pages: all, assets: others, skipped }
    },
  }
}
export type DeckBuilder = ReturnType<typeof createDeckBuilder>

function expected(reason: string) {
  return { reason, isExpected: true }
}

function assertHasPages(name: string, pages: DeckFile[]): void {
  if (pages.length > 0) return
  throw new ContentProblem(`${name} holds no HTML file: a deck needs at least one.`)
}

interface CountRule {
  limit: number
  problem: string
  cure: string
}

function assertCount(count: number, { limit, problem, cure }: CountRule): void {
  if (count > limit) throw new ContentProblem(`${problem}: ${cure}.`)
}

/**
 * The pages of a folder of Markdown: each file becomes HTML, and links between them lead there. The
 * `README` of a folder is its `index.html`, unless it has an `index.md`.
 */
async function markdownPages(texts: readonly DeckFile[]): Promise<DeckFile[]> {
  const names = new Set(texts.map(({ path }) => path.toLowerCase()))
  const toHtml = (path: string) => htmlPath(path, names)
  return Promise.all(
    texts.map(async ({ path, bytes }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const page = await markdownPage(new TextDecoder().decode(bytes), name)
      return { path: toHtml(path), bytes: withLinks(page, path, toHtml) }
    }),
  )
}

function htmlPath(path: string, names: ReadonlySet<string>): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const hasIndex = names.has(`${folder}index.md`.toLowerCase())
  if (/(?:^|\/)readme\.(?:md|markdown)$/i.test(path) && !hasIndex) return `${folder}index.html`
  return path.replace(/\.(?:md|markdown)$/i, '.html')
}

const LINK = /(<a href=")([^":?#]{1,1024}\.(?:md|markdown))(?=[?#"])/gi

/** Relative links to Markdown files lead to their HTML. */
function withLinks(page: Bytes, path: string, toHtml: (path: string) => string): Bytes {
  const base = `http://deck.invalid/${path.split('/').map(encodeURIComponent).join('/')}`
  const text = new TextDecoder().decode(page).replace(LINK, (_, start: string, link: string) => {
    const target = decoded(new URL(link, base).pathname.slice(1))
    const name = toHtml(target).slice(target.lastIndexOf('/') + 1)
    return start + link.slice(0, link.lastIndexOf('/') + 1) + encodeURI(name)
  })
  return new TextEncoder().encode(text) as Bytes
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
