import type { Account } from '../../../model/account.ts'
import type { ContentInput } from '../contract.ts'
import type { Manifest } from '../manifest.ts'
import type { Staged } from '../staging.ts'
import type { ImportDeps } from './deps.ts'
import { contentSource } from './source.ts'

/**
 * Reads the content source that a request names, and checks it against the limits of the plan.
 * Stores nothing.
 *
 * @param before the content that a deck keeps its assets from
 */
export interface ImportContent {
  (account: Account, input: ContentInput, before?: Manifest): Promise<Staged>
  /** The size of all uploads that the request names, together. */
  uploadedBytes(account: Account, input: ContentInput): Promise<number>
}

export function createImportContent(deps: ImportDeps): ImportContent {
  async function importContent(account: Account, input: ContentInput, before?: Manifest) {
    const source = contentSource(input)
    // Each is loaded when somebody publishes such content: no view needs it.
    if (source === 'files') {
      const { importDeck } = await import('./deck.ts')
      return importDeck(deps, { account, before }, input)
    }
    if (source.startsWith('html')) {
      const { importHtml } = await import('./html.ts')
      return importHtml(deps, account, input)
    }
    const { importFile } = await import('./file.ts')
    return importFile(deps, account, input)
  }
  return Object.assign(importContent, {
    uploadedBytes: (account: Account, input: ContentInput) =>
      deps.uploads.sizeOf(account, uploadsIn(input)),
  })
}

function uploadsIn({ html_upload: html, file_upload: file, files, assets }: ContentInput) {
  const ofDeck = [...(files ?? []), ...(assets ?? [])].map(({ upload }) => upload)
  return [html, file, ...ofDeck].filter((id) => id !== undefined)
}
