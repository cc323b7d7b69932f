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
 * Counts how often each frame token has loaded the documents of pages with a view limit. The count
 * is in the database, shared by all nodes, and works with rate limits off, too.
 */
export function createFrameDocuments({ database, clock }: FrameDocumentDeps) {
  const uses = createThrottles({ database, clock, isOn: true })
  return {
    /**
     * Whether the request may have its file. A document of a page with a view limit is sent once
     * for each frame token, so that a copied address gives no further view.
     */
    async mayGive({ method }: Request, contentRequest: ContentRequest): Promise<boolean> {
      const { asked, publishedPage, target } = contentRequest
      const isDocument = asked.kind === 'frame' && asked.file.html !== null
      const isLimited = publishedPage.max_views !== null && !publishedPage.isPreview
      if (!isDocument || method !== 'GET' || !isLimited) return true
      const signature = target.frameToken!.split('.').at(-1)
      const use = await uses.consume(ONCE, `${signature} ${asked.file.path}`)
      return use.isAllowed
    },
  }
}
export type FrameDocuments = ReturnType<typeof createFrameDocuments>
