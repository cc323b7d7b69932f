import type { Browser, BrowserContext } from 'playwright-core'
import { type Handbill, type Owner, ownerOf } from './servers.ts'

export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Makes the first account by the set-up link. @returns also its session in a browser */
export async function firstAccount(
  browser: Browser,
  { url, output }: Handbill,
): Promise<{ owner: Owner; state: BrowserState }> {
  const [link] = /http:\S+\/setup\/[\w-]+/.exec(output()) ?? []
  if (link === undefined) throw new Error('The server printed no set-up link')
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByRole('textbox', { name: 'Email' }).fill('bench@handbill.example')
  await tab.getByRole('button', { name: 'Create the account' }).click()
  const owner = ownerOf(url, await tab.getByRole('textbox', { name: 'API key' }).inputValue())
  // The key is in the document until another screen is opened.
  await tab.goto(`${url}/app/account`)
  const state = await context.storageState()
  await context.close()
  return { owner, state }
}
