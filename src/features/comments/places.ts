import { type Anchor, isSheetAnchor } from '../../model/anchor.ts'
import { refuse } from '../../model/errors.ts'
import { count } from '../../model/numbers.ts'
import type { Page } from '../../model/page/index.ts'
import type { Content, ManifestFile } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import { fileAt, fits, type Locate, type Located, NO_PLACES } from './anchors/index.ts'

/** The content that the author of a comment had open, and the passage that it is about. */
export interface WrittenOn {
  /** The content that was open; null if unknown: then the published content is used. */
  manifestId: string | null
  /** The file of a deck; null for its entry. */
  path: string | null
  anchor: Anchor | null
}

interface PlacesDeps {
  content: Pick<Content, 'getManifest' | 'sheetsOf'>
  versions: Pick<Versions, 'numberOf'>
  locate: Locate
}

/** Where a comment was written: the content that its author had open. */
export interface Place {
  path: string
  versionNo: number
  fileHash: string
  anchor: Anchor | null
  located: Located
  /** The content in which the anchor was located. */
  shownManifestId: string
}

/** Finds the version and file that a comment was written on, and checks its anchor there. */
export function createPlaces({ content, versions, locate }: PlacesDeps) {
  /** The version that was open. If it has been pruned, the published one. */
  async function versionOf({ id }: Page, manifestId: string | null, shownId: string) {
    const versionNo = manifestId === null ? null : await versions.numberOf(id, manifestId)
    if (manifestId !== null && versionNo !== null) return { manifestId, versionNo }
    return { manifestId: shownId, versionNo: (await versions.numberOf(id, shownId)) ?? 1 }
  }

  /** @throws Refusal `bad_anchor` */
  async function openFile(page: Page, shownId: string, on: WrittenOn) {
    const { manifestId, versionNo } = await versionOf(page, on.manifestId, shownId)
    const manifest = await content.getManifest(manifestId)
    const isDeck = manifest.kind === 'bundle'
    const path = on.path ?? (isDeck ? manifest.entry : '')
    const file = fileAt(manifest, path)
    if (file === null) throw badAnchor('path', noFile(path, isDeck))
    return { path, file, manifestId, versionNo }
  }

  /** @throws Refusal `bad_anchor` */
  async function assertFits(anchor: Anchor, file: ManifestFile): Promise<void> {
    if (!fits(anchor, file)) throw badAnchor('anchor', WRONG_KIND)
    if (!isSheetAnchor(anchor)) return
    const sheets = await content.sheetsOf(file)
    if (sheets === null || anchor.sheet <= sheets) return
    throw badAnchor('anchor.sheet', `the PDF has ${count(sheets, 'sheet')}.`)
  }

  /** @throws Refusal `bad_anchor` */
  return async (page: Page, writtenOn: WrittenOn): Promise<Place> => {
    const { anchor } = writtenOn
    const shownManifestId = page.published_id ?? page.draft_id
    const { path, file, manifestId, versionNo } = await openFile(page, shownManifestId, writtenOn)
    const { hash: fileHash } = file
    const place = { path, versionNo, fileHash, shownManifestId }
    if (anchor === null) return { ...place, anchor, located: { state: null, places: NO_PLACES } }
    await assertFits(anchor, file)
    const mayTell = page.published_id !== null
    const question = { pageId: page.id, anchor, path, fileHash, mayTell }
    // Located first in the version that was open; from there, edits lead to the published one.
    const written = { ...question, places: NO_PLACES, shownManifestId: manifestId }
    const [inWritten] = await locate([written])
    if (manifestId === shownManifestId) return { ...place, anchor, located: inWritten! }
    const { places } = inWritten!
    const [located] = await locate([{ ...question, places, shownManifestId }])
    return { ...place, anchor, located: located! }
  }
}
export type Places = ReturnType<typeof createPlaces>

const WRONG_KIND =
  'must be words in HTML, a spot on a sheet of a PDF, or a spot on an image; or leave it out.'

function noFile(path: string, isDeck: boolean): string {
  return isDeck ? `the deck has no file ${JSON.stringify(path)}.` : 'names a file of a deck alone.'
}

function badAnchor(param: string, problem: string) {
  return refuse.invalid('bad_anchor', `${param}: ${problem}`, { param })
}
