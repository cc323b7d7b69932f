import { resolve } from 'node:path'
import type { Plan } from '../model/plan.ts'
import { VARIABLES, type Values, type Variable } from './config-variables.ts'
import type { LogOptions } from './log.ts'
import { redact } from './log-values.ts'

export interface Config {
  listen: { port: number; host: string }
  /** An origin, without a slash at its end. */
  baseUrl: string
  /** Absolute. */
  dataDir: string
  /** PostgreSQL; null: SQLite in `data_dir`. */
  databaseUrl: string | null
  /** null: files in `data_dir`. */
  s3: S3Config | null
  /** null: mails are files in `data_dir`. */
  smtpUrl: string | null
  mailFrom: string
  /** null: made once, in `data_dir`. */
  secretKey: string | null
  defaultPlan: Plan
  /** null: closed as soon as there is an account. */
  signup: 'open' | 'invite' | 'closed' | null
  setupEmail: string | null
  /** How many proxies in front are believed. */
  trustProxy: number
  /** `host:port` each. */
  fetchAllowedHosts: string[]
  /** An origin with `{page}` as its first label, without a slash at its end. */
  contentUrl: string | null
  rateLimits: boolean
  log: LogOptions
}

export interface S3Config {
  bucket: string
  /** null: AWS. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Its message has one line for each setting that is wrong, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'))
  }
}

type Environment = Record<string, string | undefined>

/** Throws a ConfigError that names all that is wrong at once. An empty variable is an unset one. */
export function readConfig(env: Environment): Config {
  const wrong: string[] = []
  const values = readVariables(env, wrong)
  if (wrong.length > 0) throw new ConfigError(wrong)
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  const lines = contradictionsIn(values, baseUrl)
  if (lines.length > 0) throw new ConfigError(lines)
  return {
    listen: { port: values.PORT, host: values.HOST },
    baseUrl,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    s3: s3Of(values),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `Handbill <handbill@${new URL(baseUrl).hostname}>`,
    secretKey: values.SECRET_KEY,
    defaultPlan: values.DEFAULT_PLAN,
    signup: values.SIGNUP,
    setupEmail: values.SETUP_EMAIL,
    trustProxy: values.TRUST_PROXY,
    fetchAllowedHosts: values.FETCH_ALLOWED_HOSTS,
    contentUrl: values.CONTENT_URL,
    rateLimits: values.RATE_LIMITS === 'on',
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
  }
}

function readVariables(env: Environment, wrong: string[]): Values {
  const read = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const text = env[name]?.trim() || variable.fallback
    if (text === null) return [name, null]
    const result = variable.read.safeParse(text)
    if (!result.success) {
      const shown = variable.isSecret ? '' : `, not ${JSON.stringify(redact(text))}`
      wrong.push(`${name} must be ${variable.must}${shown}.`)
    }
    return [name, result.data]
  })
  return Object.fromEntries(read)
}

const S3_NEEDS = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** What each variable alone cannot tell. */
function contradictionsIn(values: Values, baseUrl: string): string[] {
  const lines: string[] = []
  const missing = S3_NEEDS.filter((name) => values[name] === null)
  const isPartial = missing.length < S3_NEEDS.length || values.S3_ENDPOINT !== null
  if (missing.length > 0 && isPartial) {
    lines.push(`Set ${S3_NEEDS.join(', ')}, or no S3 variable: ${missing.join(', ')} is missing.`)
  }
  if (values.CONTENT_URL !== null && covers(values.CONTENT_URL, new URL(baseUrl).host)) {
    lines.push(`CONTENT_URL must not cover ${baseUrl} itself, which no page may share.`)
  }
  return lines
}

function covers(contentUrl: string, host: string): boolean {
  const { host: contentHost } = new URL(contentUrl.replace('{page}', 'page'))
  return host.endsWith(contentHost.slice('page'.length))
}

function s3Of(values: Values): S3Config | null {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (S3_BUCKET === null || S3_ACCESS_KEY_ID === null || S3_SECRET_ACCESS_KEY === null) return null
  return {
    bucket: S3_BUCKET,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
