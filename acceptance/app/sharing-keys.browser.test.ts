/** The sharing dialog by keyboard, on a small phone, and when writes race, fail or are left. */
import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { askAtGate, sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

const EVERYTHING = {
  access: 'people',
  allowed_emails: [`${'a-long-address'.repeat(4)}@sub.domain.example.com`, 'bob@example.com'],
  allow_access_requests: true,
  allow_comments: true,
  collect_approvals: true,
  approver_emails: ['dora@example.com'],
  collect_votes: true,
  poll_question: 'Which?',
  poll_options: ['Blue', 'Green'],
}
type Tab = Awaited<ReturnType<typeof openSharing>>['tab']

const isSetting = (url: URL) => /^\/app\/api\/pages\/[^/]+$/.test(url.pathname)

/** Lets a test answer the changes of settings itself. */
async function onChange(tab: Tab, answer: (send: () => Promise<void>) => Promise<void>) {
  await tab.route(isSetting, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    await answer(() => route.continue())
  })
}

test(
  'the keyboard opens it, goes through it in the order it is read, and comes back',
  async () => {
    const { tab, dialog, stored, problems } = await openSharing()
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const share = tab.getByRole('button', { name: 'Share', exact: true })
    await share.focus()
    await tab.keyboard.press('Enter')
    await dialog.waitFor()
    const focused = () =>
      tab.evaluate(() => {
        const element = document.activeElement as HTMLInputElement
        const label = element.labels?.[0]?.textContent
        return (label ?? element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
      })
    await becomes(focused, 'Anyone with the link')
    const order: string[] = []
    for (let i = 0; i < 10; i += 1) {
      await tab.keyboard.press('Tab')
      order.push(await focused())
    }
    // A button that does nothing yet can be reached, too.
    expect(order.slice(0, 4)).toEqual(['People', 'Make links', 'Ask for agreement', 'Expires'])
    // A date field has a stop for each of its parts.
    expect(order.slice(3).every((name) => name === 'Expires' || name === '1 day')).toBe(true)
    await dialog.getByRole('radio', { name: 'Anyone with the link' }).focus()
    await tab.keyboard.press('ArrowDown')
    await becomes(focused, 'Only people you invite')
    await becomes(() => stored('access'), ['people'])
    await dialog.getByRole('button', { name: 'Undo' }).waitFor()
    await tab.keyboard.press('Tab')
    expect(await focused()).toBe('Undo')
    await tab.keyboard.press('Tab')
    expect(await focused()).toBe('Invite by email')
    await tab.keyboard.type('ann@example.com')
    await tab.keyboard.press('Enter')
    await becomes(() => stored('allowed_emails'), [['ann@example.com']])
    expect(await focused()).toBe('Invite by email')
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await becomes(focused, 'Share')
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'at 320 px everything is inside, nothing scrolls sideways, and each control can be reached',
  async () => {
    const { tab, dialog, owner, id, problems } = await openSharing(EVERYTHING)
    const { slug } = await owner.page(id)
    const asking = `${'somebody-with-a-long-name'.repeat(2)}@sub.domain.example.com`
    await askAtGate(`/p/${slug}`, asking)
    await tab.setViewportSize({ width: 320, height: 640 })
    await tab.reload()
    await dialog.getByRole('button', { name: `Let in ${asking}` }).waitFor()
    const outside = () =>
      tab.evaluate(() => {
        const lines = [...document.querySelectorAll('dialog *')].filter((element) => {
          const { left, right, width } = element.getBoundingClientRect()
          return width > 0 && (left < -1 || right > innerWidth + 1)
        })
        const scrolled = [...document.querySelectorAll('dialog, dialog div')].filter(
          (element) =>
            element.scrollWidth > element.clientWidth + 1 &&
            ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
        )
        return [...lines, ...scrolled].map((element) => element.className)
      })
    for (const phrase of ['Only people you invite', 'Anyone with the password']) {
      await dialog.getByRole('radio', { name: phrase }).check()
      expect(await outside(), phrase).toEqual([])
    }
    const last = dialog.getByRole('switch', { name: 'Email me each decision' })
    await last.scrollIntoViewIfNeeded()
    const isOn = await last.getAttribute('aria-checked')
    await last.click()
    await becomes(async () => (await last.getAttribute('aria-checked')) !== isOn, true)
    expect(problems).toEqual([])
    await tab.setViewportSize({ width: 1280, height: 800 })
  },
  TIMEOUT,
)

test(
  'changes made while another is being saved are saved after it, and the last one of a field counts',
  async () => {
    const { tab, dialog, stored, saved, problems } = await openSharing()
    let release: () => void = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    let sent = 0
    await onChange(tab, async (send) => {
      sent += 1
      if (sent === 1) await isHeld
      await send()
    })
    const index = dialog.getByRole('switch', { name: 'Let search engines index it' })
    const mail = dialog.getByRole('switch', { name: 'Email me when it is opened' })
    await index.click()
    await mail.click()
    for (let i = 0; i < 4; i += 1) await index.click()
    await dialog.getByText('Saving…').waitFor()
    expect(await stored('indexed', 'notify_on_view')).toEqual([false, false])
    expect(await index.getAttribute('aria-checked')).toBe('true')
    release()
    await saved()
    expect(await stored('indexed', 'notify_on_view')).toEqual([true, true])
    expect(await index.getAttribute('aria-checked')).toBe('true')
    // What was overtaken while it waited is never sent.
    expect(sent).toBeLessThanOrEqual(3)
    await tab.unroute(isSetting)
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'a change that the server refuses is taken back where it was made, and says why',
  async () => {
    const { tab, dialog, stored } = await openSharing()
    const message = 'The operator does not allow this.'
    await tab.route(isSetting, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { error: { code: 'plan_required', message } } })
        : route.continue(),
    )
    const index = dialog.getByRole('switch', { name: 'Let search engines index it' })
    await index.click()
    await dialog.getByRole('alert').filter({ hasText: message }).waitFor()
    expect(await index.getAttribute('aria-checked')).toBe('false')
    // Not `check`, which fails where the choice does not stay.
    await dialog.getByRole('radio', { name: 'Only you', exact: true }).click()
    await becomes(
      () => dialog.getByRole('radio', { name: 'Anyone with the link' }).isChecked(),
      true,
    )
    await becomes(() => dialog.getByRole('alert').filter({ hasText: message }).count(), 2)
    expect(await dialog.getByText('Saved', { exact: true }).count()).toBe(0)
    // Enter in the same frame as the last letter.
    const title = dialog.getByLabel('Link title')
    await title.evaluate(async (field: HTMLInputElement) => {
      field.focus()
      document.execCommand('insertText', false, 'Typed')
      await new Promise((resolve) => setTimeout(resolve))
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    await becomes(() => dialog.getByRole('alert').filter({ hasText: message }).count(), 3)
    expect(await title.inputValue()).toBe('Typed')
    await title.fill('')
    await title.blur()
    await tab.unroute(isSetting)
    await index.click()
    await becomes(() => stored('indexed', 'access'), [true, 'link'])
    await becomes(() => dialog.getByRole('alert').filter({ hasText: message }).count(), 1)
  },
  TIMEOUT,
)

test(
  'what only a button sends keeps the dialog open, until one leaves without it',
  async () => {
    const { tab, dialog, problems } = await openSharing()
    const field = dialog.getByLabel('People', { exact: true })
    await field.fill('Ann')
    const notice = dialog.getByText('Not saved: Send to people.')
    for (const leave of [
      () => tab.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave()
      await notice.waitFor()
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await notice.waitFor({ state: 'detached' })
      expect(await field.inputValue()).toBe('Ann')
    }
    // Chromium closes a dialog by itself where Escape is pressed again and nothing prevents it.
    for (let presses = 0; presses < 3; presses++) await tab.keyboard.press('Escape')
    await notice.waitFor()
    expect(await field.inputValue()).toBe('Ann')
    const request = tab.waitForEvent('dialog')
    void tab.close({ runBeforeUnload: true })
    const question = await request
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    expect(await field.inputValue()).toBe('Ann')
    await tab.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
