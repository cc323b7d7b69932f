import type { Account } from '../../../model/account.ts'
import type { Fetched, GuardedFetch } from '../../../platform/fetch/index.ts'
import type { StoredBlobs } from '../stored-blobs.ts'
import type { Uploads } from '../uploads.ts'
import type { ContentWork } from '../work.ts'

/** The sources of content that is not in the request itself. */
export interface ImportDeps {
  uploads: Pick<Uploads, 'read' | 'sizeOf'>
  fetch: GuardedFetch
  /** Where a deck has the bytes that it keeps. */
  content: Pick<StoredBlobs, 'bytes'>
  work: ContentWork
}

/** The account of the request, and the fetched content; null if the request has no URL. */
export interface ImportFrom {
  account: Account
  fetched: Fetched | null
}
