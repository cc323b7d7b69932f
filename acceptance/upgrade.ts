/**
 * What version 0.1 wrote, and what is known of it: a data folder with SQLite, the rows of the same in
 * PostgreSQL, and the facts of both. Whatever ends by itself was given its end in 2099, where it is
 * stored, and where it is signed. One folder holds the key and the files of both databases.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { freshDatabase } from '../src/testing/postgres.ts'
import { type Answer, dataOf, type Fields, type Page, type Sent, send } from './client.ts'
import { type Person, person } from './gates/person.ts'
import { handbill } from './server.ts'
import { freshEnvironment, start } from './start.ts'

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

/** A form that was shown, the browser it was shown in, and the code and the link that were mailed. */
interface AskedCode {
  readonly action: string
  readonly fields: Record<string, string>
  readonly code: string
  readonly cookies: Cookie[]
  readonly link: string
}

/** What let a viewer answer, and the receipt of their last answer. */
interface Answered {
  readonly page: string
  readonly token: string
  readonly stamp: string
  readonly receipt: Receipt
}

export interface Facts {
  /** Where the server was: replaced by where it is now. */
  readonly base: string
  readonly emails: Record<Plan, string>
  readonly people: Record<'ann' | 'bob' | 'carol' | 'dave' | 'erin', string>
  readonly keys: Record<Plan | 'revoked', string>
  readonly accounts: Fields[]
  /** Of the keys of `pro`. */
  readonly keyList: Fields[]
  /** The ids of their pages, as they were listed. */
  readonly lists: Record<Plan, string[]>
  readonly pages: Record<string, { id: string; slug: string; by: Plan }>
  /** What the interface answered, `data` of JSON or `text`. */
  readonly answers: { by: Plan; path: string; data?: object; text?: string }[]
  /** What strangers were sent: whole, or with these words in it. */
  readonly served: { path: string; status: number; type: string; sha256?: string; has?: string }[]
  readonly cookies: Record<
    'session' | 'otherSession' | 'guestSession' | 'email' | 'password' | 'visit' | 'responder',
    Cookie[]
  >
  /** Addresses that frames load a page's files from. */
  readonly frames: { files: string; path: string; has: string }[]
  /** Under which browsers keep what a page stores. */
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
  /** What the command line keeps beside a file, and in the home of its user. */
  readonly cli: { file: string; page: string; memory: string; login: string }
}

const FIXTURE = join(import.meta.dir, 'fixtures', 'data-0.1')

/** A server of now on a copy of what was written then. */
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
    /** Text that names the earlier server, as if it named this one. */
    toNow,
    call,
    pageOf: async (name: string): Promise<Page> => {
      const { id, by } = facts.pages[name]!
      return dataOf<Page>(await call(by, 'GET', `/pages/${id}`))
    },
    pathOf: (name: string) => `/p/${facts.pages[name]!.slug}`,
    /** A browser that holds these cookies of the earlier version. */
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
    /** Behind a proxy, at an address that people reach by it; here it is asked as before. */
    restartBehind: async (address: string) => {
      const program = join(dataDir, '..', 'behind-proxy')
      const script = `#!/bin/sh\nBASE_URL='${address}' exec '${handbill}' "$@"\n`
      writeFileSync(program, script, { mode: 0o755 })
      await running.stop()
      running = await start(env, program)
    },
    close: async () => {
      await running.stop()
      await database?.drop()
    },
  }
}
export type Earlier = Awaited<ReturnType<typeof openEarlier>>

/** Written anew: what was checked out may be there to be read alone. */
function copyFiles(folder: string, engine: Engine): void {
  const files = readdirSync(FIXTURE, { recursive: true, encoding: 'utf8' })
  const kept = files.filter((file) => file.startsWith('blobs/') || file === 'secret.key')
  for (const file of engine === 'sqlite' ? [...kept, 'handbill.db'] : kept) {
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

/** The path of a link in a mail, whatever server it names. */
export function pathIn(link: string): string {
  return new URL(link).pathname
}
