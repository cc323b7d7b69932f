import type { Clock } from '../../platform/clock.ts'
import type { Durability, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { type PageNews, type RecordNewsDeps, recordNews } from './page-news.ts'
import * as store from './store.ts'
import { addSeen, newPageCounts, type PageCounts, type SeenView } from './waiting-views.ts'
import type { CountWriter } from './write-counts.ts'

/** Counts the views by named links, in the transaction that counts those of their page. */
export interface LinkCounts {
  /** @returns false where the link opens nothing more */
  countOpen(tx: Tx, link: [id: string, pageId: string]): Promise<boolean>
  /** Takes back a view that its page had none left for. */
  uncountOpen(tx: Tx, link: [id: string]): Promise<unknown>
}

export interface GrantedViewDeps extends RecordNewsDeps, Pick<Services, 'database'> {
  links: LinkCounts
  writer: CountWriter
  hourNow(): number
  /**
   * Called before views are counted. @returns the function to call afterwards for pages without a
   * limit
   */
  onUnlimited(pageId: string): () => void
  /** So many views were counted. */
  onGranted(views: number): void
}

/** The longest wait of a view for others to share its fsync, while more arrive. */
const GATHER_MS = 4

/** A view that waits for the transaction that counts it. */
interface PendingView {
  pageId: string
  view: GrantedView
  resolve(isGranted: boolean): void
  reject(err: unknown): void
}
type GrantedView = SeenView & { notify: boolean; linkId?: string | undefined }

interface Counted {
  granted: Set<PendingView>
  /** The viewers of today that were counted, as hashes. */
  viewerKeys: string[]
  afterCommit: (() => void)[]
}

/**
 * Counts views in transactions that grant only as many as the page's limit allows. Views that
 * arrive in consecutive turns of the event loop, or during a commit, share a transaction.
 */
export function createGrantedViews(deps: GrantedViewDeps, durability: Durability) {
  const { database, writer, hourNow } = deps
  let pending: PendingView[] = []
  let isFlushing = false

  async function gather(): Promise<void> {
    const untilMs = performance.now() + GATHER_MS
    for (let count = 0; pending.length > count && performance.now() < untilMs; ) {
      count = pending.length
      await new Promise(setImmediate)
    }
  }

  async function flush(): Promise<void> {
    isFlushing = true
    while (pending.length > 0) {
      let batch: PendingView[] = []
      if (durability === 'full') await gather()
      try {
        const hour = hourNow()
        await writer.prepare(hour)
        const { granted, viewerKeys, afterCommit } = await database.write((tx) => {
          // A retried transaction counts the same views, and no others.
          if (batch.length === 0) [batch, pending] = [pending, []]
          return countBatch(deps, tx, { batch, hour })
        }, durability)
        writer.remember(hour, viewerKeys)
        for (const act of afterCommit) act()
        deps.onGranted(granted.size)
        for (const view of batch) view.resolve(granted.has(view))
      } catch (err) {
        if (batch.length === 0) [batch, pending] = [pending, []]
        for (const { reject } of batch) reject(err)
      }
    }
    isFlushing = false
  }

  /** @returns false where the limit was reached before, or the page is gone */
  return (pageId: string, view: GrantedView): Promise<boolean> =>
    new Promise((resolve, reject) => {
      pending.push({ pageId, view, resolve, reject })
      if (!isFlushing) void flush()
    })
}

/** Views are granted in the order in which they arrived. */
async function countBatch(
  deps: GrantedViewDeps,
  tx: Tx,
  { batch, hour }: { batch: PendingView[]; hour: number },
): Promise<Counted> {
  const { clock, writer, recordEvent, onUnlimited } = deps
  const byPage = Map.groupBy(batch, ({ pageId }) => pageId)
  const result: Counted = { granted: new Set(), viewerKeys: [], afterCommit: [] }
  const news: PageNews[] = []
  for (const pageId of [...byPage.keys()].sort()) {
    const open = await openByLinks(deps, tx, byPage.get(pageId)!)
    const onCommit = onUnlimited(pageId)
    const added = await store.addViews(tx, pageId, open.length)
    const { granted, views, max_views: maxViews, account_id: accountId } = added
    for (const { view } of open.slice(granted)) {
      if (view.linkId !== undefined) await deps.links.uncountOpen(tx, [view.linkId])
    }
    if (granted === 0) continue
    const served = open.slice(0, granted)
    for (const one of served) result.granted.add(one)
    if (maxViews === null) result.afterCommit.push(onCommit)
    const counts = countsOf(served, clock)
    const openedBy = await writer.write(tx, { pageId, hour }, counts, result.viewerKeys)
    const closed = views === maxViews ? 'view_limit' : null
    news.push({ pageId, accountId, openedBy, closed })
    if (!open.some(({ view }) => view.notify)) continue
    const details = { count: granted, total: views, notifyOwner: true }
    await recordEvent(tx, { kind: 'view', pageId, ...details })
  }
  await recordNews(tx, deps, news)
  return result
}

/** Those of a page's views that the links still open by which they came. */
async function openByLinks({ links }: GrantedViewDeps, tx: Tx, views: PendingView[]) {
  const open: PendingView[] = []
  for (const each of views) {
    const { linkId } = each.view
    if (linkId === undefined || (await links.countOpen(tx, [linkId, each.pageId]))) open.push(each)
  }
  return open
}

function countsOf(views: readonly PendingView[], { now }: Clock): PageCounts {
  const counts = newPageCounts()
  const capacity = { remaining: Infinity }
  for (const { view } of views) addSeen(counts, view, { capacity, now })
  return { ...counts, views: views.length }
}
