/** The screens of a used account in WebKit: each shows what it is for, and no error. */
import { afterEach, expect, setDefaultTimeout } from 'bun:test'
import { becomes } from '../browser.ts'
import { newOwner, own } from '../gates/setup.ts'
import { command, ownServer, server } from '../server.ts'
import { duringTests } from '../test-browser.ts'
import { launchWebKit, type WebKitWindow } from '../webkit.ts'
import { fillAccount } from './sample-account.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())

own('in WebKit each screen shows what it is for, and no error', async () => {
  const owner = await newOwner(undefined, 'team')
  const { plan, survey } = await fillAccount(owner)
  const { stdout } = await command(ownServer().env, 'account', 'sign-in', owner.email)
  window = await webkit().open()
  await window.goto(stdout.trim())
  await window.clickButton('Sign in')
  await becomes(async () => new URL(await window.url()).pathname, '/app')
  const screens = {
    '': 'Changes waiting',
    '/new': 'Who may open it',
    [`/pages/${plan.id}`]: 'passage differs',
    [`/pages/${plan.id}/versions`]: 'Published',
    [`/pages/${plan.id}/share`]: 'Anyone with the password',
    [`/pages/${survey.id}/responses`]: 'Lisbon',
    [`/pages/${plan.id}/analytics`]: 'in the last 30 days',
    '/inbox': 'Team survey',
    '/analytics': 'in the last 30 days',
    '/developer': 'Create key',
    '/account': 'Sign out',
  }
  for (const [path, words] of Object.entries(screens)) {
    await window.goto(`${server.url}/app${path}`)
    await window.shows(words)
    const errors = `return [...document.querySelectorAll('[role=alert]')].map((each) => each.innerText)`
    expect(await window.evaluate(errors), path).toEqual([])
  }
})
