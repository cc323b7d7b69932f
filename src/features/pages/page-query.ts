import type { Timestamp } from '../../platform/clock.ts'
import type { ListInput } from './contract.ts'

/** Which pages a list has, and in which order. */
export interface PageQuery extends Pick<ListInput, 'access' | 'state' | 'kind'> {
  /** Null: of all accounts, for the operator. */
  account_id: string | null
  /** Only those that are taken down, or only others. */
  taken_down?: boolean | undefined
  sort: NonNullable<ListInput['sort']>
  words: readonly string[]
  order: 'asc' | 'desc'
  limit: number
  offset: number
  /** The time at which the states of pages are asked for. */
  now: Timestamp
}
