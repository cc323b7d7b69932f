/** Inviting people from the sharing dialog: with a mail server, and without one. */
import { afterAll, expect, test } from 'bun:test'
import type { Route, Page as Tab } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { becomes, problemsOf } from '../browser.ts'
import { violationsIn } from '../gates/axe.ts'
import { newOwner } from '../gates/setup.ts'
import { html } from '../material.ts'
import { command } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()
const browser = testBrowser()
afterAll(cleanUp)

/** A mail server that keeps what it takes. */
async function mailServer() {
  const mails: { to: string; source: string }[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      let source = ''
      stream.on('data', (part) => (source += part))
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo[0]!.address, source: plain(source) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    async last(to: string): Promise<string> {
      await becomes(async () => mails.some((mail) => mail.to === to), true)
      return mails.findLast((mail) => mail.to === to)!.source
    },
    countTo: (to: string) => mails.filter((mail) => mail.to === to).length,
  }
}

function plain(source: string): string {
  const text = source.replace(/=\r\n/g, '').replace(/\r\n[ \t]/g, ' ')
  return text.replace(/(=[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll('=', '%')))
}

async function window(): Promise<Tab> {
  const context = await browser().newContext({ reducedMotion: 'reduce', bypassCSP: true })
  return context.newPage()
}

test(
  'Invite mails in one step, and the list says what became of each mail',
  async () => {
    const smtp = await mailServer()
    const own = { SMTP_URL: smtp.url, MAIL_FROM: 'pages@example.com' }
    const env: Record<string, string> = { ...freshEnvironment(), ...own }
    await start(env)
    const owner = await newOwner(env)
    const page = await owner.publish({ html: html('the plan'), title: 'Plan', access: 'people' })
    const { stdout } = await command(env, 'account', 'sign-in', owner.email, '--json')
    const tab = await window()
    const problems = problemsOf(tab)
    await tab.goto((JSON.parse(stdout) as { url: string }).url)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.waitForURL(/\/app/)
    await tab.goto(`${env.BASE_URL}/app/pages/${page.id}/share`)
    const dialog = tab.getByRole('dialog', { name: 'Share' })
    const field = dialog.getByLabel('Invite by email')
    await field.fill('ann@example.com')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('Mailed: ann@example.com.').waitFor()
    const mail = await smtp.last('ann@example.com')
    expect(mail).toContain('invites you to open')
    expect(mail).toContain(page.url)
    expect(mail).toContain(`\r\nReply-To: ${owner.email}\r\n`)
    const [link] = /http\S+\/app\/confirm\/[\w-]{43}/.exec(mail)!
    const row = (email: string) => dialog.getByRole('listitem').filter({ hasText: email })
    await row('ann@example.com').getByText('mailed', { exact: true }).waitFor()

    await field.fill('bob@example.com')
    await dialog.getByRole('button', { name: 'Add without a mail' }).click()
    const mailBob = row('bob@example.com').getByRole('button', { name: 'Mail the link' })
    await mailBob.waitFor()
    const held: Route[] = []
    const nobody = { mailed: [], not_admitted: [], mailed_before: [] }
    await tab.route(/\/invitations$/, (route) =>
      route.request().method() === 'POST' ? held.push(route) : route.continue(),
    )
    await mailBob.click()
    await becomes(() => mailBob.getAttribute('aria-disabled'), 'true')
    await mailBob.dispatchEvent('click')
    await becomes(async () => held.length, 1)
    await held[0]!.fulfill({ json: { data: nobody } })
    await dialog.getByText('Nobody was mailed.').waitFor()
    await tab.unroute(/\/invitations$/)
    expect([held.length, smtp.countTo('bob@example.com')]).toEqual([1, 0])
    expect(await dialog.innerText()).not.toContain('Mail is not set up')
    expect(await violationsIn(tab)).toEqual([])

    await tab.goto(`${env.BASE_URL}/app/pages/${page.id}/people`)
    await tab.getByRole('button', { name: 'Mail again to ann@example.com' }).click()
    await tab.getByText('Mailed: ann@example.com.').waitFor()
    await becomes(async () => smtp.countTo('ann@example.com'), 2)
    await tab.goBack()

    const ann = await window()
    await ann.goto(link)
    expect(await violationsIn(ann)).toEqual([])
    await ann.getByRole('button', { name: 'Open the page' }).click()
    await ann.getByText('the plan').waitFor()
    await ann.reload()
    await row('ann@example.com').getByText('mailed, opened twice').waitFor({ timeout: 40_000 })
    await ann.context().clearCookies()
    await ann.goto(link)
    expect(await violationsIn(ann)).toEqual([])
    await ann.getByRole('button', { name: 'Send me a new mail' }).click()
    await ann.getByText('a mail with a new link is on its way').waitFor()
    await ann.reload()
    await ann.getByText('a mail with a new link is on its way').waitFor()
    await becomes(async () => smtp.countTo('ann@example.com'), 3)
    await dialog.getByRole('button', { name: 'Mail everyone the link' }).click()
    const inviting = tab.getByRole('dialog', { name: 'Mail everyone the link' })
    await inviting.getByLabel('Message').fill('For Friday.')
    await inviting.getByRole('button', { name: 'Send 2 invitations' }).click()
    await dialog.getByText('Mailed: ann@example.com, bob@example.com.').waitFor()
    expect(await smtp.last('bob@example.com')).toContain('For Friday.')
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'where no mail goes out, it says so before, and a link is copied for each person',
  async () => {
    const settings = { access: 'people', collect_approvals: true, approver_emails: ['dora@x.com'] }
    const { dialog, tab, problems, expectAccessible } = await openSharing(settings)
    await dialog.getByText('Mail is not set up on this server').first().waitFor()
    expect(await dialog.innerText()).not.toMatch(
      /link in a mail|get a mail|approvers? by email|^Mail everyone/m,
    )
    await dialog.getByLabel('Invite by email').fill('ann@example.com')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByRole('button', { name: 'Copy link for ann@example.com' }).click()
    const copied = () => tab.evaluate(() => navigator.clipboard.readText())
    await becomes(async () => (await copied()).includes('/app/confirm/'), true)
    const ann = await window()
    await ann.goto(await copied())
    expect(await ann.locator('body').innerText()).toContain('in this browser, for this page')
    await ann.getByRole('button', { name: 'Open the page' }).click()
    await ann.getByRole('button', { name: 'Approval' }).waitFor()
    const row = dialog.getByRole('listitem').filter({ hasText: 'ann@example.com' })
    await row.getByText('opened once').waitFor({ timeout: 40_000 })
    await expectAccessible()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
