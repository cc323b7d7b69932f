import { expect } from 'bun:test'
import type { TestApp } from './app.ts'
import { type Browser, createBrowser } from './browser.ts'
import type { Owner } from './people.ts'

export const FORM = '<!doctype html><title>Form</title><form data-service><input name=a></form>'
export const RAW = { 'sec-fetch-dest': 'empty' }

export interface Opened {
  token: string
  stamp: string
}
export function openedIn(text: string): Opened {
  const [, token = ''] = /data-token="([^"]+)"/.exec(text) ?? []
  const [, stamp = ''] = /data-stamp="([^"]+)"/.exec(text) ?? []
  return { token, stamp }
}
export async function open(browser: Browser, path: string): Promise<Opened> {
  const answer = await browser.get(path, RAW)
  expect(answer.status).toBe(200)
  return openedIn(await answer.text())
}
let submissions = 0
/** @returns the status, and the code of a refusal */
export async function respond(app: TestApp, opened: Opened, data: object = { a: 1 }, headers = {}) {
  submissions += 1
  const body = { ...opened, id: `submission-${submissions}`, data: JSON.stringify(data) }
  const answer = await app.respond(body, headers)
  const said = (await answer.json()) as { error?: { code: string; message: string } }
  return said.error === undefined ? answer.status : `${answer.status} ${said.error.code}`
}
export async function confirmed(app: TestApp, path: string, email: string): Promise<Browser> {
  const browser = createBrowser(app)
  await browser.send(await browser.get(path, RAW), { email })
  const link = new URL(app.mails.at(-1)!.button!.url).pathname
  await browser.send(await browser.get(link))
  return browser
}
export async function stored(owner: Owner, id: string) {
  const { responses } = await owner.ask<{ responses: { respondent: string; data: unknown }[] }>(
    'GET',
    `/pages/${id}/responses`,
  )
  return responses
}
export async function published(app: TestApp, settings: object = {}) {
  const owner = await app.owner()
  const page = await owner.publish(FORM, settings)
  return { owner, page, path: `/p/${page.slug}` }
}
