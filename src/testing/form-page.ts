import { expect } from 'bun:test'
import type { TestApp } from './app.ts'
import { type Browser, createBrowser } from './browser.ts'
import type { Owner } from './people.ts'

export const FORM = '<!doctype html><title>Form</title><form data-service><input name=a></form>'
/** Asks for the published file itself, without a shell around it. */
export const RAW = { 'sec-fetch-dest': 'empty' }

/** The tokens that a page's script sends with a response. */
export interface ResponseTokens {
  token: string
  stamp: string
}

export function readTokens(text: string): ResponseTokens {
  const [, token = ''] = /data-token="([^"]+)"/.exec(text) ?? []
  const [, stamp = ''] = /data-stamp="([^"]+)"/.exec(text) ?? []
  return { token, stamp }
}

export async function openPage(browser: Browser, path: string): Promise<ResponseTokens> {
  const answer = await browser.get(path, RAW)
  expect(answer.status).toBe(200)
  return readTokens(await answer.text())
}

let submissions = 0
/** @returns the status, followed by the code of a refusal */
export async function respond(app: TestApp, tokens: ResponseTokens, data: object = { a: 1 }) {
  submissions += 1
  const body = { ...tokens, id: `submission-${submissions}`, data: JSON.stringify(data) }
  const answer = await app.respond(body)
  const parsed = (await answer.json()) as { error?: { code: string; message: string } }
  return parsed.error === undefined ? answer.status : `${answer.status} ${parsed.error.code}`
}
/** Confirms the address at the page's gate, by the link in the mail. */
export async function confirmAddress(app: TestApp, path: string, email: string): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.send(await browser.get(path, RAW), { email })
  const link = new URL(app.mails.at(-1)!.button!.url).pathname
  await browser.send(await browser.get(link))
  return browser
}

export async function listStored(owner: Owner, id: string) {
  const { responses } = await owner.ask<{ responses: { respondent: string; data: unknown }[] }>(
    'GET',
    `/pages/${id}/responses`,
  )
  return responses
}
/** Publishes a page with a form, as a new account. */
export async function publishForm(app: TestApp, settings: object = {}) {
  const owner = await app.owner()
  const page = await owner.publish(FORM, settings)
  return { owner, page, path: `/p/${page.slug}` }
}
