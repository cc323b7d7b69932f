import { z } from 'zod'

export const PAGE_STATES = ['live', 'changes', 'draft', 'closed'] as const
export type PageState = (typeof PAGE_STATES)[number]

export const stateFields = {
  state: z
    .enum(PAGE_STATES)
    .describe(
      'What visitors meet. `live`: the draft. `changes`: an earlier version, since the draft has ' +
        'changed. `draft`: nothing, it is not published. `closed`: a notice, as `closed_by` says.',
    ),
  closed_by: z
    .enum(['taken_down', 'expired', 'view_limit'])
    .nullable()
    .describe('Why a published page is closed; null if it is not.'),
}
export type StateFields = z.output<z.ZodObject<typeof stateFields>>

/** The state of a page in one word: a closed page by its reason. */
export type ShownState =
  | Exclude<StateFields['state'], 'closed'>
  | NonNullable<StateFields['closed_by']>

/** What decides the state, with times as the API writes them. */
export interface StateFacts {
  is_published: boolean
  has_unpublished_changes: boolean
  taken_down_at: string | null
  expires_at: string | null
  max_views: number | null
  views: number
}

/** What visitors meet. The list of pages decides the same in SQL. */
export function shownStateOf(facts: StateFacts, now: string): ShownState {
  const { expires_at: expiresAt, max_views: maxViews } = facts
  if (!facts.is_published) return 'draft'
  if (facts.taken_down_at !== null) return 'taken_down'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  if (maxViews !== null && facts.views >= maxViews) return 'view_limit'
  return facts.has_unpublished_changes ? 'changes' : 'live'
}

/** The state as the API writes it. */
export function stateFieldsOf(state: ShownState): StateFields {
  const isOpen = state === 'live' || state === 'changes' || state === 'draft'
  return isOpen ? { state, closed_by: null } : { state: 'closed', closed_by: state }
}
