import { MAX_ASSET_BYTES, MAX_DECK_ASSETS, MAX_DECK_PAGES } from '../../../../src/model/plan.ts'
import { api, messageOf } from '../../api.ts'
import { showError } from '../../ui/toast.tsx'
import { type Asset, inOrder, isHtmlPath, pathProblem, type TextFile } from './draft.ts'
import type { EditSession } from './session.ts'

/**
 * Adds files to the draft: pages as text, others as uploads. A file of the same name is replaced.
 * @returns the paths that were added
 */
export async function addFiles(session: EditSession, files: File[]): Promise<string[]> {
  const added: string[] = []
  for (const file of files) {
    const path = file.name.normalize('NFC')
    try {
      if (isHtmlPath(path)) putPage(session, { path, text: await file.text() })
      else putAsset(session, await uploaded(file, path))
      added.push(path)
    } catch (err) {
      showError(`${path}: ${messageOf(err)}`)
    }
  }
  return added
}

async function uploaded(file: File, path: string): Promise<Asset> {
  if (file.size > MAX_ASSET_BYTES) throw new Error('A file of a deck may have 5 MB.')
  const { data } = await api.createUpload(file)
  const type = file.type || 'application/octet-stream'
  return { path, type, size_bytes: file.size, source: { upload: data.id } }
}

function putPage(session: EditSession, page: TextFile): void {
  const { work } = session.get()
  const files = replaced(work.files, page)
  if (files.length > MAX_DECK_PAGES) throw new Error(`A deck takes ${MAX_DECK_PAGES} pages.`)
  assertPath(session, page.path)
  session.edit({ ...work, files })
}

function putAsset(session: EditSession, asset: Asset): void {
  const { work } = session.get()
  const assets = replaced(work.assets, asset)
  if (assets.length > MAX_DECK_ASSETS) throw new Error(`A deck takes ${MAX_DECK_ASSETS} files.`)
  assertPath(session, asset.path)
  session.edit({ ...work, assets })
}

function replaced<F extends { path: string }>(files: F[], file: F): F[] {
  return inOrder([...files.filter(({ path }) => path !== file.path), file])
}

function assertPath(session: EditSession, path: string): void {
  const problem = pathProblem(session.get().work, path, path)
  if (problem !== null) throw new Error(problem)
}
