/**
 * The state of a page in one word: a closed page by its reason. It is separate from the
 * schemas, which are too large for the first script of the dashboard.
 */
export type ShownState = 'live' | 'changes' | 'draft' | 'taken_down' | 'expired' | 'view_limit'

/** The members that decide the state, with times in the format of the API. */
interface StateFacts {
  is_published: boolean
  has_unpublished_changes: boolean
  taken_down_at: string | null
  expires_at: string | null
  max_views: number | null
  views: number
}

/** The state for visitors. The list of pages computes the same in SQL. */
export function shownStateOf(facts: StateFacts, now: string): ShownState {
  const { expires_at, max_views } = facts
  if (!facts.is_published) return 'draft'
  if (facts.taken_down_at !== null) return 'taken_down'
  if (expires_at !== null && expires_at <= now) return 'expired'
  if (max_views !== null && facts.views >= max_views) return 'view_limit'
  return facts.has_unpublished_changes ? 'changes' : 'live'
}
