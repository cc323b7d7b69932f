import type { Account } from '../../../model/account.ts'
import type { ContentInput } from '../contract.ts'
import type { Manifest } from '../manifest.ts'
import type { Staged } from '../staging.ts'
import { importDeck } from './deck.ts'
import type { ImportDeps } from './deps.ts'
import { importFile } from './file.ts'
import { importHtml } from './html.ts'
import { contentSource } from './source.ts'

/**
 * Reads the content source that a request names, and checks it against the limits of the plan.
 * Stores nothing.
 *
 * @param before the content that a deck keeps its assets from
 */
export type ImportContent = (
  account: Account,
  input: ContentInput,
  before?: Manifest,
) => Promise<Staged>

export function createImportContent(deps: ImportDeps): ImportContent {
  return (account, input, before) => {
    const source = contentSource(input)
    if (source === 'files') return importDeck(deps, { account, before }, input)
    return source.startsWith('html')
      ? importHtml(deps, account, input)
      : importFile(deps, account, input)
  }
}
