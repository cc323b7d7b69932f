/**
 * Data that version 0.1 wrote, and facts about it: a data folder with SQLite, and the same rows for
 * PostgreSQL. Everything that expires was given an expiry in 2099, stored and signed. Both
 * databases use the same secret key and blobs.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { freshDatabase } from '../src/testing/postgres.ts'
import { type Answer, dataOf, type Fields, type Page, type Sent, send } from './client.ts'
import { type Person, person } from './gates/person.ts'
import { behindProxy, freshEnvironment, start } from './start.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export type Plan = 'pro' | 'free' | 'team'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

interface Receipt {
  readonly id: string
  readonly submitted_at: string
  readonly submit_count: number
}

/** A form that was open in a browser, and the code and link that were mailed. */
interface AskedCode {
  readonly action: string
  readonly fields: Record<string, string>
  readonly code: string
  readonly cookies: Cookie[]
  readonly link: string
}

/** A viewer's credentials for responding, and the receipt of the last response. */
interface Answered {
  readonly page: string
  readonly token: string
  readonly stamp: string
  readonly receipt: Receipt
}

export interface Facts {
  /** The earlier server's base URL, replaced by the current one. */
  readonly base: string
  readonly emails: Record<Plan, string>
  readonly people: Record<'ann' | 'bob' | 'carol' | 'dave' | 'erin', string>
  readonly keys: Record<Plan | 'revoked', string>
  readonly accounts: Fields[]
  /** The API keys of `pro`. */
  readonly keyList: Fields[]
  /** The ids of each account's pages, in the order of the list. */
  readonly lists: Record<Plan, string[]>
  readonly pages: Record<string, { id: string; slug: string; by: Plan }>
  /** Responses of the API: `data` of JSON, or `text`. */
  readonly answers: { by: Plan; path: string; data?: object; text?: string }[]
  /** Responses to visitors without credentials: whole, or texts in them. */
  readonly served: { path: string; status: number; type: string; sha256?: string; has?: string }[]
  readonly cookies: Record<
    'session' | 'otherSession' | 'guestSession' | 'email' | 'password' | 'visit' | 'responder',
    Cookie[]
  >
  /** The URLs from which frames load a page's files. */
  readonly frames: { files: string; path: string; has: string }[]
  /** The key under which browsers store a page's entries. */
  readonly storageKey: string
  /** The first label of a page's own host. */
  readonly contentHost: string
  readonly responses: {
    readonly byBrowser: { page: string; receipt: Receipt }
    readonly resent: { page: string; sent: Fields; receipt: Receipt }
    readonly byToken: Answered
    readonly byGrant: Answered
    readonly inShell: Answered
  }
  readonly links: Record<
    'used' | 'signIn' | 'openPage' | 'approve' | 'deny' | 'stopViews' | 'stopResponses',
    string
  >
  readonly forms: Record<'signInCode' | 'gateCode', AskedCode>
  readonly mails: { waiting: { to: string; subject: string }[] }
  readonly idempotent: { key: string; body: Fields; page: string; answer: object }
  readonly upload: { id: string; has: string }
  readonly passwords: Record<'password', string>
  /** Files that the command line wrote beside a published file and in the home folder. */
  readonly cli: { file: string; page: string; memory: string; login: string }
}

const FIXTURE = join(import.meta.dir, 'fixtures', 'data-0.1')

/** Starts the current version on a copy of the earlier data. */
export async function openEarlier(engine: Engine) {
  const env = freshEnvironment()
  const base = env.BASE_URL!
  const dataDir = env.DATA_DIR!
  const all = JSON.parse(readFileSync(join(FIXTURE, 'facts.json'), 'utf8'))
  const { base: earlierBase } = all[engine] as Facts
  const toNow = (text: string) => text.replaceAll(earlierBase, base)
  const facts: Facts = JSON.parse(toNow(JSON.stringify(all[engine])))
  copyFiles(dataDir, engine)
  const database = engine === 'postgres' ? await loadRows() : null
  if (database !== null) env.DATABASE_URL = database.url
  let running = await start(env)

  function call(by: Plan, method: string, path: string, body?: object, more: Sent = {}) {
    const authorization = `Bearer ${facts.keys[by]}`
    const headers = { authorization, 'content-type': 'application/json', ...more }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    return send(`${base}/api/v1${path}`, { method, headers, ...content })
  }

  return {
    env,
    base,
    dataDir,
    facts,
    /** Replaces the earlier server's base URL in a text. */
    toNow,
    call,
    pageOf: async (name: string): Promise<Page> => {
      const { id, by } = facts.pages[name]!
      return dataOf<Page>(await call(by, 'GET', `/pages/${id}`))
    },
    pathOf: (name: string) => `/p/${facts.pages[name]!.slug}`,
    /** A browser with these cookies of the earlier version. */
    holding: (...cookies: Cookie[]): Person => {
      const who = person(base)
      for (const cookie of cookies) who.jar.set(`${cookie.name} ${cookie.path}`, cookie)
      return who
    },
    respond: (body: object): Promise<Answer> =>
      send(`${base}/~/responses`, { method: 'POST', body: JSON.stringify(body) }),
    restart: async (more: Record<string, string>) => {
      await running.stop()
      running = await start({ ...env, ...more })
    },
    /** The same data with another public base URL, as behind a proxy; requests go directly. */
    restartBehind: async (address: string) => {
      await running.stop()
      running = await start(env, behindProxy(env, address))
    },
    close: async () => {
      await running.stop()
      await database?.drop()
    },
  }
}
export type Earlier = Awaited<ReturnType<typeof openEarlier>>

/** Writes copies, because the files of a checkout may be read-only. */
function copyFiles(folder: string, engine: Engine): void {
  const files = readdirSync(FIXTURE, { recursive: true, encoding: 'utf8' })
  const copied = files.filter((file) => file.startsWith('blobs/') || file === 'secret.key')
  for (const file of engine === 'sqlite' ? [...copied, 'handbill.db'] : copied) {
    if (file.split('/').length === 2) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), readFileSync(join(FIXTURE, file)), { mode: 0o600 })
  }
}

async function loadRows() {
  const database = await freshDatabase()
  const client = new SQL(database.url, { max: 1 })
  await client.unsafe(readFileSync(join(FIXTURE, 'postgres.sql'), 'utf8')).simple()
  await client.close()
  return database
}

/** The path of a link in a mail, for any server. */
export function pathIn(link: string): string {
  return new URL(link).pathname
}
