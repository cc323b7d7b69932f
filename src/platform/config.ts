import { resolve } from 'node:path'
import type { Plan } from '../model/plan.ts'
import { VARIABLES, type Values, type Variable } from './config-variables.ts'
import type { LogOptions } from './log.ts'
import { redact } from './log-values.ts'

export interface Config {
  listen: { port: number; host: string }
  /** An origin, without a slash at its end. */
  base_url: string
  /** Absolute. */
  data_dir: string
  /** PostgreSQL; null: SQLite in `data_dir`. */
  database_url: string | null
  /** null: files in `data_dir`. */
  s3: S3Config | null
  /** null: mails are files in `data_dir`. */
  smtp_url: string | null
  mail_from: string
  /** null: made once, in `data_dir`. */
  secret_key: string | null
  default_plan: Plan
  /** null: closed as soon as there is an account. */
  signup: 'open' | 'invite' | 'closed' | null
  setup_email: string | null
  /** How many proxies in front are believed. */
  trust_proxy: number
  /** `host:port` each. */
  fetch_allowed_hosts: string[]
  /** An origin with `{page}` as its first label, without a slash at its end. */
  content_url: string | null
  rate_limits: boolean
  log: LogOptions
}

export interface S3Config {
  bucket: string
  /** null: AWS. */
  endpoint: string | null
  region: string
  access_key_id: string
  secret_access_key: string
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
  const base_url = values.BASE_URL ?? `http://localhost:${values.PORT}`
  const lines = contradictionsIn(values, base_url)
  if (lines.length > 0) throw new ConfigError(lines)
  return {
    listen: { port: values.PORT, host: values.HOST },
    base_url,
    data_dir: resolve(values.DATA_DIR),
    database_url: values.DATABASE_URL,
    s3: s3Of(values),
    smtp_url: values.SMTP_URL,
    mail_from: values.MAIL_FROM ?? `Handbill <handbill@${new URL(base_url).hostname}>`,
    secret_key: values.SECRET_KEY,
    default_plan: values.DEFAULT_PLAN,
    signup: values.SIGNUP,
    setup_email: values.SETUP_EMAIL,
    trust_proxy: values.TRUST_PROXY,
    fetch_allowed_hosts: values.FETCH_ALLOWED_HOSTS,
    content_url: values.CONTENT_URL,
    rate_limits: values.RATE_LIMITS === 'on',
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
  }
}

function readVariables(env: Environment, wrong: string[]): Values {
  const read = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const text = env[name]?.trim() || variable.fallback
    if (text === null) return [name, null]
    const result = variable.read.safeParse(text)
    if (!result.success) {
      const shown = variable.is_secret ? '' : `, not ${JSON.stringify(redact(text))}`
      wrong.push(`${name} must be ${variable.must}${shown}.`)
    }
    return [name, result.data]
  })
  return Object.fromEntries(read)
}

const S3_NEEDS = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** What each variable alone cannot tell. */
function contradictionsIn(values: Values, base_url: string): string[] {
  const lines: string[] = []
  const missing = S3_NEEDS.filter((name) => values[name] === null)
  const is_partial = missing.length < S3_NEEDS.length || values.S3_ENDPOINT !== null
  if (missing.length > 0 && is_partial) {
    lines.push(`Set ${S3_NEEDS.join(', ')}, or no S3 variable: ${missing.join(', ')} is missing.`)
  }
  if (values.CONTENT_URL !== null && covers(values.CONTENT_URL, new URL(base_url).host)) {
    lines.push(`CONTENT_URL must not cover ${base_url} itself, which no page may share.`)
  }
  return lines
}

function covers(content_url: string, host: string): boolean {
  const { host: content_host } = new URL(content_url.replace('{page}', 'page'))
  return host.endsWith(content_host.slice('page'.length))
}

function s3Of(values: Values): S3Config | null {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (S3_BUCKET === null || S3_ACCESS_KEY_ID === null || S3_SECRET_ACCESS_KEY === null) return null
  return {
    bucket: S3_BUCKET,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    access_key_id: S3_ACCESS_KEY_ID,
    secret_access_key: S3_SECRET_ACCESS_KEY,
  }
}
