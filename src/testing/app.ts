import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../app.ts'
import { restDoor } from '../doors/rest/index.ts'
import { visitorDoor } from '../doors/visitor/index.ts'
import type { Assets } from '../doors/web/assets.ts'
import { createHealth } from '../doors/web/health.ts'
import { webDoor } from '../doors/web/index.ts'
import type { Plan } from '../model/plan.ts'
import { diskBlobs } from '../platform/blobs/disk.ts'
import { createClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/index.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import type { GuardedFetch } from '../platform/fetch/index.ts'
import { createSecrets } from '../platform/secrets.ts'
import { createOwner, type Owner } from './people.ts'
import { freshDatabase } from './postgres.ts'
import { silentLog } from './silent-log.ts'

export const BASE_URL = 'http://handbill.test'

export type Engine = 'sqlite' | 'postgres'
export const ENGINES: Engine[] = ['sqlite', 'postgres']

/** The names of the assets are enough: no test of the service needs their bytes. */
const NO_ASSETS: Assets = { url: (name) => `/~/${name}`, respond: () => null }

/** Fetching has its own tests; here an address answers what the test says. */
export interface Fetches {
  answers: Map<string, { bytes: Uint8Array; content_type: string | null }>
}

/** The whole service in one process: a real database, a clock that tests move, no sockets. */
export async function testApp(engine: Engine) {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-test-'))
  const { database, drop } = await openFresh(engine, folder)
  await migrate(database)

  let skipped_ms = 0
  const clock = createClock(() => performance.timeOrigin + performance.now() + skipped_ms)
  const secrets = createSecrets(new Uint8Array(32).fill(7))
  const blobs = diskBlobs(join(folder, 'blobs'))
  const base_url = BASE_URL
  const fetched: Fetches['answers'] = new Map()
  const fetch: GuardedFetch = {
    async get(url) {
      const answer = fetched.get(url)
      if (answer === undefined) throw new Error(`No test said what ${url} answers`)
      return { ...answer, url }
    },
  }
  const log = silentLog()
  const app = await buildApp({ database, blobs, clock, secrets, fetch, log, base_url })
  const { accounts, pages, views, content, operations } = app
  const rest = restDoor({
    operations,
    authenticate: accounts.authenticate,
    findPage: pages.get,
    log,
  })
  const assets = NO_ASSETS
  const visit = visitorDoor({ pages, views, content, secrets, clock, assets, base_url })
  const health = createHealth(accounts.areThereAny)
  const web = webDoor({
    accounts,
    pages,
    operations,
    assets,
    health,
    base_url,
    default_plan: 'free',
  })

  return {
    ...app,
    engine,
    database,
    blobs,
    folder,
    clock,
    fetched,
    log,
    visit,
    web,
    /** A request to the API, without its prefix. */
    api: (path: string, init?: RequestInit) =>
      Promise.resolve(rest.fetch(new Request(`${BASE_URL}${path}`, init))),
    /** A visitor's request, such as `/p/slug`. */
    open: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      visit(new Request(`${BASE_URL}${path}`, { method, headers })),
    async owner(given: { plan?: Plan; email?: string } = {}): Promise<Owner> {
      return createOwner(this, { plan: 'pro', email: nextEmail(), ...given })
    },
    advance(milliseconds: number) {
      skipped_ms += milliseconds
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TestApp = Awaited<ReturnType<typeof testApp>>

let people = 0
function nextEmail(): string {
  people += 1
  return `owner-${people}@example.com`
}

async function openFresh(
  engine: Engine,
  folder: string,
): Promise<{ database: Database; drop(): Promise<void> }> {
  if (engine === 'sqlite') {
    return { database: openSqlite(join(folder, 'test.db')), drop: async () => {} }
  }
  const { url, drop } = await freshDatabase()
  return { database: await openPostgres(url, { max: 4 }), drop }
}
