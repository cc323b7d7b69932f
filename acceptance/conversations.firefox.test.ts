/** A comment, a vote and an approval in Firefox. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from './browser.ts'
import { KINDS, type Site, startSite } from './conversations.ts'
import { testFirefox } from './firefox.ts'
import type { Tab } from './isolation-visitor.ts'
import { cleanUp } from './start.ts'
import { DEEP } from './webkit.ts'

setDefaultTimeout(240_000)

let site: Site
const firefox = testFirefox()
beforeAll(async () => {
  site = await startSite('SQLite')
})
afterAll(cleanUp)

/** Waits until an expression on the functions of DEEP is true in a page. */
const inPage = (tab: Tab, expression: string) =>
  becomes(() => tab.evaluate(`(() => { ${DEEP}; return ${expression} })()`), true)

for (const kind of KINDS.slice(0, 2)) {
  test(`a comment, a vote and an approval are made on ${kind.name} in Firefox, and the viewer sees them`, async () => {
    const { page, approverEmail, read, askApprover } = await site.publish(kind.content())
    const { tab, newTab, problems, leave } = await firefox().newVisitor()
    await tab.goto(page.url + kind.viewerPath)
    const click = (name: string) => inPage(tab, `click(${JSON.stringify(name)})`)
    const fill = (...field: [name: string, text: string]) =>
      inPage(tab, `fill(...${JSON.stringify(field)})`)
    const shows = (text: string) => inPage(tab, `shownText().includes(${JSON.stringify(text)})`)

    await click('Comments')
    await fill('Comment', 'Is May possible?')
    await fill('Your name', 'Vic')
    await click('Post comment')
    await shows('Is May possible?')

    await click('Poll')
    await click('June')
    await click('Vote')
    await shows('1 vote · 100%')

    await click('Approval')
    await shows('Those whom the owner asked')
    await askApprover()
    const { links } = await site.outbox.last(approverEmail)
    const mailed = await newTab()
    await mailed.goto(links[0]!)
    await inPage(mailed, `click('Open and decide')`)
    await inPage(mailed, `fill('Note', 'Fine by me')`)
    await inPage(mailed, `click('Approve')`)
    await inPage(mailed, `click('Approve version 1')`)
    await becomes(() => mailed.evaluate(`document.querySelector('h1')?.textContent`), 'Approved')
    await tab.bringToFront()
    await tab.goto(page.url)
    await shows('You approved version 1')

    expect(await read<object>('comments')).toMatchObject([
      {
        body: 'Is May possible?',
        path: kind.commentPath,
        author: { kind: 'anonymous', name: 'Vic' },
      },
    ])
    expect(await read<object>('poll')).toMatchObject({ total_votes: 1 })
    expect(await read<object>('approvals')).toMatchObject({
      approvers: [{ decision: 'approved', note: 'Fine by me' }],
    })
    expect(problems).toEqual([])
    await leave()
  })
}
