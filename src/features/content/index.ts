export { type Content, createContent } from './content.ts'
export type { ContentFiles, Warning } from './contract.ts'
export type { Edit } from './edits/edits.ts'
export { mapRange, type Splice, spanRange } from './edits/splices.ts'
export {
  FALLBACK_FILE,
  HOSTING_FILES,
  matchRule,
  NOT_FOUND_FILE,
  partsOf,
} from './files/hosting.ts'
export { decodedPath, quoted } from './files/paths.ts'
export {
  attachmentName,
  checkFilename,
  downloadName,
  isUnknownType,
  sandboxMime,
} from './files/types.ts'
export { addedBytes, bufferOf, patchPieces } from './html/bytes.ts'
export type { FoundPassage, PassageQuery } from './html/find-passages.ts'
export { headPatches, insertIntoHead } from './html/preview.ts'
export { landing } from './import/deck.ts'
export {
  type Arrived,
  contentSource,
  createImportContent,
  type ImportContent,
} from './import/import.ts'
export { createFindPassages } from './passages.ts'
export { titleIn } from './release.ts'
export { createReleaseRenewal } from './renewal.ts'
export * from './staging.ts'
export {
  type ContentTotals,
  contentKind,
  findBlob,
  findMissingBlobs,
  hasManifest,
  isFileNamed,
} from './store.ts'
export { type KnownBlob, knownBlobs } from './stored-blobs.ts'
export { createSweeper, FILES_LEASE, GRACE_MS, type Sweeper } from './sweeper.ts'
export { contentOperations, createUploads, type Uploads } from './uploads.ts'
export { describeWarnings, firstWarnings, type ReleaseWarning, warn } from './warnings.ts'
export { createContentWork } from './work.ts'
