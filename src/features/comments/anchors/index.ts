import { LRUCache } from 'lru-cache'
import { type AnchorState, isTextAnchor, type TextAnchor } from '../../../model/anchor.ts'
import { condense, findPassage, type Place } from '../../../model/passage.ts'
import {
  type ByteRange,
  type Content,
  entryFile,
  type Manifest,
  type ManifestFile,
  mapRange,
  type PageText,
  passageBytes,
  readPageText,
} from '../../content/index.ts'
import type { Versions } from '../../versions/index.ts'
import type { AnchorQuestion, KnownPlace, Located } from './places.ts'

export { fits } from './fits.ts'
export {
  type AnchorPlaces,
  type AnchorQuestion,
  anchorNow,
  type Located,
  NO_PLACES,
} from './places.ts'

/** The size of the text; its offsets take four times as much. */
const MAX_TEXT_CHARS = 16 * 1024 * 1024
/** Enough to distinguish equal words; text further away may change without losing an anchor. */
const CONTEXT_BYTES = 32

export interface Anchors {
  /**
   * Returns a function that locates anchors, one or many. It reads each manifest once, and the
   * edits between two states of a file once. Use it briefly: it does not see later edits.
   */
  startPass(): Locate
}

/**
 * The state of an anchor in the published content: `exact` in the bytes it was made in, `moved`
 * where other bytes have the same words, else `outdated`. After find-and-replace edits, the stored
 * edits say where the words went. After other writes the words are found again if they and their
 * surroundings occur once. Nothing is guessed: the text that is found has the words of the anchor.
 * Words that a script of the page writes are not in its stored text, so they are `outdated`.
 */
type Locate = (question: AnchorQuestion) => Promise<Located>

export interface AnchorsDeps {
  content: Pick<Content, 'getManifest' | 'bytes'>
  versions: Pick<Versions, 'editsBetween'>
}

/** Locates the anchors of comments in stored content. What a page's frame claims is not trusted. */
export function createAnchors({ content, versions }: AnchorsDeps): Anchors {
  const textOf = createTexts(content)
  return {
    startPass() {
      const getManifest = readOnce(content.getManifest)
      const editsOf = readOnce((key: string) => {
        const [pageId, from, to] = JSON.parse(key) as [string, string, string]
        return versions.editsBetween(pageId, { from, to })
      })
      return createLocate({
        textOf,
        getManifest,
        editsBetween: (pageId, { from, to }) => editsOf(JSON.stringify([pageId, from, to])),
      })
    },
  }
}

/** Caches the result of each key. */
function readOnce<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const reading = known.get(key) ?? read(key)
    known.set(key, reading)
    return reading
  }
}

function createTexts(content: Pick<Content, 'bytes'>) {
  /** The key is the hash of their file. */
  const texts = new LRUCache<string, PageText>({
    maxSize: MAX_TEXT_CHARS,
    sizeCalculation: ({ text }) => text.length + 1,
  })

  return async ({ hash }: ManifestFile): Promise<PageText> => {
    const known = texts.get(hash)
    if (known !== undefined) return known
    const text = readPageText(await content.bytes(hash))
    texts.set(hash, text)
    return text
  }
}

type LocateDeps = Pick<Content, 'getManifest'> &
  Pick<Versions, 'editsBetween'> & { textOf: ReturnType<typeof createTexts> }

function createLocate({ textOf, getManifest, editsBetween }: LocateDeps): Locate {
  /** Where edits have moved a place to: null if they changed it, undefined after other writes. */
  async function follow(
    pageId: string,
    from: { hash: string } & ByteRange,
    to: string,
  ): Promise<ByteRange | null | undefined> {
    const edits = await editsBetween(pageId, { from: from.hash, to })
    if (edits === null) return undefined
    let range: ByteRange | null = { start: from.start, end: from.end }
    for (const splices of edits) range = range && mapRange(range, splices)
    return range
  }

  async function locateText(
    { pageId, anchor, fileHash, places }: AnchorQuestion & { anchor: TextAnchor },
    file: ManifestFile,
  ): Promise<Located> {
    const page = await textOf(file)
    if (file.hash === fileHash) {
      const found = findPassage(page.text, passageBytes(anchor))
      if (found === null) return { state: 'outdated', places }
      const place = knownPlace(page, file.hash, found)
      return {
        state: 'exact',
        places: { written: { start: place.start, end: place.end }, last: place },
      }
    }
    const { written, last } = places
    if (written === null || last === null) return { state: 'outdated', places }
    let isEdited = false
    for (const from of [last, { hash: fileHash, ...written }]) {
      const range = await follow(pageId, from, file.hash)
      isEdited ||= range !== undefined
      const found = range && page.placeOf(range)
      if (found && hasWords(page, found, anchor)) return moved(found)
    }
    // Edits changed the words, so equal words elsewhere are not the same passage.
    if (isEdited) return { state: 'outdated', places }
    const { prefix, suffix } = last
    const found = findPassage(page.text, passageBytes({ quote: anchor.quote, prefix, suffix }))
    return found === null ? { state: 'outdated', places } : moved(found)

    function moved(found: Place): Located {
      return { state: 'moved', places: { written, last: knownPlace(page, file.hash, found) } }
    }
  }

  return async (question) => {
    const { anchor, path, fileHash, shownManifestId, places } = question
    const file = fileAt(await getManifest(shownManifestId), path)
    if (file === null) return { state: 'outdated', places }
    if (isTextAnchor(anchor) && condense(anchor.quote) !== '') {
      return locateText({ ...question, anchor }, file)
    }
    // A spot, or an element without words, can be found by the bytes of its file alone.
    const state: AnchorState = file.hash === fileHash ? 'exact' : 'outdated'
    return { state, places }
  }
}

function hasWords({ text }: PageText, { start, end }: Place, anchor: TextAnchor): boolean {
  return text.slice(start, end) === passageBytes(anchor).quote
}

function knownPlace(page: PageText, hash: string, { start, end }: Place): KnownPlace {
  const before = { start: Math.max(0, start - CONTEXT_BYTES), end: start }
  const after = { start: end, end: Math.min(page.text.length, end + CONTEXT_BYTES) }
  return {
    hash,
    ...page.bytesOf({ start, end }),
    prefix: page.written(before),
    suffix: page.written(after),
  }
}

/** The file of a deck by its path, or the only file of another page. */
export function fileAt(manifest: Manifest, path: string): ManifestFile | null {
  if (manifest.kind === 'single') return path === '' ? entryFile(manifest) : null
  return manifest.files.find((file) => file.path === path) ?? null
}
