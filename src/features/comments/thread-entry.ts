import { pickerOf } from '../../model/named-members.ts'
import { viewersComment } from './contract.ts'
import { type Thread, toViewers } from './rules.ts'

/** A thread in the form that viewers receive. */
export interface Entry {
  json: string
  /** The revision of its newest change. */
  revision: number
  /** Comments and replies that can be seen in it. */
  count: number
}

const pickNamed = pickerOf(viewersComment)

export function entryOf(thread: Thread): Entry {
  const shown = toViewers(thread)
  const revision = Math.max(...[thread.root, ...thread.replies].map((row) => row.revision))
  if ('is_gone' in shown) return { json: JSON.stringify(shown), revision, count: 0 }
  const count = shown.replies.length + (shown.placeholder === null ? 1 : 0)
  // The schema drops every member that the contract does not name.
  return { json: JSON.stringify(pickNamed(shown)), revision, count }
}
