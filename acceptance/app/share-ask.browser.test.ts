import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { word } from '../material.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

test(
  'comments are turned on, and hidden, restored and deleted from the dialog',
  async () => {
    const { tab, dialog, owner, id, stored, problems } = await openSharing({ allow_comments: true })
    const body = word('comment')
    await owner.call('POST', `/pages/${id}/comments`, { body })
    await tab.reload()
    await dialog.getByText(body).waitFor()
    await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
    await dialog.getByRole('button', { name: 'Restore' }).waitFor()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await dialog.getByRole('button', { name: 'Delete comment' }).click()
    await tab
      .getByRole('dialog', { name: 'Delete this comment for good?' })
      .getByRole('button', { name: 'Delete comment' })
      .click()
    await dialog.getByText('No comments yet.').waitFor()
    await dialog.getByRole('switch', { name: 'Comments', exact: true }).click()
    await becomes(() => stored('allow_comments'), [false])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'approvals begin with the first approver, and ask by mail',
  async () => {
    const { tab, dialog, stored, problems } = await openSharing({}, { mails: true })
    await dialog.getByRole('switch', { name: 'Approvals' }).click()
    expect(await stored('collect_approvals')).toEqual([false])
    const field = dialog.getByLabel('Approvers', { exact: true })
    await field.fill('dora@example.com')
    await field.press('Enter')
    await becomes(
      () => stored('collect_approvals', 'approver_emails'),
      [true, ['dora@example.com']],
    )
    await dialog.getByRole('button', { name: 'Ask 1 approver by email' }).click()
    const asking = tab.getByRole('dialog', { name: 'Ask for a decision' })
    await asking.getByLabel('Message').fill('Prices are final.')
    await asking.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('1 approver asked by mail').waitFor()
    await dialog.getByText('mailed, waiting', { exact: true }).waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'an ask that nobody gets, as all have decided meanwhile, says so',
  async () => {
    const approvals = { collect_approvals: true, approver_emails: ['dora@example.com'] }
    const { tab, dialog } = await openSharing(approvals, { mails: true })
    await dialog.getByRole('button', { name: 'Ask 1 approver by email' }).click()
    const data = { asked: [], not_admitted: [], due_at: null, sends_mails: true }
    await tab.route('**/approvals/requests', (route) => route.fulfill({ json: { data } }))
    const asking = tab.getByRole('dialog', { name: 'Ask for a decision' })
    await asking.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('0 approvers asked by mail').waitFor()
  },
  TIMEOUT,
)

test(
  'options that another tab has added or removed meanwhile stay so',
  async () => {
    const { dialog, owner, id, stored } = await openSharing({
      collect_votes: true,
      poll_question: 'Which colour?',
      poll_options: ['Blue', 'Green', 'Grey'],
    })
    await dialog.getByRole('button', { name: 'Add option' }).click()
    await dialog.getByLabel('Option 4', { exact: true }).fill('Red')
    await owner.update(id, { poll_options: ['Blue', 'Grey', 'White'] })
    await dialog.getByLabel('Option 4', { exact: true }).press('Enter')
    await becomes(() => stored('poll_options'), [['Blue', 'Grey', 'Red', 'White']])
    await dialog.getByLabel('Option 5', { exact: true }).fill('Pink')
    await dialog.getByLabel('Question').focus()
    await becomes(() => stored('poll_options'), [['Blue', 'Grey', 'Red', 'Pink', 'White']])
  },
  TIMEOUT,
)

test(
  'a poll starts with its question and options in one change, and its options are then changed',
  async () => {
    const { tab, dialog, stored, saved, problems } = await openSharing()
    const poll = dialog.getByRole('switch', { name: 'Poll' })
    await poll.click()
    await dialog.getByRole('button', { name: 'Start poll' }).click()
    await dialog.getByText('A poll has at least 2 options.').waitFor()
    expect(await stored('collect_votes', 'poll_question')).toEqual([false, null])
    await dialog.getByLabel('Question').fill('Which colour?')
    await dialog.getByLabel('Option 1', { exact: true }).fill('Blue')
    await dialog.getByLabel('Option 2', { exact: true }).fill('Green')
    await dialog.getByRole('button', { name: 'Start poll' }).click()
    await saved()
    await becomes(
      () => stored('collect_votes', 'poll_question', 'poll_options'),
      [true, 'Which colour?', ['Blue', 'Green']],
    )
    await dialog.getByLabel('Option 2', { exact: true }).press('Enter')
    await dialog.getByLabel('Option 3', { exact: true }).fill('Red')
    await dialog.getByRole('button', { name: 'Move or remove option 3' }).click()
    await tab.getByRole('menuitem', { name: 'Move up' }).click()
    await becomes(() => stored('poll_options'), [['Blue', 'Red', 'Green']])
    await dialog.getByRole('switch', { name: 'One vote per confirmed email' }).click()
    await dialog.getByRole('switch', { name: 'Show who voted for what' }).click()
    await becomes(() => stored('poll_require_email', 'poll_named'), [true, true])
    await dialog.getByRole('switch', { name: 'One vote per confirmed email' }).click()
    await becomes(() => stored('poll_require_email', 'poll_named'), [false, false])
    await poll.click()
    await becomes(() => stored('collect_votes', 'poll_question'), [false, 'Which colour?'])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
