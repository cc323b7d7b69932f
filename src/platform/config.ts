import { resolve } from 'node:path'
import type { Plan, Plans } from '../model/plan.ts'
import type { BackupSettings } from './backup-store/settings.ts'
import type { S3Settings } from './blobs/s3/client.ts'
import type { Variable } from './config-readers.ts'
import { OIDC_NAMES, OIDC_OPTIONS, S3_NAMES, VARIABLES, type Values } from './config-variables.ts'
import type { LogOptions } from './log.ts'
import { withoutCredentials } from './log-values.ts'
import { readPlans } from './plans-file.ts'

export interface Config {
  listen: { port: number; host: string }
  /** An origin, without a slash at its end. */
  baseUrl: string
  /** Absolute. */
  dataDir: string
  /** PostgreSQL; null: SQLite in `dataDir`. */
  databaseUrl: string | null
  /** null: large files are in `dataDir`. */
  s3: S3Settings | null
  /** Where a backup is put each day; null: none is made. */
  backup: BackupSettings | null
  /** null: mails are files in `dataDir`. */
  smtpUrl: string | null
  mailFrom: string
  /** null: the key in a file of `dataDir`, made at the first start. */
  secretKey: string | null
  defaultPlan: Plan
  /** With what `PLANS_FILE` changes. */
  plans: Plans
  /** null: closed as soon as there is an account. */
  signup: 'open' | 'invite' | 'closed' | null
  setupEmail: string | null
  /** The number of proxies in front whose `X-Forwarded-For` is trusted. */
  trustProxy: number
  /** `host:port` each. */
  fetchAllowedHosts: string[]
  /** An origin with `{page}` as its first label, without a slash at its end. */
  contentUrl: string | null
  /** The same on `localhost`, for pages that need an origin. Null where `CONTENT_URL` is set. */
  localContentUrl: string | null
  /** null: people sign in by mail alone. */
  singleSignOn: SingleSignOnSettings | null
  rateLimits: boolean
  log: LogOptions
  requestLog: 'off' | 'without_pages' | 'all'
  /** Whether the log of requests has the addresses of clients. */
  logsAddresses: boolean
  /** Queries that take so long are logged; 0: none. */
  slowQueryMs: number
  /** null: only this machine may read the metrics. */
  metricsToken: string | null
}

/** The provider that people may sign in with, beside the link of a mail. */
export interface SingleSignOnSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The provider's, for people. */
  name: string
  /** In lower case. Empty: addresses of any domain. */
  domains: readonly string[]
  /** Whether people without an account get one, whatever the server's rule is. */
  isOpen: boolean
}

/** The message has one line for each wrong setting, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'))
  }
}

type Environment = Record<string, string | undefined>

/** Settings of earlier versions: the value that has no effect, and what the others are told. */
const GONE: Record<string, { harmless: string; cure: string }> = {
  WORKERS: {
    harmless: '1',
    cure: 'one process serves. Remove it; for more cores, start several nodes on PostgreSQL.',
  },
}

/**
 * Reads the settings. An empty variable counts as unset.
 *
 * @throws ConfigError that names everything that is wrong, not only the first setting
 */
export function readConfig(env: Environment): Config {
  const wrong: string[] = []
  const values = readVariables(env, wrong)
  if (wrong.length > 0) throw new ConfigError(wrong)
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  const lines = contradictionsIn(values, baseUrl)
  const plans = readPlans(values.PLANS_FILE, lines)
  if (lines.length > 0) throw new ConfigError(lines)
  return {
    listen: { port: values.PORT, host: values.HOST },
    baseUrl,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    s3: s3Settings(values),
    backup: values.BACKUP_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `Handbill <handbill@${new URL(baseUrl).hostname}>`,
    secretKey: values.SECRET_KEY,
    defaultPlan: values.DEFAULT_PLAN,
    plans,
    signup: values.SIGNUP,
    setupEmail: values.SETUP_EMAIL,
    trustProxy: values.TRUST_PROXY,
    fetchAllowedHosts: values.FETCH_ALLOWED_HOSTS,
    contentUrl: contentUrlIn(values),
    localContentUrl: values.CONTENT_URL === null ? localContentUrlFor(baseUrl) : null,
    singleSignOn: singleSignOnIn(values),
    rateLimits: values.RATE_LIMITS === 'on',
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    requestLog: values.REQUEST_LOG,
    logsAddresses: values.REQUEST_LOG_ADDRESSES === 'on',
    slowQueryMs: values.SLOW_QUERY_MS,
    metricsToken: values.METRICS_TOKEN,
  }
}

function readVariables(env: Environment, wrong: string[]): Values {
  for (const [name, { harmless, cure }] of Object.entries(GONE)) {
    const text = env[name]?.trim()
    if (text && text !== harmless) wrong.push(`${name} is gone: ${cure}`)
  }
  const read = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const text = env[name]?.trim() || variable.fallback
    if (text === null) return [name, null]
    const result = variable.read.safeParse(text)
    if (!result.success) {
      const shown = variable.isSecret ? '' : `, not ${JSON.stringify(withoutCredentials(text))}`
      wrong.push(`${name} must be ${variable.must}${shown}.`)
    }
    return [name, result.data]
  })
  return Object.fromEntries(read)
}

/** Errors in the combination of variables. */
function contradictionsIn(values: Values, baseUrl: string): string[] {
  const lines = []
  const contentUrl = contentUrlIn(values)
  if (contentUrl !== null && covers(contentUrl, new URL(baseUrl).host)) {
    lines.push(
      `CONTENT_URL must not cover the host of BASE_URL (${baseUrl}): no page may share it.`,
    )
  }
  lines.push(...misplacedBackups(values))
  lines.push(
    ...incomplete(values, { needed: S3_NAMES, options: [], advice: 'set all of S3_*, or none' }),
    ...incomplete(values, {
      needed: OIDC_NAMES,
      options: OIDC_OPTIONS,
      advice: 'set issuer, client id and client secret, or nothing of OIDC_*',
    }),
  )
  return lines
}

interface Group {
  /** All of them, or none. */
  needed: readonly (keyof Values)[]
  /** With the others only. */
  options: readonly (keyof Values)[]
  advice: string
}

/** The error about settings that mean nothing without others. */
function incomplete(values: Values, { needed, options, advice }: Group): string[] {
  const isSet = (name: keyof Values) => values[name] !== null && String(values[name]) !== ''
  const missing = needed.filter((name) => !isSet(name))
  const set = [...needed, ...options].filter(isSet)
  if (missing.length === 0 || set.length === 0) return []
  return [`${set.join(', ')} without ${missing.join(', ')}: ${advice}.`]
}

function singleSignOnIn(values: Values): SingleSignOnSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = values
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_DOMAINS: domains } = values
  if (!issuer || !clientId || !clientSecret) return null
  const name = values.OIDC_NAME ?? new URL(issuer).host
  return { issuer, clientId, clientSecret, name, domains, isOpen: values.OIDC_SIGNUP === 'on' }
}

/** Backups must not be in the data folder: each would contain the other. */
function misplacedBackups({ BACKUP_URL: backup, DATA_DIR: dataDir, ...values }: Values): string[] {
  if (backup === null) return []
  const { target } = backup
  const isInside =
    'folder' in target
      ? `${resolve(target.folder)}/`.startsWith(`${resolve(dataDir)}/`)
      : target.s3.bucket === values.S3_BUCKET &&
        target.s3.endpoint === values.S3_ENDPOINT &&
        target.prefix.startsWith('blobs/')
  return isInside ? ['BACKUP_URL must not name a place in DATA_DIR, or blobs/ of S3_BUCKET.'] : []
}

function s3Settings(values: Values): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = values
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (!bucket || !endpoint || !region || !accessKeyId || !secretAccessKey) return null
  return { bucket, endpoint, region, accessKeyId, secretAccessKey }
}

function contentUrlIn({ CONTENT_URL: contentUrl }: Values): string | null {
  return contentUrl === 'off' ? null : contentUrl
}

/**
 * Chromium and Firefox resolve every name below `localhost` by themselves, and keep each apart from
 * the others and from `localhost` itself. They do so for no other name or address of this computer.
 */
function localContentUrlFor(baseUrl: string): string | null {
  const { protocol, hostname, host } = new URL(baseUrl)
  return protocol === 'http:' && hostname === 'localhost' ? `http://{page}.${host}` : null
}

function covers(contentUrl: string, host: string): boolean {
  const { host: contentHost } = new URL(contentUrl.replace('{page}', 'page'))
  return host.endsWith(contentHost.slice('page'.length))
}
