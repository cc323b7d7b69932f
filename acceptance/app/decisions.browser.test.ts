import { expect } from 'bun:test'
import { approvalsOf, approver, confirmed } from '../approvals/approver.ts'
import { becomes } from '../browser.ts'
import { type Fields, send } from '../client.ts'
import { shellOf } from '../client-shell.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { newEmail, own } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { pollOf, voter } from '../polls/voter.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const HOSTILE = '<img src=x onerror=alert(1)>'

const browser = testBrowser()

async function opened(settings: Fields, { bypassCSP = false } = {}) {
  const dashboard = await openDashboard(browser(), { bypassCSP })
  const title = word('plan')
  const page = await dashboard.owner.publish({ html: html('one', title), ...settings })
  return {
    ...dashboard,
    page,
    title,
    button: (name: string) => dashboard.tab.getByRole('button', { name, exact: true }),
    openTab: (name: string) => dashboard.open(`/app/pages/${page.id}/${name}`),
  }
}

own(
  'approvers: who waits, who decided on what, and what they said; asking again mails them',
  async () => {
    const [ann, ben] = [newEmail('ann'), newEmail('ben')]
    const emails = [ann, ben]
    const { tab, owner, page, title, problems, button, openTab } = await opened({
      collect_approvals: true,
      approver_emails: emails,
    })
    await approver(await confirmed(ann)).decide(page, {
      decision: 'changes_requested',
      note: HOSTILE,
    })
    await openTab('approvals')
    const row = (email: string) => tab.getByRole('listitem').filter({ hasText: email })
    await row(ann).getByText('Requested changes to version 1').waitFor()
    await row(ann).getByText(HOSTILE).waitFor()
    await row(ben).getByText('Waiting', { exact: true }).waitFor()
    await tab.getByText('0 approved · 1 requested changes · 1 waiting').waitFor()
    await owner.update(page.id, { html: html('two', title) })
    await owner.goLive(page.id)
    await row(ann).getByText('Requested changes to version 1 (now 2)').waitFor()
    await button('Ask all waiting').click()
    const dialog = tab.getByRole('dialog', { name: 'Ask for a decision' })
    await dialog.getByLabel('Message').fill('Prices are final.')
    await dialog.getByLabel('Due').fill('2099-11-30')
    await dialog.getByRole('button', { name: 'Put in the outbox' }).click()
    await tab.getByText('2 mails wait in the outbox: this server sends none.').waitFor()
    await row(ben)
      .getByText(/asked just now/)
      .waitFor()
    const { approvers } = await approvalsOf(owner, page)
    expect(approvers.map(({ due_at: due }) => String(due).slice(0, 4))).toEqual(['2099', '2099'])
    expect((await sharedOutbox().last(ben)).text).toContain('Prices are final.')
    const [record] = await Promise.all([
      tab.context().waitForEvent('page'),
      tab.getByRole('link', { name: 'Record', exact: true }).click(),
    ])
    await record.getByRole('heading', { name: 'Record of approvals' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'who may not open the page and so was not asked is named until it is read',
  async () => {
    const [ann, ben] = [newEmail('ann'), newEmail('ben')]
    const { tab, problems, button, openTab } = await opened({
      access: 'people',
      allowed_emails: [ann],
      collect_approvals: true,
      approver_emails: [ann, ben],
    })
    await openTab('approvals')
    await button('Ask all waiting').click()
    await button('Put in the outbox').click()
    const left = tab.getByRole('dialog', { name: 'Not everybody was asked' })
    await left.getByText(ben).waitFor()
    expect(await left.getByText(ann).count()).toBe(0)
    await left.getByText('1 mail waits in the outbox').waitFor()
    await left.getByRole('button', { name: 'Close' }).last().click()
    await left.waitFor({ state: 'detached' })
    const focused = () => tab.evaluate(() => document.activeElement?.textContent)
    await becomes(focused, 'Ask all waiting')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'approvals of an imported page are shown as history, and their record verifies',
  async () => {
    const email = newEmail('ann')
    const from = await opened({ collect_approvals: true, approver_emails: [email] })
    const ann = approver(await confirmed(email))
    await ann.decide(from.page, { decision: 'changes_requested', note: HOSTILE })
    await ann.decide(from.page, { decision: 'approved', note: 'Fine now' })
    await from.open('/app/account')
    const [archive] = await Promise.all([
      from.tab.waitForEvent('download'),
      from.tab.getByRole('button', { name: 'Export everything' }).click(),
    ])
    const { tab, problems, open } = await openDashboard(browser())
    await open('/app/account')
    await tab.getByLabel('Export to import').setInputFiles(await archive.path())
    await tab.getByText('1 page imported').waitFor()
    await tab.getByRole('link', { name: 'Pages' }).click()
    await tab.getByRole('link', { name: from.title }).click()
    await tab.getByRole('link', { name: 'Approvals', exact: true }).click()
    await tab.getByText('0 approved · 0 requested changes · 1 waiting').waitFor()
    const row = tab.getByRole('listitem').filter({ hasText: email })
    await row.getByText('Waiting', { exact: true }).waitFor()
    await row.getByText('Imported decisions (2)').click()
    await row.getByText('Fine now').waitFor()
    await row.getByText(HOSTILE).waitFor()
    const marks = row.getByText('imported: another server confirmed it')
    expect(await marks.count()).toBe(2)
    const records = tab.getByRole('region', { name: 'Imported records' })
    const [record] = await Promise.all([
      tab.waitForEvent('download'),
      records.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(record.suggestedFilename()).toEndWith('-imported.jws')
    const shell = shellOf(null)
    shell.write('jwks.json', (await send('/.well-known/jwks.json')).text)
    const verified = await shell.run('verify', await record.path(), '--jwks', 'jwks.json')
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining(email)])
    expect(problems).toEqual([])
    for (const each of [from.tab, tab]) await each.context().close()
  },
  TIMEOUT,
)

own(
  'a poll: bars with counts and shares, who voted where votes are named, closed and opened',
  async () => {
    const email = newEmail('ann')
    const { tab, owner, page, problems, button, openTab } = await opened({
      collect_votes: true,
      poll_question: 'Which one?',
      poll_options: ['A', HOSTILE],
      poll_require_email: true,
      poll_named: true,
    })
    await openTab('poll')
    await tab.getByRole('heading', { name: 'Which one?' }).waitFor()
    const who = voter(await confirmed(email))
    expect((await who.vote(page, HOSTILE, { is_named: true, name: 'Ann' })).status).toBe(200)
    const results = tab.getByRole('list', { name: 'Results' })
    await results.getByText('1 vote', { exact: false }).waitFor()
    expect(await results.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^A\s+0 votes\s+0%/),
      expect.stringContaining(HOSTILE),
    ])
    const voters = tab.getByRole('table', { name: 'Voters' })
    await voters.getByText(email).waitFor()
    await button('Close poll').click()
    await button('Reopen poll').waitFor()
    await becomes(async () => (await pollOf(page, owner)).is_closed, true)
    await button('Reopen poll').click()
    await becomes(async () => (await pollOf(page, owner)).is_closed, false)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'parts that are off say what they are for and lead to where they are set up',
  async () => {
    const { tab, openTab } = await opened({})
    for (const [name, words] of [
      ['approvals', 'Nobody is asked to approve'],
      ['poll', 'There is no poll'],
    ]) {
      await openTab(name!)
      await tab.getByRole('heading', { name: words! }).waitFor()
      const link = tab.getByRole('link', { name: 'Set it up under Share' })
      expect(await link.getAttribute('href')).toEndWith('/share#ask-viewers')
    }
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'axe finds nothing on approvals, their dialog and a poll',
  async () => {
    const { tab, page, button, openTab, expectAccessible } = await opened(
      {
        collect_approvals: true,
        approver_emails: [newEmail('ann')],
        collect_votes: true,
        poll_question: 'Which one?',
        poll_options: ['A', 'B'],
      },
      { bypassCSP: true },
    )
    await voter().vote(page, 'A')
    await openTab('poll')
    await tab.getByText('50%').or(tab.getByText('100%')).first().waitFor()
    await expectAccessible()
    await openTab('approvals')
    await button('Ask').click()
    await tab.getByRole('dialog').waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
