import { type Refusal, refuse } from '../../model/errors.ts'
import { isStorageFull } from '../../platform/storage-full.ts'

/** What a failure is answered as that whoever runs the server can end; null for any other. */
export function fullRefusal(err: unknown): Refusal | null {
  if (!isStorageFull(err)) return null
  const message = 'The server has no room left, and nothing was kept: tell whoever runs it.'
  return refuse.unavailable('storage_full', message)
}
