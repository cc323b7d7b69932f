import { type Account, assertSize } from '../../../model/account.ts'
import { filesOfZip, leftOutPart, pathInZip } from '../../../model/deck-folder.ts'
import { Refusal, refuse } from '../../../model/errors.ts'
import { isMarkdownName } from '../../../model/markdown/source.ts'
import { appendAll } from '../../../platform/temporary-files.ts'
import {
  BadZip,
  openZip,
  TooManyEntries,
  type Zip,
  type ZipEntry,
} from '../../../platform/unzip.ts'
import type { ContentInput } from '../contract.ts'
import { isHtmlPath, shortened } from '../files/paths.ts'
import type { Staged } from '../staging.ts'
import { type ReleaseWarning, warn } from '../warnings.ts'
import { type ImportDeps, importDeck, type Target } from './deck.ts'

const MAX_ENTRIES = 20_000
/** Each is named in the answer. */
const MAX_LEFT_OUT = 1_000
const TYPE_MASK = 0o170000
const SYMLINK = 0o120000
const PARAM = 'file_upload'

/**
 * Copies the zip of a deck, which is an upload, to a file, and reads its table of contents: none of
 * it is unpacked yet.
 *
 * @throws Refusal `upload_not_found`, `invalid_zip`, `too_many_files`, `empty_deck`,
 *   `content_too_large`
 */
export async function openDeckZip(
  { uploads, temporaryFiles }: ImportDeps,
  account: Account,
  uploadId: string,
) {
  const pieces = await uploads.pieces(account, uploadId, PARAM)
  const file = await temporaryFiles.create()
  try {
    const zipBytes = await appendAll(file, pieces)
    const zip = await openZip(file, { sizeBytes: zipBytes, maxEntries: MAX_ENTRIES })
    const { files, leftOut } = filesOf(zip)
    const sizeBytes = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
    assertSize(sizeBytes, account, { limit: account.limits.deck_bytes, what: 'The deck' })
    return {
      /** Of the files of the deck, unpacked: as the zip says, and as each is checked against. */
      sizeBytes,
      close: () => file.close(),
      /** @throws Refusal as a deck of files does, with `file_upload` instead of their parameters */
      stage: (deps: ImportDeps, target: Target, entry: string | undefined) =>
        stageZip(deps, target, { zip, files, leftOut, entry }),
    }
  } catch (err) {
    await file.close()
    throw asRefusal(err)
  }
}
export type DeckZip = Awaited<ReturnType<typeof openDeckZip>>

function filesOf({ entries }: Zip) {
  const all: { path: string; entry: ZipEntry; checksum: number }[] = []
  const leftOut = new Map<string, string>()
  for (const entry of entries) {
    const path = pathInZip(entry.fileName)
    if (path === '' || path.endsWith('/')) continue
    const why = whyNotTaken(path, entry)
    if (why === null) all.push({ path, entry, checksum: entry.crc32 })
    else leftOut.set(why.of, why.reason)
    if (leftOut.size > MAX_LEFT_OUT) throw tooManyEntries()
  }
  const { files, inner } = filesOfZip(all)
  if (!files.some(({ path }) => isHtmlPath(path) || isMarkdownName(path))) {
    const message = 'The zip has no HTML file: a deck needs at least one.'
    throw refuse.invalid('empty_deck', message, { param: PARAM })
  }
  const warnings = Array.from(leftOut, ([path, reason]): ReleaseWarning => {
    return { ...warn('left_out', null, reason), path: shortened(inner({ path }).path) }
  })
  return { files, leftOut: warnings }
}

/** Null for a file that is unpacked. `of` is the file, or the hidden folder that it is in. */
function whyNotTaken(path: string, entry: ZipEntry): { of: string; reason: string } | null {
  const part = leftOutPart(path)
  if (part !== null) {
    const reason = part.isHidden ? 'has a part that starts with a dot' : 'is that of a tool'
    return { of: part.path, reason }
  }
  const isLink = ((entry.externalFileAttributes >>> 16) & TYPE_MASK) === SYMLINK
  if (isLink) return { of: path, reason: 'is that of a symbolic link' }
  if (entry.isEncrypted()) return { of: path, reason: 'is that of an encrypted file' }
  return entry.canDecodeFileData()
    ? null
    : { of: path, reason: 'is that of a file that is packed neither by Deflate nor as it is' }
}

type ZipToStage = ReturnType<typeof filesOf> & { zip: Zip; entry: string | undefined }

/** Imports a deck whose files are unpacked one at a time, as if each were an upload. */
async function stageZip(
  deps: ImportDeps,
  target: Target,
  { zip, files, leftOut, entry }: ZipToStage,
): Promise<Staged> {
  const all = files.map(({ path }, at) => ({ path, upload: String(at) }))
  // Of a zip of Markdown alone, each file of it is a page.
  const isPath = all.some(({ path }) => isHtmlPath(path)) ? isHtmlPath : isMarkdownName
  const isPage = ({ path }: { path: string }) => isPath(path)
  const input: ContentInput = {
    files: all.filter(isPage),
    assets: all.filter((file) => !isPage(file)),
    entry,
  }
  const uploads = {
    ...deps.uploads,
    read: async (_account: Account, at: string) => {
      return { bytes: await zip.read(files[Number(at)]!.entry), storedHash: null }
    },
  }
  try {
    const { warnings = [], ...staged } = await importDeck({ ...deps, uploads }, target, input)
    return { ...staged, warnings: [...leftOut, ...warnings] }
  } catch (err) {
    throw asRefusal(err)
  }
}

function tooManyEntries() {
  const message =
    `The zip has more than ${MAX_ENTRIES.toLocaleString('en')} files, or more than ` +
    `${MAX_LEFT_OUT.toLocaleString('en')} that a deck leaves out: zip the folder of the page alone.`
  return refuse.invalid('too_many_files', message, { param: PARAM, limit: MAX_ENTRIES })
}

/** The files of a zip are no parameters of the request: its upload is. */
function asRefusal(err: unknown): unknown {
  if (err instanceof TooManyEntries) return tooManyEntries()
  if (err instanceof BadZip) {
    const message = `The upload is no zip that can be read: ${shortened(err.message)}.`
    return refuse.invalid('invalid_zip', message, { param: PARAM })
  }
  if (!(err instanceof Refusal) || err.details === undefined) return err
  const { param, problems, ...details } = err.details
  err.details = { ...details, param: param === 'entry' ? param : PARAM }
  if (Array.isArray(problems)) {
    err.details.problems = problems.map(({ param: _, ...problem }) => problem)
  }
  return err
}
