import { StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { type Content, downloadName, type Manifest, quoted } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'

export interface ReadFileDeps {
  content: Pick<Content, 'getManifest' | 'body'>
  versions: Pick<Versions, 'manifestOf'>
}

export interface FileName {
  path: string
  /** The number of a version; the draft unless given. */
  version?: number | undefined
}

/**
 * Reads any file of a page's content, byte for byte as it was sent.
 * @throws Refusal `path_not_found`, `version_not_found`
 */
export function createReadFile({ content, versions }: ReadFileDeps) {
  return async (page: Page, { path, version }: FileName): Promise<StoredFile> => {
    const id = version === undefined ? page.draft_id : await versions.manifestOf(page, version)
    const manifest = await content.getManifest(id)
    const name = path.normalize('NFC')
    const file = manifest.files.find((each) => each.path === name)
    if (file === undefined) throw pathNotFound(path, manifest)
    const { hash, mime } = file
    const { file_name: fileName } = manifest
    const filename =
      fileName === null ? name.slice(name.lastIndexOf('/') + 1) : downloadName(fileName, mime)
    return new StoredFile({ filename, mime, etag: `"${hash}"`, body: await content.body(hash) })
  }
}

function pathNotFound(path: string, { kind, entry, files }: Manifest) {
  const hint =
    kind === 'single'
      ? `Its one file is ${quoted(entry)}.`
      : `It has ${files.length} others: read the content of the page, which lists them.`
  return refuse.notFound('path_not_found', `There is no file ${quoted(path)}. ${hint}`)
}
