import { type Refusal, refuse } from '../../model/errors.ts'
import { isStorageFull } from '../../platform/storage-full.ts'

/** The refusal for a full disk or database. Null for any other error. */
export function storageFullRefusal(err: unknown): Refusal | null {
  if (!isStorageFull(err)) return null
  const message = 'The server has no room left, and nothing was kept: tell whoever runs it.'
  return refuse.unavailable('storage_full', message)
}
