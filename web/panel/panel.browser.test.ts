import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed, pressable } from '../../acceptance/browser.ts'
import { violationsIn } from '../../acceptance/gates/axe.ts'
import { testBrowser } from '../../acceptance/test-browser.ts'
import { HOUR_MS } from '../../src/testing/app.ts'
import { base64, fileOf } from '../../src/testing/material.ts'
import { type PanelServer, startPanelServer } from '../../src/testing/panel/page.ts'
import type { Owner } from '../../src/testing/people.ts'
import { samplePdf } from '../../src/testing/sample-pdf.ts'

setDefaultTimeout(240_000)

const COMMENTS = { allow_comments: true }
const ALL = {
  ...COMMENTS,
  collect_votes: true,
  poll_question: 'Which?',
  poll_options: ['a', 'b'],
  collect_approvals: true,
  approver_emails: ['ann@work.example'],
}
const PAGE = `<!doctype html><html lang="en"><title>Plan</title>
<main><h1>Plan</h1><p>words<p><input aria-label="Own"></main>`
const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }

const browser = testBrowser({ closesWindows: true })
let server: PanelServer
let owner: Owner
beforeAll(async () => {
  server = await startPanelServer(browser)
  owner = await server.app.owner()
})
afterEach(() => {
  server.notes.length = 0
})
afterAll(() => server.stop())

let pages = 0
async function open(settings: object = COMMENTS, content: object = { html: PAGE }, rest = '') {
  pages += 1
  const made = { ...content, ...settings, title: `Plan ${pages}` }
  const page = await owner.ask('POST', '/pages', made)
  const window = await server.open(`/p/${page.slug}${rest}`)
  window.tab.on('dialog', () => {})
  return { ...window, page, path: `/p/${page.slug}` }
}

const opener = (tab: Tab, name: RegExp | string = /^Comments/) => tab.getByRole('button', { name })
const panelOf = (tab: Tab) => tab.locator('#conversations section')

/** The accessible name of the focused element, inside the panel too. */
const focused = (tab: Tab) =>
  tab.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return inner?.getAttribute('aria-label') ?? inner?.textContent?.trim() ?? ''
  })

const withoutWarning = (problems: string[]) => problems.filter((each) => !each.includes('Allow'))

describe('the panel', () => {
  test('has a button for each conversation, and moves the focus in and back', async () => {
    const { tab, problems } = await open(ALL)
    await opener(tab, 'Comments').waitFor()
    const names = await tab.getByRole('group', { name: 'Conversations' }).getByRole('button').all()
    expect(await Promise.all(names.map((each) => each.innerText()))).toEqual([
      'Comments',
      'Poll',
      'Approval',
    ])
    await opener(tab, 'Poll').focus()
    await tab.keyboard.press('Enter')
    await panelOf(tab).waitFor()
    expect(await focused(tab)).toBe('Poll')
    expect(await opener(tab).count()).toBe(0)
    expect(await tab.getByRole('tab', { selected: true }).innerText()).toBe('Poll')

    await tab.getByRole('tab', { name: 'Poll' }).focus()
    await tab.keyboard.press('ArrowRight')
    expect(await focused(tab)).toBe('Approval')
    await tab.keyboard.press('ArrowRight')
    await tab.keyboard.press('End')
    await tab.keyboard.press('Home')
    expect(await focused(tab)).toBe('Comments')
    await tab.keyboard.press('Escape')
    await panelOf(tab).waitFor({ state: 'hidden' })
    expect(await focused(tab)).toBe('Comments')
    expect(withoutWarning(problems)).toEqual([])
  })

  test('has a heading and no tabs where there is one conversation', async () => {
    const { tab } = await open()
    await opener(tab).click()
    expect(await tab.getByRole('heading', { name: 'Comments' }).count()).toBe(1)
    expect(await tab.getByRole('tab').count()).toBe(0)
    await tab.getByRole('button', { name: 'Close' }).click()
    expect(await focused(tab)).toBe('Comments')
  })

  test('is beside a wide page, and over the lower part of a narrow one', async () => {
    const { tab } = await open(ALL)
    await tab.emulateMedia({ reducedMotion: 'reduce' })
    await tab.setViewportSize(WIDE)
    await opener(tab).click()
    const iframe = tab.locator('iframe')
    await becomes(async () => (await iframe.boundingBox())!.width, 1040)
    expect((await panelOf(tab).boundingBox())!.x).toBe(1040)
    await tab.setViewportSize(PHONE)
    await becomes(async () => (await iframe.boundingBox())!.width, 390)
    const sheet = (await panelOf(tab).boundingBox())!
    expect([sheet.x, sheet.width, sheet.y + sheet.height]).toEqual([0, 390, 844])
    expect(sheet.y).toBeGreaterThan(200)
    await tab.setViewportSize({ width: 320, height: 480 })
    const overflow = await panelOf(tab).evaluate((panel) => panel.scrollWidth - panel.clientWidth)
    expect(overflow).toBe(0)
  })

  test('can be moved to the other side, and is there on every page afterwards', async () => {
    const { tab, page } = await open()
    await tab.setViewportSize(WIDE)
    await opener(tab).click()
    await tab.getByRole('button', { name: 'Move to the left' }).click()
    await becomes(async () => (await panelOf(tab).boundingBox())!.x, 0)
    expect((await tab.locator('iframe').boundingBox())!.x).toBe(400)
    const other = await owner.publish(PAGE, { ...COMMENTS, title: `Other than ${page.title}` })
    await tab.goto(`${server.baseUrl}/p/${other.slug}`)
    await opener(tab).waitFor()
    expect((await opener(tab).boundingBox())!.x).toBe(0)
  })

  test('has buttons that can be dragged aside, and come back', async () => {
    const { tab } = await open()
    await tab.emulateMedia({ reducedMotion: 'reduce' })
    await tab.setViewportSize(PHONE)
    const leftEdge = async () => (await opener(tab).boundingBox())!.x
    const drag = async (from: number, to: number) => {
      const { y, height } = (await opener(tab).boundingBox())!
      await tab.mouse.move(from, y + height / 2)
      await tab.mouse.down()
      await tab.mouse.move(to, y + height / 2, { steps: 4 })
      await tab.mouse.up()
    }
    const atFirst = await leftEdge()
    await pressable(tab)
    await drag(365, 389)
    await becomes(leftEdge, 376)
    expect(await panelOf(tab).isVisible()).toBe(false)
    await tab.reload()
    await becomes(leftEdge, 376)
    await pressable(tab)
    await tab.mouse.click(385, (await opener(tab).boundingBox())!.y + 10)
    await becomes(leftEdge, atFirst)
    expect(await panelOf(tab).isVisible()).toBe(false)
    await drag(365, 389)
    await opener(tab).focus()
    await tab.keyboard.press('Enter')
    await panelOf(tab).waitFor()
  })

  test('is open after a reload as it was before, and leaves the focus with the page', async () => {
    const { tab } = await open(ALL)
    await opener(tab, 'Poll').click()
    await tab.reload()
    await panelOf(tab).waitFor()
    expect(await tab.getByRole('tab', { selected: true }).innerText()).toBe('Poll')
    await framed(tab, 'input')
    await becomes(() => tab.evaluate(() => document.activeElement?.tagName), 'IFRAME')
  })

  test('does without motion where none is wanted, and is laid out from right to left', async () => {
    const { tab } = await open(ALL)
    await tab.emulateMedia({ reducedMotion: 'reduce' })
    await opener(tab).click()
    const seconds = await panelOf(tab).evaluate(
      (panel) => getComputedStyle(panel).animationDuration,
    )
    expect(seconds).toBe('0s')
    await tab.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const first = (await tab.getByRole('tab', { name: 'Comments' }).boundingBox())!
    const last = (await tab.getByRole('tab', { name: 'Approval' }).boundingBox())!
    expect(first.x).toBeGreaterThan(last.x)
  })

  test('passes axe, closed and open, at both widths and in both schemes', async () => {
    for (const settings of [COMMENTS, ALL]) {
      const { tab } = await open(settings)
      await opener(tab).waitFor()
      expect(await violationsIn(tab)).toEqual([])
      await opener(tab).click()
      await tab.getByRole('button', { name: 'Confirm me' }).click()
      await tab.getByLabel('Your email').waitFor()
      expect(await violationsIn(tab)).toEqual([])
    }
  })
})

describe('a tab', () => {
  test('writes and reads, and shows its count on the button', async () => {
    const { tab, problems } = await open()
    await opener(tab, 'Comments').click()
    await tab.getByLabel('Comment').fill('One <b>thing</b>')
    await tab.getByRole('button', { name: 'Post comment' }).click()
    await tab.getByText('One <b>thing</b>').waitFor()
    expect(server.notes).toMatchObject([
      { text: 'One <b>thing</b>', participant: { kind: 'anonymous' }, path: '' },
    ])
    await tab.keyboard.press('Escape')
    await opener(tab, 'Comments 1').waitFor()
    await tab.reload()
    await opener(tab, 'Comments 1').waitFor()
    expect(withoutWarning(problems)).toEqual([])
  })

  test('knows the file of a deck that the frame shows, and its version', async () => {
    const files = [
      { path: 'index.html', html: `${PAGE}<a href="more/two%20words.html">Next</a>` },
      { path: 'more/two words.html', html: '<!doctype html><title>Two</title><h1>Two</h1>' },
    ]
    const { tab, page } = await open(COMMENTS, { files })
    await opener(tab).click()
    const post = async (text: string) => {
      await tab.getByLabel('Comment').fill(text)
      await tab.getByRole('button', { name: 'Post comment' }).click()
      await tab.locator('.notes').getByText(text, { exact: true }).waitFor()
    }
    await post('first')
    await owner.ask('PATCH', `/pages/${page.id}`, {
      files: files.map((file) => ({ ...file, html: `${file.html}<p>changed` })),
    })
    await owner.call('POST', `/pages/${page.id}/publish`)
    await (await framed(tab, 'a')).click('a')
    await framed(tab, 'h1:text("Two")')
    await becomes(() => tab.title(), 'Two')
    await post('second')
    expect(server.notes.map(({ path }) => path)).toEqual(['index.html', 'more/two words.html'])
    const [before, after] = server.notes.map(({ manifestId }) => manifestId)
    expect(after).not.toBe(before)
  })

  test('gets a new token where the old one has expired', async () => {
    const { tab } = await open()
    await opener(tab).click()
    server.app.advance(13 * HOUR_MS)
    await tab.getByLabel('Comment').fill('late')
    await tab.getByRole('button', { name: 'Post comment' }).click()
    await tab.locator('.notes').getByText('late').waitFor()
  })

  test('says so where no answer comes or the page has closed, and keeps the text', async () => {
    const { tab, page } = await open()
    await opener(tab).click()
    const [box, post] = [tab.getByLabel('Comment'), opener(tab, 'Post comment')]
    await box.fill('kept')
    await tab.context().setOffline(true)
    await post.click()
    await tab.getByText('No answer came').waitFor()
    expect(await box.inputValue()).toBe('kept')
    await tab.context().setOffline(false)
    await owner.update(page.id, { access: 'private' })
    await post.click()
    await tab.getByText('has closed or changed since you opened it').waitFor()
    expect(await box.inputValue()).toBe('kept')
    expect(server.notes).toEqual([])
  })

  test('does what an owner may do, for the owner alone', async () => {
    const { tab, page, path } = await open()
    await opener(tab).click()
    await tab.getByRole('button', { name: 'Rename the page' }).click()
    await tab.getByText('Only pages of').or(tab.getByText('Sign in first')).waitFor()
    expect((await owner.page(page.id)).title).toBe(page.title)

    const { accounts, database, sessions } = server.app
    const account = (await accounts.list()).find(({ email }) => email === owner.email)!
    const token = await database.write((tx) => sessions.create(tx, account.id, null))
    const cookie = { name: 'handbill_session', value: token, url: server.baseUrl }
    await tab.context().addCookies([cookie])
    await tab.goto(server.baseUrl + path)
    await tab.getByRole('region', { name: 'Your page' }).waitFor()
    await panelOf(tab).waitFor()
    await tab.getByRole('button', { name: 'Rename the page' }).click()
    await tab.getByText('Renamed', { exact: true }).waitFor()
    expect((await owner.page(page.id)).title).toBe('Renamed')
    await owner.update(page.id, { title: page.title })
  })
})

describe('an address', () => {
  const mailTo = (email: string) => server.app.mails.findLast(({ to }) => to === email)!

  async function ask(tab: Tab, email: string) {
    await opener(tab).click()
    await tab.getByRole('button', { name: 'Confirm me' }).click()
    await tab.getByLabel('Your email').fill(email)
    await tab.getByRole('button', { name: 'Make a link' }).click()
    await tab.getByLabel('Code').waitFor()
  }

  test('is confirmed by the code that is typed into the panel', async () => {
    const { tab, problems } = await open()
    await ask(tab, 'Ann@Work.example')
    expect(await focused(tab)).toBe('')
    await tab.getByLabel('Code').fill('000000')
    await tab.getByRole('button', { name: 'Confirm', exact: true }).click()
    await tab.getByText('This code is wrong').waitFor()
    await tab.getByLabel('Code').fill(mailTo('ann@work.example').code!)
    await tab.getByRole('button', { name: 'Confirm', exact: true }).click()
    await tab.getByText('confirmed ann@work.example').waitFor()
    await tab.getByLabel('Comment').fill('signed')
    await tab.getByRole('button', { name: 'Post comment' }).click()
    await tab.locator('.notes').getByText('signed').waitFor()
    expect(server.notes[0]!.participant).toMatchObject({
      kind: 'confirmed',
      email: 'ann@work.example',
    })
    expect(withoutWarning(problems).filter((each) => !each.includes('400'))).toEqual([])
  })

  test('is confirmed by the link of the mail, and the panel goes on by itself', async () => {
    const { tab } = await open()
    await ask(tab, 'bob@work.example')
    const other = await tab.context().newPage()
    await other.goto(mailTo('bob@work.example').button!.url)
    await other.getByRole('button', { name: 'Confirm' }).click()
    await other.getByText('Email confirmed').waitFor()
    await tab.bringToFront()
    await tab.getByText('confirmed bob@work.example').waitFor()
  })

  test('that is none is refused, and stays in its field', async () => {
    const { tab } = await open()
    await opener(tab).click()
    await tab.getByRole('button', { name: 'Confirm me' }).click()
    await tab.getByLabel('Your email').fill('ann@work')
    await tab.getByRole('button', { name: 'Make a link' }).click()
    await tab.getByText('Give an email address').waitFor()
    expect(await tab.getByLabel('Your email').inputValue()).toBe('ann@work')
  })
})

describe('beside a file', () => {
  test('a PDF leaves space for the panel', async () => {
    const file_base64 = base64(samplePdf({ pages: 2 }))
    const { tab, problems } = await open(ALL, { file_base64, filename: `plan-${pages}.pdf` })
    await tab.setViewportSize(WIDE)
    await tab.locator('[data-shown]').waitFor()
    await opener(tab, 'Comments').click()
    await becomes(async () => (await tab.locator('#bar').boundingBox())!.width, 1040)
    await tab.getByLabel('Comment').fill('on a sheet')
    await tab.getByRole('button', { name: 'Post comment' }).click()
    await tab.locator('.notes').getByText('on a sheet').waitFor()
    expect(server.notes).toMatchObject([{ path: '' }])
    expect(problems).toEqual([])
  })

  test('an image has the same panel, and none without a conversation', async () => {
    const image = { file_base64: base64(fileOf('png')), filename: `spot-${pages}.png` }
    const { tab, page } = await open(COMMENTS, image)
    await opener(tab).click()
    await tab.getByLabel('Comment').waitFor()
    await owner.update(page.id, { allow_comments: false })
    const requests: string[] = []
    tab.on('request', (request) => requests.push(request.url()))
    await tab.reload()
    await tab.locator('#bar').waitFor()
    expect(await opener(tab).count()).toBe(0)
    expect(requests.filter((url) => url.includes('panel'))).toEqual([])
  })
})

describe('on an origin of the page’s own', () => {
  test('the panel is beside the frame, and knows its file', async () => {
    const apart = await startPanelServer(browser, { hasOrigins: true })
    try {
      const by = await apart.app.owner()
      const files = [
        { path: 'index.html', html: `${PAGE}<a href="two.html">Next</a>` },
        { path: 'two.html', html: '<!doctype html><title>Two</title><h1>Two</h1>' },
      ]
      const page = await by.ask('POST', '/pages', { files, ...COMMENTS })
      const { tab, problems } = await apart.open(`/p/${page.slug}`)
      await (await framed(tab, 'a')).click('a')
      await becomes(() => tab.title(), 'Two')
      await opener(tab).click()
      await tab.getByLabel('Comment').fill('apart')
      await tab.getByRole('button', { name: 'Post comment' }).click()
      await tab.locator('.notes').getByText('apart').waitFor()
      expect(apart.notes).toMatchObject([{ path: 'two.html' }])
      expect(withoutWarning(problems)).toEqual([])
    } finally {
      await apart.stop()
    }
  })
})

describe('the page', () => {
  test('is fetched before the panel is, and without a conversation no panel is', async () => {
    const { page } = await open()
    const context = await browser().newContext()
    const tab = await context.newPage()
    const requests: string[] = []
    tab.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await tab.goto(`${server.baseUrl}/p/${page.slug}`)
    await opener(tab).waitFor()
    const at = (part: string) => requests.findIndex((path) => path.includes(part))
    expect(at('/~v1')).toBeGreaterThan(0)
    expect(at('panel')).toBeGreaterThan(0)
    await owner.update(page.id, { allow_comments: false })
    requests.length = 0
    await tab.reload()
    await tab.waitForLoadState('networkidle')
    expect(at('panel')).toBe(-1)
  })

  test('reaches neither the panel nor what the panel may do', async () => {
    const hostile = `<!doctype html><title>Evil</title><body><script>
const tries = []
const attempt = async (name, run) => {
  try { tries.push([name, String(await run())]) } catch (err) { tries.push([name, 'refused']) }
}
const send = (path, init) => fetch(path, { method: 'POST', ...init }).then((r) => r.status)
const read = (path, init) => fetch(path, init).then((r) => (r.ok ? r.text() : Promise.reject(r.status)))
const body = JSON.stringify({ email: 'ann@evil.example', reason: 'comment', token: 'x', stamp: 'x' })
addEventListener('load', async () => {
  await attempt('document', () => parent.document.body.dataset.token)
  await attempt('bridge', () => parent.handbillShell.stamp)
  await attempt('storage', () => parent.localStorage.length)
  await attempt('confirm', () => send('/~/confirm-email', { body }))
  await attempt('cookies', () => send('/~/confirm-email', { body, credentials: 'include' }))
  await attempt('viewer', () => read(location.pathname.replace(/~.*/, '~/viewer')))
  await attempt('app', () => fetch('/app/api/pages', { headers: { 'x-handbill-request': '1' }, credentials: 'include' }))
  document.body.dataset.tries = JSON.stringify(tries)
})
</script>`
    const { tab } = await open(COMMENTS, { html: hostile })
    await opener(tab).waitFor()
    const frame = await framed(tab, '[data-tries]')
    const tries = await frame.evaluate(() => JSON.parse(document.body.dataset.tries!))
    for (const [name, outcome] of tries) {
      expect([name, outcome]).toEqual([name, 'refused'])
    }
    expect(server.app.mails.filter(({ to }) => to === 'ann@evil.example')).toEqual([])
  })

  test('takes no key that is meant for the panel by taking the focus', async () => {
    const html = `${PAGE}<script>addEventListener('keydown', () => { document.title = 'Read' })
    const take = () => document.querySelector('input').focus()</script>`
    const { tab } = await open(COMMENTS, { html })
    await opener(tab).click()
    const field = panelOf(tab).getByRole('textbox', { name: 'Comment' })
    await field.pressSequentially('ann')
    await (await framed(tab, 'input')).evaluate('take()')
    await becomes(() => focused(tab), 'Comment')
    await tab.keyboard.type('@work.example')
    expect(await field.inputValue()).toBe('ann@work.example')
    expect(await tab.title()).toBe('Plan')
  })
})
