import { afterEach, setDefaultTimeout } from 'bun:test'
import { becomes } from '../browser.ts'
import { panelOf } from '../comments/panel.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { newOwner, own } from '../gates/setup.ts'
import { server } from '../server.ts'
import { duringTests } from '../test-browser.ts'
import { launchWebKit, type WebKitWindow } from '../webkit.ts'
import { LONG_LETTER, MARKED, MAY, TUESDAY } from './letter.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())

own('in WebKit the page beside the inbox is scrolled to the passage, which is marked', async () => {
  const owner = await newOwner(undefined, 'pro')
  const page = await owner.publish({ html: LONG_LETTER, allow_comments: true })
  const panel = await panelOf(page)
  await panel.comment('Why Tuesday?', { anchor: TUESDAY })
  await panel.comment('Why May?', { anchor: MAY })
  window = await webkit().open()
  const before = sharedOutbox().sentTo(owner.email).length
  await window.goto(`${server.url}/app/sign-in`)
  await window.type('input[name=email]', owner.email)
  await window.click('form button')
  const { links } = await sharedOutbox().last(owner.email, before + 1)
  await window.goto(links.find((link) => link.includes('/app/'))!)
  await window.click('form button')
  await becomes(async () => new URL(await window.url()).pathname, '/app')
  await window.goto(`${server.url}/app/inbox`)
  await window.shows('Why Tuesday?')
  const marked = async () => {
    await window.enterFrame()
    const ranges = await window.evaluate(`return ${MARKED}`).catch(() => null)
    await window.leaveFrame()
    return ranges
  }
  await becomes(marked, ['on the ninth of May'])
  await window.click('[aria-label=Waiting] > li:nth-child(2) blockquote')
  await becomes(marked, ['every Tuesday'])
})
