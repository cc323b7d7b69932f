import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceConfig } from '../app.ts'
import { writeBackup } from '../features/backup/index.ts'
import { createSettings, type SettingsDeps } from '../features/settings/index.ts'
import type { MailContent, MailOptions } from '../model/mail.ts'
import { DEFAULT_PLANS, type Plan } from '../model/plan.ts'
import { diskBlobs } from '../platform/blobs/disk.ts'
import type { Blobs } from '../platform/blobs/index.ts'
import { createChecks } from '../platform/checks.ts'
import { createClock } from '../platform/clock.ts'
import { createContentSpace, withinSpace } from '../platform/content-space.ts'
import type { Database, Tx } from '../platform/db/index.ts'
import { createLeases } from '../platform/db/leases.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openPostgres } from '../platform/db/postgres.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import type { Tables } from '../platform/db/tables.ts'
import type { Fetched, GuardedFetch } from '../platform/fetch/index.ts'
import type { Log } from '../platform/log.ts'
import { createSlotFiles } from '../platform/mapped-files.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createTemporaryFiles, type TemporaryFiles } from '../platform/temporary-files.ts'
import { holdable } from './holds.ts'
import { createMailbox } from './mailbox.ts'
import { migratedDatabase } from './migrated.ts'
import { BASE_URL, startNode, type TestPlatform } from './node.ts'
import { createOwner, type Owner } from './people.ts'
import { silentLog } from './silent-log.ts'
import { testSecrets } from './test-secrets.ts'
import { readThread, threads } from './threads.ts'
import { createVisitor } from './visitor.ts'

export { BASE_URL } from './node.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
const GIGABYTE = 1024 ** 3

export type Engine = 'sqlite' | 'postgres'
export const ENGINES: Engine[] = ['sqlite', 'postgres']

const CONFIG: ServiceConfig = {
  baseUrl: BASE_URL,
  contentUrl: null,
  localContentUrl: null,
  defaultPlan: 'free',
  plans: DEFAULT_PLANS,
  trustProxy: 0,
  singleSignOn: null,
  rateLimits: false,
  requestLog: 'without_pages',
  logsAddresses: false,
  metricsToken: null,
}

/** What the environment of a test sets, which its operators cannot change. */
const ENVIRONMENT: SettingsDeps['environment'] = {
  baseUrl: BASE_URL,
  smtpUrl: null,
  mailFrom: null,
  signup: null,
  serverName: null,
  serverAccent: null,
  peopleRetentionMonths: null,
}
type TestConfig = ServiceConfig & Omit<SettingsDeps['environment'], 'baseUrl'>

/** The responses of the guarded fetch in a test, by URL: fetching has tests of its own. */
type FetchAnswers = Map<string, FetchAnswer>
interface FetchAnswer extends Pick<Fetched, 'contentType'> {
  bytes: Uint8Array
  /** What happens until all of it has arrived. */
  meanwhile?: () => Promise<unknown>
}

interface Receiver {
  take: GuardedFetch['post']
}

type OpenBlobs = (parts: { folder: string; temporaryFiles: TemporaryFiles; log: Log }) => Blobs

/**
 * The whole service in one process: a real database, a clock that the test moves, no sockets.
 *
 * @param openBlobs for files that are not on the disk
 */
export async function testApp(
  engine: Engine,
  config: Partial<TestConfig> = {},
  openBlobs: OpenBlobs = ({ folder }) => diskBlobs(join(folder, 'blobs')),
) {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-test-'))
  const { database: engineDatabase, another, drop } = await openFresh(engine, folder)
  const { database, holdRead, holdWrite, quiet, releaseAll } = holdable(engineDatabase)

  let skippedMs = 0
  const clock = createClock(() => performance.timeOrigin + performance.now() + skippedMs)
  const secrets = testSecrets
  const log = silentLog()
  const disk = { free_bytes: 100 * GIGABYTE, total_bytes: 100 * GIGABYTE }
  const space = createContentSpace('', () => disk)
  const temporaryFiles = withinSpace(createTemporaryFiles(join(folder, 'tmp')), space)
  const blobs = openBlobs({ folder, temporaryFiles, log })
  const fetched: FetchAnswers = new Map()
  const fetch: GuardedFetch = {
    async get(url) {
      const answer = fetched.get(url)
      if (answer === undefined) throw new Error(`The test defines no answer for ${url}`)
      const { bytes, contentType, meanwhile } = answer
      await meanwhile?.()
      const body = {
        sizeBytes: bytes.byteLength,
        read: async () => bytes.slice(),
        close: async () => {},
      }
      return { ...body, contentType, contentDisposition: null, url }
    },
    post: (url, message) => receiver.take(url, message),
    mayPost: async (url) => url.startsWith('https://'),
  }
  const receiver: Receiver = { take: async () => ({ status: 204, text: '' }) }
  const mails: MailContent[] = []
  const mailbox = createMailbox({
    ...{ database, clock, log },
    site: () => platform.settings.site,
    reachOf: (...mail) => node.people.reachOf(...mail),
  })
  const environment = { ...ENVIRONMENT, ...config }
  /** What each node has of its own. */
  async function nodeParts(database: Database) {
    const services = { database, secrets, clock, log, environment }
    const settings = await createSettings(services)
    const sendsMails = () => settings.current().smtpUrl !== null
    const checks = createChecks({ database, blobs, dataDir: folder, sendsMails })
    return { database, settings, checks, leases: createLeases(database), metrics: createMetrics() }
  }
  const platform: TestPlatform = {
    ...(await nodeParts(database)),
    blobs,
    slotFiles: createSlotFiles(join(folder, 'views')),
    temporaryFiles,
    space,
    baseUrl: config.baseUrl ?? BASE_URL,
    host: new URL(config.baseUrl ?? BASE_URL).host,
    threads,
    clock,
    secrets,
    fetch,
    log,
    writeBackup(result) {
      const source = { database, blobs, clock, secrets, baseUrl: BASE_URL }
      return writeBackup({ ...source, secretKey: 'the key', version: '0' }, result)
    },
    async sendMail(tx: Tx, mail: MailContent, options?: MailOptions) {
      await mailbox.put(tx, mail, options)
      if (options?.discard !== true) mails.push(mail)
    },
    config: { ...CONFIG, ...config },
  }
  const toClose: (() => Promise<void>)[] = [() => database.close()]

  const node = await startNode(platform)
  const nodes = [node]

  return {
    ...node,
    engine,
    database,
    blobs,
    slotFiles: platform.slotFiles,
    folder,
    /** What the server finds on its disk, for a test to change. */
    disk,
    space,
    clock,
    secrets,
    fetched,
    /** What receives the messages of webhooks, for a test to replace. */
    receiver,
    /** The content of each mail put into the outbox, in order. */
    mails,
    sendMail: platform.sendMail,
    /** What the outbox sent: `await mailbox.delivered()`, then `mailbox.lastTo(email)`. */
    mailbox,
    holdRead,
    holdWrite,
    quiet,
    /** Starts another node on the same data. Only PostgreSQL allows one. */
    async node() {
      const database = await another()
      toClose.unshift(() => database.close())
      const started = await startNode({ ...platform, ...(await nodeParts(database)) })
      nodes.push(started)
      return { ...started, database }
    },
    /** All rows of a table, with what the nodes have counted so far. */
    async rows<T extends keyof Tables>(table: T): Promise<Tables[T][]> {
      for (const { views } of nodes) await views.flush()
      const rows = await database.read
        .selectFrom(table as keyof Tables)
        .selectAll()
        .execute()
      return Array.from(rows, (row) => ({ ...row })) as unknown as Tables[T][]
    },
    owner(input: { plan?: Plan; email?: string } = {}): Promise<Owner> {
      return createOwner(this, { plan: 'pro', email: nextEmail(), ...input })
    },
    /** A visitor whose requests have these headers. */
    visitor(headers: Record<string, string> = {}) {
      return createVisitor(this, headers)
    },
    /** A visitor who is signed in as the owner. */
    async signedIn({ email }: Owner, headers: Record<string, string> = {}) {
      const account = (await this.accounts.list()).find((each) => each.email === email)!
      const token = await database.write((tx) => this.sessions.create(tx, account.id, null))
      const visitor = createVisitor(this, headers)
      visitor.keep('/', `handbill_session=${token}`)
      return visitor
    },
    advance(milliseconds: number) {
      skippedMs += milliseconds
    },
    async [Symbol.asyncDispose]() {
      releaseAll()
      await quiet()
      for (const { views } of nodes) await views.close()
      for (const close of toClose) await close()
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

let migrated: Promise<Uint8Array> | undefined
/** A SQLite database with our tables: copying it takes a tenth of the time of making one. */
function migratedFile(): Promise<Uint8Array> {
  migrated ??= migrateFile()
  return migrated
}

async function migrateFile(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-test-'))
  const file = join(folder, 'test.db')
  const database = openSqlite(file)
  await migrate(database, testSecrets)
  await database.close()
  const bytes = await Bun.file(file).bytes()
  rmSync(folder, { recursive: true })
  return bytes
}

async function openFresh(engine: Engine, folder: string) {
  if (engine === 'sqlite') {
    const another = () => Promise.reject(new Error('SQLite serves one process'))
    const file = join(folder, 'test.db')
    await Bun.write(file, await migratedFile())
    return { database: openSqlite(file, { readThread }), another, drop: async () => {} }
  }
  const { url, ...made } = await migratedDatabase()
  return { ...made, another: () => openPostgres(url, { max: 4 }) }
}
