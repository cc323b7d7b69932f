import { ByteDownload, StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import {
  type Content,
  type ContentFiles,
  checkFilename,
  downloadName,
  entryFile,
  type Manifest,
  type ManifestFile,
  quoted,
} from '../content/index.ts'
import type { Versions } from '../versions/index.ts'

const MAX_NAME_CHARS = 120

/** The files of a page's content. */
export interface PageFiles {
  /** @throws Refusal `version_not_found` */
  listFiles(page: Page, version?: number): Promise<ContentFiles>
  /** Byte for byte as it was sent. @throws Refusal `path_not_found`, `version_not_found` */
  readFile(page: Page, file: FileName): Promise<StoredFile>
  /** The complete content in one file. A deck is a zip that is built while it is sent. */
  download(page: Page, version?: number): Promise<StoredFile | ByteDownload>
}

export interface PageFilesDeps {
  content: Pick<Content, 'getManifest' | 'body' | 'pieces'>
  versions: Pick<Versions, 'manifestOf'>
}

export interface FileName {
  path: string
  /** The number of a version; the draft unless given. */
  version?: number | undefined
}

export function createPageFiles({ content, versions }: PageFilesDeps): PageFiles {
  /** Of the draft, unless a version is given. */
  async function manifestOf(page: Page, version: number | undefined): Promise<Manifest> {
    const id = version === undefined ? page.draft_id : await versions.manifestOf(page, version)
    return content.getManifest(id)
  }

  async function storedFile({ hash, mime }: ManifestFile, filename: string): Promise<StoredFile> {
    return new StoredFile({ filename, mime, etag: `"${hash}"`, body: await content.body(hash) })
  }

  return {
    async listFiles(page, version) {
      const { kind, entry, files } = await manifestOf(page, version)
      const listed = files.map(({ path, mime, size_bytes: sizeBytes, hash }) => {
        return { path, type: mime, size_bytes: sizeBytes, hash }
      })
      return { kind, entry, files: listed }
    },
    async readFile(page, { path, version }) {
      const manifest = await manifestOf(page, version)
      const name = path.normalize('NFC')
      const file = manifest.files.find((each) => each.path === name)
      if (file === undefined) throw pathNotFound(path, manifest)
      const { file_name: fileName } = manifest
      const filename =
        fileName === null
          ? name.slice(name.lastIndexOf('/') + 1)
          : downloadName(fileName, file.mime)
      return storedFile(file, filename)
    },
    async download(page, version) {
      const manifest = await manifestOf(page, version)
      const { kind, file_name: fileName } = manifest
      const name = savedName(page, version)
      if (kind === 'bundle') {
        const { zipOf } = await import('./page-zip.ts')
        return new ByteDownload({
          filename: `${name}.zip`,
          mime: 'application/zip',
          bytes: zipOf(content, manifest.files),
        })
      }
      const file = entryFile(manifest)
      const isHtmlPage = fileName === null
      return storedFile(file, isHtmlPage ? `${name}.html` : downloadName(fileName, file.mime))
    },
  }
}

/** A file name that is valid on every system: other characters become spaces. */
function savedName({ title, slug }: Page, version: number | undefined): string {
  const plain = (title ?? '').replace(/[\\/:*?"<>|]+/g, ' ').replace(/\s+/g, ' ')
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, '').slice(0, MAX_NAME_CHARS)
  const clean = checkFilename(`${name}.html`).slice(0, -'.html'.length).trim()
  return `${clean === '' ? slug : clean}${version === undefined ? '' : ` (version ${version})`}`
}

function pathNotFound(path: string, { kind, entry, files }: Manifest) {
  const hint =
    kind === 'single'
      ? `Its one file is ${quoted(entry)}.`
      : `It has ${files.length} others: read the content of the page, which lists them.`
  return refuse.notFound('path_not_found', `There is no file ${quoted(path)}. ${hint}`)
}
