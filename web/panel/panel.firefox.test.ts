import { expect, setDefaultTimeout, test } from 'bun:test'
import { becomes, pressable } from '../../acceptance/browser.ts'
import { testFirefox } from '../../acceptance/firefox.ts'
import { duringTests } from '../../acceptance/test-browser.ts'
import { servePanel } from '../../src/testing/panel/page.ts'

setDefaultTimeout(240_000)

const panel = duringTests(servePanel, (started) => started.stop())
const firefox = testFirefox()

test('the panel opens in Firefox, writes, reads and confirms an address', async () => {
  const server = panel()
  const owner = await server.app.owner()
  const html = '<!doctype html><html lang="en"><title>Plan</title><main><h1>Plan</h1></main>'
  const page = await owner.publish(html, { allow_comments: true })
  const { tab, problems, leave } = await firefox().newVisitor()
  await tab.goto(`${server.baseUrl}/p/${page.slug}`)
  const inPanel = (selector: string) => tab.locator(`#conversations >>> ${selector}`)
  const TEXT = `document.querySelector('#conversations').shadowRoot.textContent`
  const says = (text: string) =>
    becomes(async () => String(await tab.evaluate(TEXT)).includes(text), true)

  await pressable(tab)
  await inPanel('.launcher button').click()
  await inPanel('textarea').fill('from Firefox')
  await inPanel('.button').click()
  await says('from Firefox')
  expect(server.notes).toMatchObject([{ text: 'from Firefox', participant: { kind: 'anonymous' } }])

  await inPanel('.button.quiet').click()
  await inPanel('input[type=email]').fill('ann@work.example')
  await inPanel('.asked .button').click()
  await inPanel('input.code').fill('')
  await inPanel('input.code').fill(server.app.mails.at(-1)!.code!)
  await inPanel('.asked .button').click()
  await says('confirmed ann@work.example')
  expect(problems).toEqual([])
  await leave()
})
