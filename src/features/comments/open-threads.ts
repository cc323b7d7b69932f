import type { Page } from '../../model/page/index.ts'
import type { InboxRows } from '../../platform/db/inbox-rows.ts'
import type { Db } from '../../platform/db/index.ts'
import type { RefreshAnchorStates } from './anchor-states.ts'
import type { OwnersComment } from './contract.ts'
import { readThreads } from './list-comments.ts'
import { type Thread, toOwner } from './rules.ts'
import * as store from './store.ts'

/** Open threads of several pages, for their owner. */
export interface OpenThreads {
  /** Open threads that are not hidden, by the time of their newest comment or reply. */
  openThreads: InboxRows
  /** Reads threads with their replies: the first ones that fit into an answer, at least one. */
  readThreads(db: Db, ids: readonly string[]): Promise<Thread[]>
  /** Threads of the pages in the form of `listComments`, by id. */
  presentThreads(
    pages: readonly Page[],
    threads: readonly Thread[],
  ): Promise<Map<string, OwnersComment>>
}

export function createOpenThreads(refreshAnchorStates: RefreshAnchorStates): OpenThreads {
  return {
    openThreads: store.openThreads,
    readThreads,
    async presentThreads(pages, threads) {
      for (const page of pages) {
        const own = threads.filter(({ root }) => root.page_id === page.id)
        const rows = own.flatMap(({ root, replies }) => [root, ...replies])
        await refreshAnchorStates(page, rows)
      }
      return new Map(threads.map((thread) => [thread.root.id, toOwner(thread)]))
    },
  }
}
