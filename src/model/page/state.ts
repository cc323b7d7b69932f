import { z } from 'zod'
import type { ShownState } from './shown-state.ts'

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
type StateFields = z.output<z.ZodObject<typeof stateFields>>

/** The state as the API writes it. */
export function stateFieldsOf(state: ShownState): StateFields {
  const isOpen = state === 'live' || state === 'changes' || state === 'draft'
  return isOpen ? { state, closed_by: null } : { state: 'closed', closed_by: state }
}
