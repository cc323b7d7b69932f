/** Leaving with Back, Forward, Reload, Escape or a command while something is not sent. */
import { expect, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()
const QUESTION = 'Not saved: Send to people.'

type Opened = Awaited<ReturnType<typeof openSharing>>

const fieldIn = ({ dialog }: Opened) => dialog.getByLabel('People', { exact: true })

/** Types what only a button sends. */
async function typePeople(opened: Opened): Promise<void> {
  await fieldIn(opened).fill('Ann')
}

/** Its dialog, where there is an entry before it and one behind it. */
async function openBetween(): Promise<Opened> {
  const opened = await openSharing()
  const { tab, dialog, id } = opened
  await tab.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await tab.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.waitFor()
  await tab.keyboard.press('Escape')
  await becomes(() => viewOf(tab), `/app/pages/${id}`)
  await go(tab, -1)
  await dialog.waitFor()
  return opened
}

function go(tab: Tab, by: number): Promise<void> {
  return tab.evaluate((delta) => history.go(delta), by)
}

async function viewOf(tab: Tab): Promise<string> {
  return new URL(tab.url()).pathname
}

/** Reloads. @returns what the browser asked before that, which is answered with staying */
async function reload(tab: Tab): Promise<string | null> {
  let request: string | null = null
  const isAsked = new Promise<void>((resolve) => {
    tab.once('dialog', async (question) => {
      request = question.type()
      await question.dismiss()
      resolve()
    })
  })
  const isLoaded = new Promise<unknown>((resolve) => tab.once('load', resolve))
  await tab.evaluate(() => location.reload())
  await Promise.race([isAsked, isLoaded])
  tab.removeAllListeners('dialog')
  tab.removeAllListeners('load')
  return request
}

test(
  'Back, Forward, Escape and a command ask before words are lost, and go once that is agreed',
  async () => {
    const opened = await openBetween()
    const { tab, dialog, id, problems } = opened
    const [view, share] = [`/app/pages/${id}`, `/app/pages/${id}/share`]
    const stay = async () => {
      await dialog.getByText(QUESTION).waitFor()
      expect(await viewOf(tab)).toBe(share)
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.getByText(QUESTION).waitFor({ state: 'detached' })
      expect(await fieldIn(opened).inputValue()).toBe('Ann')
    }
    const leave = () => dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await typePeople(opened)
    await go(tab, 1)
    await stay()
    await go(tab, -1)
    await stay()
    await tab.keyboard.press('Escape')
    await stay()
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox').fill('Inbox')
    await tab.keyboard.press('Enter')
    await stay()
    await go(tab, -1)
    await leave()
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => viewOf(tab), view)

    await go(tab, 1)
    await typePeople(opened)
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox').fill('Inbox')
    await tab.keyboard.press('Enter')
    await leave()
    await tab.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await go(tab, -1)
    await dialog.waitFor()
    await typePeople(opened)
    await go(tab, 1)
    await leave()
    await tab.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'Reload asks while words are not sent, and nothing asks where nothing is typed',
  async () => {
    const opened = await openBetween()
    const { tab, dialog, id } = opened
    await go(tab, -1)
    await dialog.waitFor({ state: 'detached' })
    await go(tab, 1)
    await dialog.waitFor()
    expect(await reload(tab)).toBeNull()
    await dialog.waitFor()
    await go(tab, 1)
    await dialog.waitFor({ state: 'detached' })
    expect(await viewOf(tab)).toBe(`/app/pages/${id}`)
    await go(tab, -1)
    await typePeople(opened)
    expect(await reload(tab)).toBe('beforeunload')
    expect(await fieldIn(opened).inputValue()).toBe('Ann')
    await fieldIn(opened).fill('')
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await reload(tab)).toBeNull()
  },
  TIMEOUT,
)

test(
  'Back keeps what can be saved: it goes at once, and the change is saved',
  async () => {
    const { tab, dialog, stored } = await openBetween()
    await dialog.getByLabel('Link title').fill('Typed')
    await go(tab, -1)
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => stored('og_title'), ['Typed'])
  },
  TIMEOUT,
)

test(
  'a request to approvers asks before it is lost, and a dialog without words closes at once',
  async () => {
    const approvals = { collect_approvals: true, approver_emails: ['dora@example.com'] }
    const { tab, dialog, id, expectAccessible } = await openSharing(approvals, { bypassCSP: true })
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await tab.getByRole('link', { name: 'Approvals', exact: true }).click()
    const ask = tab.getByRole('button', { name: 'Ask all waiting' })
    const asking = tab.getByRole('dialog', { name: 'Ask for a decision' })
    await ask.click()
    await asking.waitFor()
    await tab.keyboard.press('Escape')
    await asking.waitFor({ state: 'detached' })
    await ask.click()
    await asking.getByLabel('Message').fill('Prices are final')
    for (const leave of [() => tab.keyboard.press('Escape'), () => go(tab, -1)]) {
      await leave()
      await asking.getByText('Not sent: your request.').waitFor()
      await becomes(() => viewOf(tab), `/app/pages/${id}/approvals`)
      await expectAccessible()
      await asking.getByRole('button', { name: 'Stay' }).click()
      expect(await asking.getByLabel('Message').inputValue()).toBe('Prices are final')
    }
    expect(await reload(tab)).toBe('beforeunload')
    await go(tab, -1)
    await asking.getByRole('button', { name: 'Leave without sending' }).click()
    await asking.waitFor({ state: 'detached' })
    await becomes(() => viewOf(tab), `/app/pages/${id}`)
  },
  TIMEOUT,
)

test(
  'Reload asks while a page is being sent, and no longer once it is there',
  async () => {
    const { tab, dialog, open } = await openSharing()
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await open('/app/new')
    await tab.getByRole('textbox', { name: 'HTML' }).fill('<title>Plan</title>')
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await tab.route('**/app/api/pages', async (route) => {
      if (route.request().method() === 'POST') await isReleased
      await route.continue()
    })
    const isSending = tab.waitForRequest((request) => request.method() === 'POST')
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    await isSending
    expect(await reload(tab)).toBe('beforeunload')
    release()
    await tab.getByRole('heading', { level: 1, name: 'Plan' }).waitFor()
    expect(await reload(tab)).toBeNull()
  },
  TIMEOUT,
)
