import { basename } from 'node:path'
import { ASSET_EXTENSIONS } from '../../src/model/file-types.ts'
import { inMegabytes, LIMITS, MAX_DECK_ASSETS, MAX_DECK_PAGES } from '../../src/model/plan.ts'
import { MEMORY_FILE } from '../memory.ts'
import { CommandFailed, oneLine } from '../output.ts'

/** What is to be published, read whole. */
export type Source =
  | { kind: 'html'; bytes: Bytes }
  | { kind: 'file'; name: string; bytes: Bytes }
  | { kind: 'deck'; pages: Item[]; assets: Item[]; leftOut: LeftOut[] }
export type Bytes = Uint8Array<ArrayBuffer>
export interface Item {
  path: string
  bytes: Bytes
}
export interface LeftOut {
  path: string
  why: string
  /** Nobody wants these in a page; of all else it is worth asking. */
  isExpected: boolean
}

/** No plan takes more, so more is not even read. */
export const MAX_BYTES = LIMITS.team.fileBytes
/** Looked at, whether they end in the deck or not: somebody named the wrong folder. */
const MAX_ENTRIES = 10_000

export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}
export function isHtmlName(path: string): boolean {
  return /^html?$/.test(extensionOf(path))
}

/** Takes the files of a folder or an archive, one by one, and makes a deck of those that fit. */
export function createDeckBuilder(name: string) {
  const shown = oneLine(name)
  const pages: Item[] = []
  const assets: Item[] = []
  const leftOut: LeftOut[] = []
  let bytes = 0
  let entries = 0

  /** Why it does not belong in a deck, by its path alone. */
  function whyNot(path: string): Omit<LeftOut, 'path'> | null {
    const parts = path.split('/').filter((part) => part !== '')
    if (parts.some((part) => part.startsWith('.'))) return expected('its name starts with a dot')
    if (parts.some((part) => part === 'node_modules' || part === '__MACOSX')) {
      return expected('it belongs to tools')
    }
    const extension = extensionOf(path)
    const isFolder = path.endsWith('/')
    const isKnown = (ASSET_EXTENSIONS as readonly string[]).includes(extension)
    if (isFolder || isHtmlName(path) || isKnown) return null
    return { why: 'a deck takes no such type', isExpected: false }
  }

  return {
    /** Says whether to go on with an entry, and notes it where not. A folder ends in a slash. */
    wants(path: string): boolean {
      if (basename(path) === MEMORY_FILE) return false
      entries += 1
      if (entries > MAX_ENTRIES) {
        throw new CommandFailed(
          `${shown} holds more than ${MAX_ENTRIES} files: name the folder of the page alone.`,
        )
      }
      const why = whyNot(path)
      if (why !== null) leftOut.push({ path, ...why })
      return why === null
    },
    /** Counts a file's bytes before it is read, so that too much is never in memory. */
    reserve(sizeBytes: number): void {
      bytes += sizeBytes
      if (bytes <= MAX_BYTES) return
      throw new CommandFailed(
        `${shown} holds more than ${inMegabytes(MAX_BYTES)}: make it smaller.`,
      )
    },
    add(item: Item): void {
      if (isHtmlName(item.path)) pages.push(item)
      else assets.push(item)
    },
    leaveOut(path: string, why: string): void {
      leftOut.push({ path, why, isExpected: false })
    },
    done(): Source {
      assertSome(shown, pages)
      assertCount(shown, { is: pages.length, limit: MAX_DECK_PAGES, what: 'HTML files' })
      assertCount(shown, { is: assets.length, limit: MAX_DECK_ASSETS, what: 'other files' })
      return { kind: 'deck', pages, assets, leftOut }
    },
  }
}
export type DeckBuilder = ReturnType<typeof createDeckBuilder>

function expected(why: string) {
  return { why, isExpected: true }
}

function assertSome(name: string, pages: Item[]): void {
  if (pages.length > 0) return
  throw new CommandFailed(`${name} holds no HTML file: a deck needs at least one.`)
}

function assertCount(name: string, count: { is: number; limit: number; what: string }): void {
  if (count.is <= count.limit) return
  throw new CommandFailed(
    `${name} holds ${count.is} ${count.what}; a deck takes up to ${count.limit}.`,
  )
}
