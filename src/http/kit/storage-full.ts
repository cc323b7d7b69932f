import { type Refusal, refuse } from '../../model/errors.ts'
import { isStorageFull } from '../../platform/storage-full.ts'

/** The refusal for a full disk or database. Null for any other error. */
export function storageFullRefusal(err: unknown): Refusal | null {
  if (!isStorageFull(err)) return null
  const message = 'The server has no space left, and nothing was saved. Tell its operator.'
  return refuse.unavailable('storage_full', message)
}
