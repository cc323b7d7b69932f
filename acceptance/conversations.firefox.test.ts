/** A comment, a vote and an approval in Firefox. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from './browser.ts'
import { KINDS, type Site, startSite } from './conversations.ts'
import { launchFirefox } from './firefox.ts'
import type { Visited } from './isolation-visitor.ts'
import { cleanUp } from './start.ts'

setDefaultTimeout(90_000)

let site: Site
let firefox: Visited
beforeAll(async () => {
  site = await startSite('SQLite')
  firefox = await launchFirefox()
})
afterAll(async () => {
  await firefox.close()
  await cleanUp()
})

test('a comment, a vote and an approval are made in Firefox, and the viewer sees them', async () => {
  const { page, approverEmail, read } = await site.publish(KINDS[0]!.content())
  const { tab, newTab, problems, leave } = await firefox.newVisitor()
  await tab.goto(page.url)
  const SHOWN = `document.querySelector('#conversations').shadowRoot.textContent`
  const shows = (text: string) =>
    becomes(async () => String(await tab.evaluate(SHOWN)).includes(text), true)
  /** By role and accessible name, also in the panel's shadow tree. */
  const named = (role: string, name: string) =>
    tab.locator(`::-p-aria([name="${name}"][role="${role}"])`)

  await named('button', 'Comments').click()
  await named('textbox', 'Comment').fill('Is May possible?')
  await named('textbox', 'Your name').fill('Vic')
  await named('button', 'Post comment').click()
  await shows('Is May possible?')

  await named('tab', 'Poll').click()
  await named('radio', 'June').click()
  await named('button', 'Vote').click()
  await shows('1 vote · 100%')

  await named('tab', 'Approval').click()
  await named('textbox', 'Your email').fill(approverEmail)
  await named('textbox', 'Note').fill('Fine by me')
  await named('button', 'Approve').click()
  await shows('a mail with a link is on its way')
  const { links } = await site.outbox.last(approverEmail)
  const mailed = await newTab()
  await mailed.goto(links[0]!)
  await mailed.locator('::-p-aria([name="Approve version 1"][role="button"])').click()
  await becomes(() => mailed.evaluate(`document.querySelector('h1')?.textContent`), 'Approved')
  await tab.bringToFront()
  await shows('You approved version 1')

  expect(await read<object>('comments')).toMatchObject([
    { body: 'Is May possible?', author: { kind: 'anonymous', name: 'Vic' } },
  ])
  expect(await read<object>('poll')).toMatchObject({ total_votes: 1 })
  expect(await read<object>('approvals')).toMatchObject({
    approvers: [{ decision: 'approved', note: 'Fine by me' }],
  })
  expect(problems).toEqual([])
  await leave()
})
