import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { dataOf } from '../client.ts'
import { html } from '../material.ts'
import { origin } from '../origin.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

test(
  'a webhook is added by its address, tested, switched off, sent to again and deleted',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const page = await owner.publish({ html: html('x') })
    const url = origin.put('hook', { body: 'thanks <b>a lot</b>', type: 'text/plain' })
    await open('/app/developer')
    const address = tab.getByLabel('Webhook address')
    for (const [chat, words] of [
      ['https://hooks.slack.com/services/T/B/x', 'Slack messages'],
      ['https://discord.com/api/webhooks/1/x', 'Discord messages'],
      ['https://prod-1.logic.azure.com/workflows/x', 'Teams messages'],
    ] as const) {
      await address.fill(chat)
      await tab.getByText(words, { exact: true }).waitFor()
    }
    await address.fill('http://example.com/')
    const add = tab.getByRole('button', { name: 'Add webhook' })
    await add.click()
    await tab.getByRole('alert').getByText('public https address').waitFor()
    await address.fill(url)
    await tab.getByLabel('Votes', { exact: true }).uncheck()
    await tab.getByLabel('Only of one page').fill('no-such-page')
    await add.click()
    await tab.getByRole('alert').getByText('no such page').waitFor()
    await tab.getByLabel('Only of one page').fill(page.url)
    expect(await tab.getByRole('alert').count()).toBe(0)
    await expectAccessible()
    await add.click()
    const secret = await tab.getByLabel('Signing secret').inputValue()
    expect(secret).toStartWith('whsec_')
    await tab.getByRole('button', { name: 'I have stored it' }).click()

    await tab.getByRole('button', { name: /^Open the webhook to / }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText('Nothing was sent yet.').waitFor()
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.getByText('It arrived: the answer was 200').first().waitFor()
    await dialog.getByLabel('Answer to the test').getByText('thanks <b>a lot</b>').waitFor()

    await dialog.locator('summary').filter({ hasText: 'Test' }).click()
    const request = await dialog.getByLabel('Request').innerText()
    const [head = '', body = ''] = request.split('\n\n')
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')))
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'test' })
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.getByText('2 attempts').waitFor()

    const state = dialog.getByRole('switch', { name: 'Send events' })
    await state.click()
    await tab.getByRole('switch', { name: 'Send events', checked: false }).waitFor()
    const [hook] = dataOf<{ is_on: boolean; types: string[]; page_id: string }[]>(
      await owner.call('GET', '/webhooks'),
    )
    expect(hook).toMatchObject({ is_on: false, page_id: page.id })
    expect(hook!.types).not.toContain('vote')

    await dialog.getByRole('button', { name: 'Delete webhook' }).click()
    const question = tab.getByRole('dialog', { name: 'Delete this webhook?' })
    await question.getByRole('button', { name: 'Delete webhook' }).click()
    await tab.getByText('Webhook deleted').waitFor()
    expect(dataOf<object[]>(await owner.call('GET', '/webhooks'))).toEqual([])
    // The refused address is one of the browser's messages.
    expect(problems.filter((text) => !/40\d|42\d/.test(text))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
