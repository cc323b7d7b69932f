import { expect, it } from 'bun:test'
import { type Approver, standingOf } from './standing.ts'

const approver: Approver = {
  email: 'ann@example.com',
  decision: null,
  note: null,
  decided_at: null,
  version_no: null,
  proof: null,
  is_current: false,
  asked_at: null,
  due_at: null,
  history: [],
}
const approved = { ...approver, decision: 'approved', version_no: 4 } as const

it.each([
  ['nobody decided', approver, 6, 'waiting', 'Waiting'],
  ['of this content', { ...approved, is_current: true }, 4, 'approved', 'Approved version 4'],
  ['of other content', approved, 6, 'waiting', 'Approved version 4 (now 6)'],
  [
    'changes',
    { ...approved, decision: 'changes_requested', is_current: true },
    4,
    'changes_requested',
    'Requested changes to version 4',
  ],
  ['unpublished since', approved, null, 'waiting', 'Approved version 4 (nothing is published now)'],
] as const)('says where an approver stands: %s', (_, options, published, kind, words) => {
  expect(standingOf(options as Approver, published)).toEqual({ kind, words })
})
