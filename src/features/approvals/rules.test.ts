import { describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../testing/app.ts'
import {
  type ApprovalFacts,
  approvalsOf,
  approverIn,
  awaitedApprovers,
  type Decision,
  nextReminderMs,
  type ViewerFacts,
  viewOf,
} from './rules.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const FORMER = 'former@example.com'
const NOW = { manifest_id: 'content-6', version_no: 6 }

function decided(email: string, options: Partial<Decision> = {}): Decision {
  return {
    email,
    decision: 'approved',
    note: null,
    decided_at: '2026-11-21T10:00:00.000000Z',
    proof: 'mail',
    ...NOW,
    ...options,
  }
}

function facts(options: Partial<ApprovalFacts> = {}, visibility: 'owner' | 'shared' = 'owner') {
  return {
    settings: {
      collect_approvals: true,
      approver_emails: [ANN, BEN],
      approvals_visibility: visibility,
    },
    published: NOW,
    decisions: [],
    history: (options.decisions ?? []).map((each) => ({ ...each, imported_at: null })),
    requests: [],
    ...options,
  } satisfies ApprovalFacts
}

describe('what the owner reads', () => {
  const cases: [string, Decision[], object][] = [
    ['nobody has decided', [], { approved: 0, changes_requested: 0, waiting: 2 }],
    ['one approved', [decided(ANN)], { approved: 1, changes_requested: 0, waiting: 1 }],
    [
      'one requested changes',
      [decided(ANN, { decision: 'changes_requested' })],
      { approved: 0, changes_requested: 1, waiting: 1 },
    ],
    [
      'a decision about other content counts as waiting',
      [decided(ANN, { manifest_id: 'content-4', version_no: 4 })],
      { approved: 0, changes_requested: 0, waiting: 2 },
    ],
    [
      'the newest decision counts',
      [decided(ANN, { decision: 'changes_requested' }), decided(ANN)],
      { approved: 1, changes_requested: 0, waiting: 1 },
    ],
    [
      'an older decision about this content does not count again',
      [decided(ANN), decided(ANN, { manifest_id: 'content-4', version_no: 4 })],
      { approved: 0, changes_requested: 0, waiting: 2 },
    ],
    ['a former approver', [decided(FORMER)], { approved: 0, changes_requested: 0, waiting: 2 }],
  ]
  test.each(cases)('counts: %s', (_name, decisions, counts) => {
    expect(approvalsOf(facts({ decisions })).counts).toEqual(counts as never)
  })

  test('lists approvers in the order of the setting, with their history from the newest', () => {
    const first = decided(BEN, { decision: 'changes_requested', note: 'Prices', version_no: 4 })
    const second = decided(BEN, { decided_at: '2026-11-21T11:00:00.000000Z' })
    const requests = [{ email: BEN, asked_at: '2026-11-20T00:00:00.000000Z', due_at: null }]
    const { approvers } = approvalsOf(
      facts({ decisions: [first, second, decided(FORMER)], requests }),
    )
    expect(approvers.map(({ email }) => email)).toEqual([ANN, BEN])
    expect(approvers[0]).toMatchObject({ decision: null, is_current: false, history: [] })
    expect(approvers[1]).toMatchObject({ decision: 'approved', asked_at: requests[0]!.asked_at })
    expect(approvers[1]!.history.map(({ version_no }) => version_no)).toEqual([6, 4])
  })

  test('has no version and no current decision of an unpublished page', () => {
    const read = approvalsOf(facts({ published: null, decisions: [decided(ANN)] }))
    expect(read).toMatchObject({ version_no: null, manifest: null, counts: { waiting: 2 } })
    expect(read.approvers[0]).toMatchObject({ decision: 'approved', is_current: false })
  })
})

describe('what a viewer sees', () => {
  const decisions = [decided(ANN, { note: 'Fine' }), decided(BEN, { note: 'Secret of Ben' })]
  const asViewer = (options: Partial<ViewerFacts>, visibility: 'owner' | 'shared' = 'owner') =>
    viewOf(
      { ...facts({ decisions }, visibility), published: NOW },
      {
        emails: [],
        isOwner: false,
        isShown: true,
        recordPath: '/app/record',
        ...options,
      },
    )

  test('is nothing of decisions and addresses for viewers who are not approvers', () => {
    for (const emails of [[], ['eve@example.com'], [FORMER]]) {
      for (const visibility of ['owner', 'shared'] as const) {
        const seen = asViewer({ emails }, visibility)
        expect(seen).toEqual({
          version_no: 6,
          is_shown: true,
          mine: null,
          others: null,
          waiting: null,
          record_path: null,
        })
      }
    }
  })

  test('is an approver’s own decision alone, unless the page shares decisions', () => {
    const own = asViewer({ emails: [ANN] })
    expect(own.mine).toMatchObject({ email: ANN, decision: { note: 'Fine', is_current: true } })
    expect(JSON.stringify(own)).not.toMatch(/ben|Secret/i)
    const shared = asViewer({ emails: [ANN] }, 'shared')
    expect(shared.others).toMatchObject([{ email: BEN, note: 'Secret of Ben' }])
    expect(shared.waiting).toBeNull()
  })

  test('is everything for the owner, who may be an approver as well', () => {
    const seen = asViewer({ isOwner: true })
    expect(seen).toMatchObject({ mine: null, waiting: [], record_path: '/app/record' })
    expect(seen.others!.map(({ email }) => email)).toEqual([ANN, BEN])
    const both = asViewer({ isOwner: true, emails: [BEN] })
    expect(both.mine!.email).toBe(BEN)
    expect(both.others!.map(({ email }) => email)).toEqual([ANN])
  })
})

test('an approver is recognized by any confirmed address, in the viewer’s order', () => {
  const { settings } = facts()
  expect(approverIn(settings, ['eve@example.com', BEN, ANN])).toBe(BEN)
  expect(approverIn(settings, ['eve@example.com'])).toBeNull()
  expect(approverIn(settings, [])).toBeNull()
})

test('approvers without a decision about the published content are awaited', () => {
  const old = decided(BEN, { manifest_id: 'content-4' })
  expect(awaitedApprovers(facts({ decisions: [decided(ANN), old] }))).toEqual([BEN])
})

describe('reminders', () => {
  const due = 100 * DAY_MS
  const cases: [string, number, number | null][] = [
    ['a week before', due - 7 * DAY_MS, due - 3 * DAY_MS],
    ['just before three days', due - 3 * DAY_MS - MINUTE_MS, due - 3 * DAY_MS],
    ['at three days', due - 3 * DAY_MS, due - DAY_MS],
    ['two days before', due - 2 * DAY_MS, due - DAY_MS],
    ['at one day', due - DAY_MS, null],
    ['an hour before', due - HOUR_MS, null],
    ['afterwards', due + HOUR_MS, null],
  ]
  test.each(cases)('asked %s', (_name, nowMs, expected) => {
    expect(nextReminderMs(due, nowMs)).toBe(expected)
  })
  test('there are none without a due date', () => {
    expect(nextReminderMs(null, due)).toBeNull()
  })
})
