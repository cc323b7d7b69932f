import { describe, expect, test } from 'bun:test'
import type { ApprovalView } from '../../../src/features/approvals/contract.ts'
import { decidedText, ownStateText, progressText, requestText } from './words.ts'

type Choice = 'approved' | 'changes_requested'

const AT = '2026-11-21T10:00:00.000000Z'
function decided(decision: Choice, versionNo: number) {
  const email = 'ann@example.com'
  const isCurrent = versionNo === 6
  return {
    email,
    decision,
    note: null,
    decided_at: AT,
    version_no: versionNo,
    is_current: isCurrent,
  }
}
function view(options: Partial<ApprovalView> = {}): ApprovalView {
  const nothing = { mine: null, others: null, waiting: null, record_path: null }
  return { version_no: 6, is_shown: true, ...nothing, ...options }
}

describe('the own state', () => {
  test.each([
    [null, 'You are asked to approve version 6'],
    [decided('approved', 6), 'You approved version 6'],
    [decided('approved', 4), 'You approved version 4, now 6'],
    [decided('changes_requested', 6), 'You requested changes to version 6'],
    [decided('changes_requested', 4), 'You requested changes to version 4, now 6'],
  ])('of %j', (decision, text) => {
    expect(ownStateText(view(), { email: 'a@b.example', decision, due_at: null })).toBe(text)
  })
})

test('the state of another approver', () => {
  expect(decidedText(decided('approved', 6), 6)).toBe('Approved version 6')
  expect(decidedText(decided('changes_requested', 4), 6)).toBe(
    'Requested changes to version 4, now 6',
  )
})

describe('the progress that the owner reads', () => {
  test.each([
    [[], 'Version 6: nobody has decided yet'],
    [[decided('approved', 4)], 'Version 6: nobody has decided yet'],
    [[decided('approved', 6), decided('approved', 4)], 'Version 6: 1 approved'],
    [
      [decided('approved', 6), decided('approved', 6), decided('changes_requested', 6)],
      'Version 6: 2 approved, 1 requested changes',
    ],
    [[decided('changes_requested', 6)], 'Version 6: 1 requested changes'],
  ])('with %j', (others, text) => {
    expect(progressText(view({ others, waiting: [] }))).toBe(text)
  })
  test('counts the owner, too', () => {
    const mine = { email: 'a@b.example', decision: decided('approved', 6), due_at: null }
    expect(progressText(view({ others: [], mine, waiting: [] }))).toBe('Version 6: 1 approved')
  })
})

test.each([
  [2, [], '2 mails are on their way.'],
  [1, [], 'A mail is on its way.'],
  [0, [], 'Nobody is awaited.'],
  [0, ['a@b.example'], 'The page does not let in a@b.example: share it with them first.'],
  [
    1,
    ['a@b.example', 'c@d.example'],
    'A mail is on its way. The page does not let in a@b.example, c@d.example: share it with them first.',
  ],
])('asking %i by mail, and not %j', (request, notAdmitted, text) => {
  expect(requestText(request, notAdmitted)).toBe(text)
})
