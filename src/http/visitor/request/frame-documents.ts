import { createThrottles } from '../../../features/throttles/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { ContentRequest } from './page-request.ts'

/** As long as a frame token is valid. */
const ONCE = { name: 'frame-document', count: 1, windowS: 12 * 60 * 60 }

export interface FrameDocumentDeps {
  database: Database
  clock: Clock
}

/**
 * Counts how often the documents of pages with a view limit are given by frame token. The count is
 * in the database, for all nodes together, and does not depend on the setting of rate limits.
 */
export function createFrameDocuments({ database, clock }: FrameDocumentDeps) {
  const uses = createThrottles({ database, clock, isOn: true })
  return {
    /**
     * Whether this request may have its file. A document of a page with a view limit is given once
     * for each frame token, so that a copy of the address is no further view.
     */
    async mayGive({ method }: Request, contentRequest: ContentRequest): Promise<boolean> {
      const { asked, publishedPage, target } = contentRequest
      const isDocument = asked.kind === 'frame' && asked.file.html !== null
      if (!isDocument || method !== 'GET' || publishedPage.max_views === null) return true
      const signature = target.frameToken!.split('.').at(-1)
      const use = await uses.consume(ONCE, `${signature} ${asked.file.path}`)
      return use.isAllowed
    },
  }
}
export type FrameDocuments = ReturnType<typeof createFrameDocuments>
