import { expect, test } from 'bun:test'
import { standingText } from './standing.ts'

const approver = (decision: string | null, isCurrent = true) =>
  ({ decision, is_current: isCurrent }) as never

test.each([
  [false, 0, undefined, ''],
  [true, 0, undefined, 'mailed'],
  [true, 1, undefined, 'mailed, opened once'],
  [true, 2, approver('approved'), 'mailed, opened twice, approved'],
  [false, 12, approver('changes_requested'), 'opened 12 times, requests changes'],
  [true, 0, approver('approved', false), 'mailed, waiting'],
  [false, 0, approver(null), 'waiting'],
])('mailed %p, opened %p: %p is %p', (isMailed, openCount, about, text) => {
  expect(standingText({ isMailed, isRefused: false, openCount, approver: about })).toBe(text)
})

test('a mail that was refused was not mailed', () => {
  const refused = { isMailed: true, isRefused: true, openCount: 0, approver: undefined }
  expect(standingText(refused)).toBe('the mail server refused the mail')
})
