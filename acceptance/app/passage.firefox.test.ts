import { expect, setDefaultTimeout } from 'bun:test'
import { becomes } from '../browser.ts'
import { panelOf } from '../comments/panel.ts'
import { testFirefox } from '../firefox.ts'
import { newOwner, own, signedIn } from '../gates/setup.ts'
import { server } from '../server.ts'
import { LONG_LETTER, MARKED, MAY, TUESDAY } from './letter.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()

own(
  'in Firefox the page beside the inbox is scrolled to the passage, which is marked',
  async () => {
    const owner = await newOwner(undefined, 'pro')
    const { jar } = await signedIn(owner.email)
    const page = await owner.publish({ html: LONG_LETTER, allow_comments: true })
    const panel = await panelOf(page)
    await panel.comment('Why Tuesday?', { anchor: TUESDAY })
    await panel.comment('Why May?', { anchor: MAY })
    const { tab, problems, setCookie, leave } = await firefox().newVisitor()
    for (const { name, value } of jar.values()) await setCookie(server.url, name, value)
    await tab.goto(`${server.url}/app/inbox`)
    const marked = async () => {
      const frame = tab.frames().find((each) => each.url().includes('/~preview-'))
      return (await frame?.evaluate(MARKED).catch(() => null)) ?? null
    }
    await becomes(marked, ['on the ninth of May'])
    await tab.keyboard.press('j')
    await tab.keyboard.press('j')
    await becomes(marked, ['every Tuesday'])
    expect(problems).toEqual([])
    await leave()
  },
)
