import type { GuardedFetch } from '../../../platform/fetch/index.ts'
import type { ContentWork } from '../tasks.ts'
import type { Uploads } from '../uploads.ts'

/** Where content comes from that is not in the request itself. */
export interface ImportDeps {
  uploads: Pick<Uploads, 'read'>
  fetch: GuardedFetch
  work: ContentWork
}
