import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { getDomain } from 'tldts'
import { z } from 'zod'
import { DEFAULT_PLANS, PLANS, type Plans } from '../model/plan.ts'
import { planLimits } from '../model/plan-limits.ts'
import { DEFAULT_NAME } from '../model/site.ts'
import type { S3Settings } from './blobs/s3/client.ts'
import { GROUPS, VARIABLES, type Values, type Variable } from './config-variables.ts'
import { withoutCredentials } from './log-values.ts'

export type Config = ReturnType<typeof readConfig>

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

/** Whether a variable of this name has an effect, or is told that it is gone. */
export const isSetting = (name: string) => name in VARIABLES || name in GONE

/**
 * Reads the settings. An empty variable counts as unset.
 *
 * @throws ConfigError that names everything that is wrong, not only the first setting
 */
export function readConfig(env: Environment) {
  const wrong: string[] = []
  const values = readVariables(env, wrong)
  if (wrong.length > 0) throw new ConfigError(wrong)
  const baseUrl = values.BASE_URL ?? new URL(`http://localhost:${values.PORT}`).origin
  const lines = contradictionsIn(values, baseUrl)
  const plans = readPlans(values.PLANS_FILE, lines)
  if (lines.length > 0) throw new ConfigError(lines)
  return {
    listen: { port: values.PORT, host: values.HOST },
    /** An origin, without a slash at its end. */
    baseUrl,
    /** Absolute. */
    dataDir: resolve(values.DATA_DIR),
    /** PostgreSQL; null: SQLite in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    /** null: large files are in `dataDir`. */
    s3: s3Settings(values),
    /** Where a backup is put each day; null: none is made. */
    backup: values.BACKUP_URL,
    /** null: mails are files in `dataDir`. */
    smtpUrl: values.SMTP_URL,
    /** null: `defaultSender`. */
    mailFrom: values.MAIL_FROM,
    /** null: `DEFAULT_NAME`. */
    serverName: values.SERVER_NAME,
    /** null: `DEFAULT_ACCENT`. */
    serverAccent: values.SERVER_ACCENT,
    /** null: the key in a file of `dataDir`, made at the first start. */
    secretKey: values.SECRET_KEY,
    defaultPlan: values.DEFAULT_PLAN,
    /** With what `PLANS_FILE` changes. */
    plans,
    /** null: closed as soon as there is an account. */
    signup: values.SIGNUP,
    /** null: `DEFAULT_RETENTION_MONTHS`. */
    peopleRetentionMonths: values.PEOPLE_RETENTION_MONTHS,
    setupEmail: values.SETUP_EMAIL,
    /** The number of proxies in front whose `X-Forwarded-For` is trusted. */
    trustProxy: values.TRUST_PROXY,
    /** `host:port` each. */
    fetchAllowedHosts: values.FETCH_ALLOWED_HOSTS,
    /** An origin with `{page}` as its first label, without a slash at its end. */
    contentUrl: contentUrlIn(values),
    /** The same on `localhost`, for pages that need an origin. Null where `CONTENT_URL` is set. */
    localContentUrl: values.CONTENT_URL === null ? localContentUrlFor(baseUrl) : null,
    /** null: people sign in by mail alone. */
    singleSignOn: singleSignOnIn(values),
    rateLimits: values.RATE_LIMITS === 'on',
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    requestLog: values.REQUEST_LOG,
    /** Whether the log of requests has the addresses of clients. */
    logsAddresses: values.REQUEST_LOG_ADDRESSES === 'on',
    /** Queries that take so long are logged; 0: none. */
    slowQueryMs: values.SLOW_QUERY_MS,
    /** null: only this machine may read the metrics. */
    metricsToken: values.METRICS_TOKEN,
  }
}

/** The sender of mails where none is set. */
export function defaultSender(baseUrl: string, name = DEFAULT_NAME): string {
  // Commas and other marks would divide the header, so such a name is quoted.
  const sender = /[^\p{L}\p{N} ]/u.test(name) ? `"${name}"` : name
  return `${sender} <handbill@${new URL(baseUrl).hostname}>`
}

function readVariables(env: Environment, wrong: string[]): Values {
  for (const [name, { harmless, cure }] of Object.entries(GONE)) {
    const text = env[name]?.trim()
    if (text && text !== harmless) wrong.push(`${name} is gone: ${cure}`)
  }
  const entries = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const text = env[name]?.trim() || variable.fallback
    if (text === null) return [name, null]
    const result = variable.read.safeParse(text)
    if (!result.success) {
      const value = variable.isSecret ? '' : `, not ${JSON.stringify(withoutCredentials(text))}`
      wrong.push(`${name} must be ${variable.must}${value}.`)
    }
    return [name, result.data]
  })
  return Object.fromEntries(entries)
}

/** Errors in the combination of variables. */
function contradictionsIn(values: Values, baseUrl: string): string[] {
  const contentUrl = contentUrlIn(values)
  const lines = contentUrl === null ? [] : contentUrlProblems(contentUrl, baseUrl)
  if (isMisplaced(values)) {
    lines.push('BACKUP_URL must not name a place in DATA_DIR, or blobs/ of S3_BUCKET.')
  }
  const isSet = (name: keyof Values) => values[name] !== null && String(values[name]) !== ''
  for (const { needed, options, advice } of GROUPS) {
    const missing = needed.filter((name) => !isSet(name))
    const set = [...needed, ...options].filter(isSet)
    if (missing.length === 0 || set.length === 0) continue
    lines.push(`${set.join(', ')} without ${missing.join(', ')}: ${advice}.`)
  }
  return lines
}

function singleSignOnIn(values: Values): SingleSignOnSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = values
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_DOMAINS: domains } = values
  if (!issuer || !clientId || !clientSecret) return null
  const name = values.OIDC_NAME ?? new URL(issuer).host
  return { issuer, clientId, clientSecret, name, domains, isOpen: values.OIDC_SIGNUP === 'on' }
}

/** Backups must not be in the data folder: each would contain the other. */
function isMisplaced({ BACKUP_URL: backup, DATA_DIR: dataDir, ...values }: Values): boolean {
  if (backup === null) return false
  const { target } = backup
  if ('folder' in target) return `${resolve(target.folder)}/`.startsWith(`${resolve(dataDir)}/`)
  const { bucket, endpoint } = target.s3
  const isSameBucket = bucket === values.S3_BUCKET && endpoint === values.S3_ENDPOINT
  return isSameBucket && target.prefix.startsWith('blobs/')
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

/**
 * Refuses a `CONTENT_URL` on the registrable domain of `BASE_URL`. Hosts of one registrable domain
 * are one site to a browser: a page there could set cookies for the app's host, and its requests
 * would carry the app's `SameSite` cookies. Browsers keep `localhost` and its subdomains apart.
 */
function contentUrlProblems(contentUrl: string, baseUrl: string): string[] {
  if (covers(contentUrl, new URL(baseUrl).host)) {
    return [`CONTENT_URL must not cover the host of BASE_URL (${baseUrl}): no page may share it.`]
  }
  if (contentUrl.startsWith('http:') && baseUrl.startsWith('https:')) {
    return ['CONTENT_URL must be https where BASE_URL is: browsers load no http in its pages.']
  }
  const content = siteOf(contentUrl.replace('{page}', 'page'))
  if (content === null || content !== siteOf(baseUrl)) return []
  return [
    `CONTENT_URL and BASE_URL (${baseUrl}) share the domain ${content}: a published page could ` +
      'set cookies for the app. Use a domain for CONTENT_URL that serves nothing else.',
  ]
}

/** The registrable domain by the public suffix list, or null where no two hosts share one. */
function siteOf(url: string): string | null {
  const { hostname } = new URL(url)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return null
  return getDomain(hostname, { allowPrivateDomains: true })
}

/** Text that stands in a line of its own, such as a name or `9 € a month`. */
const words = z
  .string()
  .trim()
  .regex(/^[^\p{C}]{1,40}$/u, { error: 'It must have 1 to 40 characters, in one line' })

const plan = z
  .strictObject({
    name: words,
    price: words.nullable(),
    limits: z.strictObject(planLimits.shape).partial(),
  })
  .partial()

/** What the file may change of each plan. */
const plansFile = z.strictObject(Object.fromEntries(PLANS.map((id) => [id, plan]))).partial()

/**
 * Reads the plans of a server. What the file leaves out stays as it is by default.
 *
 * @param path null: no file
 * @param wrong gets a line for each error in the file
 */
function readPlans(path: string | null, wrong: string[]): Plans {
  if (path === null) return DEFAULT_PLANS
  const name = `PLANS_FILE (${path})`
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    wrong.push(code === undefined ? `${name} must be JSON.` : `${name} cannot be read (${code}).`)
    return DEFAULT_PLANS
  }
  const result = plansFile.safeParse(json)
  if (!result.success) {
    for (const { path: at, message } of result.error.issues) {
      const place = at.length === 0 ? 'It' : at.join('.')
      wrong.push(`${name}: ${place} is wrong. ${message}.`)
    }
    return DEFAULT_PLANS
  }
  const plans = merged(result.data)
  for (const id of PLANS) {
    const { limits } = plans[id]
    const largest = Math.max(limits.file_bytes, limits.deck_bytes)
    for (const member of ['stored_bytes', 'upload_bytes'] as const) {
      if (limits[member] >= largest) continue
      wrong.push(
        `${name}: ${id}.limits.${member} must be at least ${largest}, the largest content.`,
      )
    }
  }
  return plans
}

function merged(changes: z.output<typeof plansFile>): Plans {
  const plans = PLANS.map((id) => {
    const usual = DEFAULT_PLANS[id]
    const { limits, ...others } = changes[id] ?? {}
    return [id, { ...usual, ...others, limits: { ...usual.limits, ...limits } }]
  })
  return Object.fromEntries(plans) as Plans
}
