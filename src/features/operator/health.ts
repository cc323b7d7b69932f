import { count } from '../../model/numbers.ts'
import { type BackupState, type Checks, diskState } from '../../platform/checks.ts'
import type { DiskSpace } from '../../platform/content-space.ts'
import type { Services } from '../../platform/services.ts'
import { PART_STATES, type PARTS } from './contract.ts'

interface PartHealth {
  name: (typeof PARTS)[number]
  state: (typeof PART_STATES)[number]
  message: string
  cure: string | null
}

export interface HealthDeps extends Pick<Services, 'checks' | 'baseUrl'> {
  countUnsentMails(): Promise<{ waiting: number; failed: number }>
}

const GIGABYTE = 1024 ** 3

/** Checks each part of the server. A part that fails is reported in the answer. */
export async function checkHealth({ checks, baseUrl, countUnsentMails }: HealthDeps) {
  const parts = await Promise.all([
    part('database', async () => databaseHealth(checks.engine, await checks.database())),
    part('files', async () => {
      await checks.files()
      return { state: 'ok', message: 'A file was written and deleted.', cure: null }
    }),
    part('disk', async () => diskHealth(await checks.disk())),
    part('backup', async () => backupHealth(checks.backup())),
    part('mail', async () => mailHealth(checks.sendsMails, await countUnsentMails())),
    part('address', async () => addressHealth(baseUrl)),
  ])
  const { version, engine, startedAt } = checks
  const state = PART_STATES.findLast((each) => parts.some((one) => one.state === each))!
  return { version, engine, started_at: startedAt.toISOString(), state, parts }
}

type Found = Omit<PartHealth, 'name'>

const FAILING = {
  database: 'Check that the database runs and its disk has space; the log of the server says more.',
  files:
    'Check that DATA_DIR can be written and its disk has space; with S3_*, that the bucket is ' +
    'there and its key may write. The log of the server says more.',
  disk: 'Check that DATA_DIR is there.',
  backup: 'Check BACKUP_URL.',
  mail: 'Check the database.',
  address: 'Check BASE_URL.',
}

async function part(name: PartHealth['name'], check: () => Promise<Found>): Promise<PartHealth> {
  try {
    return { name, ...(await check()) }
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    const message = `It does not work${code === undefined ? '' : ` (${code})`}.`
    return { name, state: 'failing', message, cure: FAILING[name] }
  }
}

function databaseHealth(engine: Checks['engine'], bytes: number): Found {
  const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return { state: 'ok', message: `${name} answers; it takes ${sizeText(bytes)}.`, cure: null }
}

export function diskHealth(space: DiskSpace): Found {
  const message = `${sizeText(space.free_bytes)} of ${sizeText(space.total_bytes)} are free.`
  const state = diskState(space)
  if (state === 'ok') return { state, message, cure: null }
  return {
    state: state === 'full' ? 'failing' : 'warning',
    message,
    cure: 'Free space on the disk of DATA_DIR: once it is full, nothing can be stored.',
  }
}

function backupHealth(state: BackupState | null): Found {
  if (state === null) {
    const message = 'BACKUP_URL is not set, so backups are yours to make: handbill backup create.'
    return { state: 'ok', message, cure: null }
  }
  const { place, newestAt, problem } = state
  const newest = newestAt === null ? 'There is none yet' : `The newest is of ${newestAt}`
  if (problem === null) return { state: 'ok', message: `${newest}, in ${place}.`, cure: null }
  return {
    state: 'failing',
    message: `${problem}. ${newest}, in ${place}.`,
    cure: 'Check BACKUP_URL, and that its place takes files and has space; the log says more.',
  }
}

export function mailHealth(
  sendsMails: boolean,
  { waiting, failed }: { waiting: number; failed: number },
): Found {
  if (!sendsMails) {
    return {
      state: 'warning',
      message: 'No mail server is set, so nobody gets mails: they wait for you to read them.',
      cure: 'Set one in the app, under Operator and Settings, or with SMTP_URL and MAIL_FROM.',
    }
  }
  const message = `${count(waiting, 'mail')} waiting, ${failed} given up.`
  if (failed === 0) return { state: 'ok', message, cure: null }
  return {
    state: 'warning',
    message,
    cure: 'See what the mail server said about those that failed, mend it, and try them again.',
  }
}

export function addressHealth(baseUrl: string): Found {
  const { protocol, hostname } = new URL(baseUrl)
  const isLocal = /(^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname)
  if (protocol === 'https:' || isLocal) {
    return { state: 'ok', message: `People use ${baseUrl}.`, cure: null }
  }
  return {
    state: 'warning',
    message: `${baseUrl} is not encrypted: sessions and pages can be read on their way.`,
    cure: 'Put a proxy with TLS in front, and set BASE_URL to its https address.',
  }
}

function sizeText(bytes: number): string {
  const [unit, size] = bytes >= GIGABYTE ? ['GB', GIGABYTE] : ['MB', 1024 ** 2]
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}
