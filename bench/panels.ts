import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './figure.ts'

/** The headers by which a browser gets our documents; a program gets only the page. */
const BROWSER = {
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/153.0',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}

/** The tokens and cookies of the panel of conversations in one browser. */
export interface Panel {
  cookie: string
  token: string
  stamp: string
}

/** Opens the page in a new browser. */
export async function openPanel(url: string): Promise<Panel> {
  const answer = await fetch(url, { headers: BROWSER })
  const text = await answer.text()
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';')
  const [, json = ''] = /data-panel="([^"]*)"/.exec(text) ?? []
  const { token, stamp } = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  return { cookie, token, stamp }
}

/** Writes a line for each panel, as the Lua files read them. @returns the file's name */
export function fileOf(bench: Bench, panels: readonly Panel[]): string {
  const file = join(bench.folder('panels'), 'panels')
  const lines = panels.map(({ cookie, token, stamp }) => `${cookie} ${token} ${stamp}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

/** Calls an operation as a panel does. @returns the body @throws unless it succeeds */
export async function ask(url: string, panel: Panel, input: object): Promise<string> {
  const { cookie, token, stamp } = panel
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin, cookie }
  const body = JSON.stringify({ ...input, token, stamp })
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.ok) return text
  throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
}
