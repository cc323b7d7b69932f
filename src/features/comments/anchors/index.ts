import {
  type Anchor,
  type AnchorState,
  isSheetAnchor,
  isTextAnchor,
  type TextAnchor,
} from '../../../model/anchor.ts'
import type { AnchorNow } from '../../../model/comment.ts'
import type { ByteRange } from '../../../model/download.ts'
import { condense } from '../../../model/passage.ts'
import {
  type Content,
  entryFile,
  type FoundPassage,
  isHtml,
  type Manifest,
  type ManifestFile,
  mapRange,
  type PassageQuery,
  spanRange,
} from '../../content/index.ts'
import type { Versions } from '../../versions/index.ts'

interface AnchorsDeps {
  content: Pick<Content, 'getManifest' | 'findPassages'>
  versions: Pick<Versions, 'editsBetween'>
}

export type Locate = ReturnType<typeof createLocate>

/**
 * Locates the anchors of comments in stored content. What a page's frame claims is not trusted.
 *
 * The state of an anchor in the published content: `exact` where its words have the surroundings
 * that they were written in, `moved` where these are others, else `outdated`. After
 * find-and-replace edits, the stored edits say where the words went. After other writes they are
 * found again where they stand once, or where their surroundings point to one place with a clear
 * margin. Nothing is guessed: the text that is found has the words of the anchor. Words that a
 * script of the page writes are not in its stored text, so they are `outdated`.
 */
export function createLocate({ content, versions }: AnchorsDeps) {
  return (questions: readonly AnchorQuestion[]): Promise<Located[]> => {
    // Each manifest is read once, and the edits between two states of a file.
    const manifests = new Map<string, Promise<Manifest>>()
    const edits = new Map<string, ReturnType<Versions['editsBetween']>>()
    const deps: LocateDeps = {
      findPassages: content.findPassages,
      getManifest: (id) => manifests.getOrInsertComputed(id, content.getManifest),
      editsBetween: (pageId, range) =>
        edits.getOrInsertComputed(`${pageId} ${range.from} ${range.to}`, () =>
          versions.editsBetween(pageId, range),
        ),
    }
    return locate(deps, questions)
  }
}

/** A question that is answered, or what must be found in the text of a file to answer it. */
interface Prepared {
  file: ManifestFile | null
  query: PassageQuery | null
  /** Asked where that is not found: what stands in the place of the words. */
  between?: PassageQuery | null
  locatedBy(passage: FoundPassage | null, between: FoundPassage | null): Located
}

type LocateDeps = Pick<Content, 'getManifest' | 'findPassages'> & Pick<Versions, 'editsBetween'>

async function locate(deps: LocateDeps, questions: readonly AnchorQuestion[]): Promise<Located[]> {
  const prepared: Prepared[] = []
  for (const question of questions) prepared.push(await prepare(deps, question))
  const passages = await find(deps, prepared, 'query')
  const missing = prepared.filter((each) => !passages.has(each))
  const between = await find(deps, missing, 'between')
  return prepared.map((each) =>
    each.locatedBy(passages.get(each) ?? null, between.get(each) ?? null),
  )
}

async function prepare(deps: LocateDeps, question: AnchorQuestion): Promise<Prepared> {
  const { anchor, path, fileHash, shownManifestId, places } = question
  const manifest = await deps.getManifest(shownManifestId)
  // A page that has become a deck opens at what it was.
  const file = fileAt(manifest, path) ?? (path === '' ? entryFile(manifest) : null)
  if (file === null) return answered(outdated(places, 'file_gone'))
  if (isTextAnchor(anchor) && condense(anchor.quote) !== '') {
    return prepareText(deps, { ...question, anchor }, file)
  }
  // A spot, or an element without words, can be found by the bytes of its file alone.
  const isSame = file.hash === fileHash
  return answered(isSame ? { state: 'exact', places } : outdated(places, 'unplaced'))
}

async function prepareText(
  deps: LocateDeps,
  { pageId, anchor, fileHash, places, mayTell }: AnchorQuestion & { anchor: TextAnchor },
  file: ManifestFile,
): Promise<Prepared> {
  const { hash } = file
  if (hash === fileHash) {
    return {
      file,
      query: { passage: anchor, ranges: [], elsewhere: 'as-written' },
      locatedBy(passage) {
        if (passage === null) return outdated(places, 'unplaced')
        const { is_same: _, is_between, ...written } = passage
        return { state: 'exact', places: { written, last: { ...written, is_between, hash } } }
      },
    }
  }
  const { written, last } = places
  if (written === null || last === null) return answered(outdated(places, 'unplaced'))
  const ranges: ByteRange[] = []
  const spans: ByteRange[] = []
  let isEdited = false
  for (const from of [last, { hash: fileHash, ...written }]) {
    const followed = await follow(deps, { pageId, from, to: hash })
    isEdited ||= followed !== undefined
    if (followed?.range) ranges.push(followed.range)
    if (followed?.span) spans.push(followed.span)
  }
  return {
    file,
    query: {
      passage: { ...anchor, ...written },
      ranges,
      // Edits changed the words, so equal words in similar surroundings are another passage.
      elsewhere: isEdited ? 'alone' : last,
    },
    between: mayTell ? betweenQuery(anchor, last, spans) : null,
    locatedBy(passage, between) {
      if (passage === null) return outdated(places, 'changed', between?.words ?? null)
      const { is_same: isSame, ...place } = passage
      return { state: isSame ? 'exact' : 'moved', places: { written, last: { ...place, hash } } }
    },
  }
}

/**
 * Where edits have moved a place to, and what they made of it; undefined after other writes.
 * Each is null where they changed it, and where they replaced far more.
 */
async function follow(
  { editsBetween }: LocateDeps,
  { pageId, from, to }: { pageId: string; from: { hash: string } & ByteRange; to: string },
): Promise<Record<'range' | 'span', ByteRange | null> | undefined> {
  const edits = await editsBetween(pageId, { from: from.hash, to })
  if (edits === null) return undefined
  let range: ByteRange | null = { start: from.start, end: from.end }
  let span: ByteRange | null = range
  for (const splices of edits) {
    range = range && mapRange(range, splices)
    span = span && spanRange(span, splices)
  }
  return { range, span }
}

/** Looks for what these ask for, once in each file. */
async function find(
  { findPassages }: LocateDeps,
  prepared: readonly Prepared[],
  member: 'query' | 'between',
) {
  const passages = new Map<Prepared, FoundPassage>()
  const searches = prepared.filter((each) => each[member])
  for (const inFile of Map.groupBy(searches, ({ file }) => file!.hash).values()) {
    const queries = inFile.map((each) => each[member]!)
    const results = await findPassages(inFile[0]!.file!, queries)
    inFile.forEach((each, at) => {
      const passage = results[at]
      if (passage) passages.set(each, passage)
    })
  }
  return passages
}

function outdated(
  places: AnchorPlaces,
  reason: AnchorNow['reason'],
  quote: string | null = null,
): Located {
  return { state: 'outdated', places: { ...places, now: { reason, quote } } }
}

/**
 * What edits have made of words that are not found, or what stands between the text around them,
 * if that stood nowhere else.
 */
function betweenQuery(anchor: TextAnchor, last: KnownPlace, spans: ByteRange[]): PassageQuery {
  const { prefix, suffix } = last.is_between ? last : { prefix: '', suffix: '' }
  return { passage: { ...anchor, prefix, suffix }, ranges: spans, elsewhere: 'between' }
}

function answered(located: Located): Prepared {
  return { file: null, query: null, locatedBy: () => located }
}

/** The file of a deck by its path, or the only file of another page. */
export function fileAt(manifest: Manifest, path: string): ManifestFile | null {
  if (manifest.kind === 'single') return path === '' ? entryFile(manifest) : null
  return manifest.files.find((file) => file.path === path) ?? null
}

/** Whether an anchor is of the kind that a file of this type can have. */
export function fits(anchor: Anchor, file: Pick<ManifestFile, 'mime'>): boolean {
  if (isHtml(file)) return isTextAnchor(anchor) || (!isSheetAnchor(anchor) && !!anchor.element)
  if (file.mime === 'application/pdf') return isSheetAnchor(anchor)
  return !isTextAnchor(anchor) && !isSheetAnchor(anchor) && anchor.element === null
}

/** The byte offsets of an anchor's words in a file, and the text around them. */
interface KnownPlace extends ByteRange {
  hash: string
  prefix: string
  suffix: string
  /** Whether the text around the words stood nowhere else. */
  is_between?: boolean
}

/** Where an anchor was found: in the file that its author had open, and the last time. */
export interface AnchorPlaces {
  /** Without its surroundings where it was stored by an earlier version. */
  written: (ByteRange & Partial<Pick<KnownPlace, 'prefix' | 'suffix'>>) | null
  last: KnownPlace | null
  /** Where it was outdated. */
  now?: AnchorNow
}

export const NO_PLACES: AnchorPlaces = { written: null, last: null }

/** An anchor, the file it was made in, and the content in which it is looked for. */
export interface AnchorQuestion {
  pageId: string
  anchor: Anchor
  /** The file of a deck; '' on other pages. */
  path: string
  /** The hash of the file that the author had open. */
  fileHash: string
  /** The results of earlier look-ups. */
  places: AnchorPlaces
  /** The manifest that readers have open. */
  shownManifestId: string
  /** Whether visitors can open it: a draft’s words are not told. */
  mayTell: boolean
}

export interface Located {
  state: AnchorState | null
  places: AnchorPlaces
}

/** The anchor with the text that surrounds its words now, instead of the original text. */
export function anchorNow(anchor: Anchor, state: string | null, { last }: AnchorPlaces): Anchor {
  if (state !== 'moved' || last === null || !isTextAnchor(anchor)) return anchor
  return { ...anchor, prefix: last.prefix, suffix: last.suffix }
}

/** Why an outdated anchor has no place, and what stands there now where that is certain. */
export function whyOutdated(
  state: string | null,
  { now, written }: AnchorPlaces,
): AnchorNow | null {
  if (state !== 'outdated') return null
  // What an earlier version has stored says no more until the next publish.
  return now ?? { reason: written === null ? 'unplaced' : 'changed', quote: null }
}
