import { z } from 'zod'
import { ACCENTS } from '../model/accent.ts'
import { percentDecoded } from '../model/page-name.ts'
import { PLANS } from '../model/plan.ts'
import { parseBackupUrl } from './backup-store/settings.ts'
import { LOG_FORMATS, LOG_LEVELS } from './log.ts'
import { MIN_KEY_BYTES } from './secrets.ts'

export interface Variable<T> {
  about: string
  /** Completes "NAME must be …" in the error about a bad value. Absent where any value is good. */
  must?: string
  /** What applies when the variable is unset, where there is no `fallback`. */
  unset?: string
  isSecret?: boolean
  /** The value of an unset variable, as the environment would spell it. */
  fallback: string | null
  read: z.ZodType<T, string>
}
type Description = Omit<Variable<never>, 'fallback' | 'read'>

function optional<T>(read: z.ZodType<T, string>, description: Description): Variable<T | null> {
  return { ...wordsOf(read), ...description, fallback: null, read }
}
function defaulted<T>(
  fallback: string,
  read: z.ZodType<T, string>,
  description: Description,
): Variable<T> {
  return { ...wordsOf(read), ...description, fallback, read }
}

/** What a value must be that is one of some words. */
function wordsOf(read: z.ZodType): { must?: string } {
  if (!(read instanceof z.ZodEnum)) return {}
  const words = read.options
  return { must: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` }
}

function whole(min: number, max: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max))
}
const origin = z
  .string()
  .refine(isOrigin)
  .transform((text) => new URL(text).origin)
const contentUrl = z
  .string()
  .refine(isContentUrl)
  .transform((text) => text.replace(/\/$/, ''))
const issuer = z.string().refine(isIssuer)
const text = z.string()
const host = z.string().regex(/^[^\s/[\]]+$/)
const hosts = listOf(/^[^\s/?#@]+:\d{1,5}$/).refine((list) =>
  list.every((each) => URL.canParse(`http://${each}`)),
)
const domains = z
  .string()
  .toLowerCase()
  .pipe(listOf(/^[^\s@/:*.]+(\.[^\s@/:*.]+)+$/))

/** Entries are separated by commas or spaces. */
function listOf(entry: RegExp) {
  return z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((each) => each !== ''))
    .pipe(z.array(z.string().regex(entry)))
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

/** Microsoft's issuers of all tenants would let everybody in who makes a tenant. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username || url.password || /[?#\s]/.test(text)) return false
  if (/^\/(common|organizations|consumers)(\/|$)/.test(url.pathname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** Whether a host name always means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
}

function isContentUrl(text: string): boolean {
  if (text === 'off') return true
  return /^https?:\/\/\{page\}\.[^{}]+$/.test(text) && isOrigin(text.replace('{page}', 'page'))
}

function isUrl(...protocols: string[]): (text: string) => boolean {
  return (text) => {
    const url = URL.parse(text)
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '') return false
    return percentDecoded(url.href) !== null
  }
}

/** Every setting of the server. They are checked at start, and docs/configuration.md lists them. */
export const VARIABLES = {
  PORT: defaulted('8787', whole(1, 65535), {
    about: 'The port to listen on.',
    must: 'a port from 1 to 65535',
  }),
  HOST: defaulted('127.0.0.1', host, {
    about: 'The address to listen on. `0.0.0.0` listens on all network interfaces.',
    must: 'an address or a host name',
  }),
  BASE_URL: optional(origin, {
    about: 'The public address of the server. Every link that the server makes starts with it.',
    must: 'an address such as https://pages.example.com, without a path',
    unset: '`http://localhost:PORT`',
  }),
  CONTENT_URL: optional(contentUrl, {
    about:
      'Gives every page with scripts a host of its own, such as ' +
      '`https://{page}.example-content.net`, at whose root its files stand: built sites work ' +
      'there as on a plain static host. Needs a wildcard DNS record and a wildcard ' +
      'certificate. Use a registrable domain that serves nothing else. `off` keeps every page ' +
      'in the sandbox, also where `BASE_URL` is `http://localhost`.',
    must: 'an address that starts with {page}, such as https://{page}.example-content.net, or off',
    unset:
      'pages run in a sandbox without an origin; where `BASE_URL` is `http://localhost:PORT`, ' +
      'Chromium and Firefox open those with scripts at `http://{page}.localhost:PORT`',
  }),
  TRUST_PROXY: defaulted('0', whole(0, 10), {
    about:
      'The number of reverse proxies in front of the server whose `X-Forwarded-For` it trusts.',
    must: 'a number from 0 to 10',
  }),
  DATA_DIR: defaulted('./data', text, {
    about: 'The folder for all data. A relative path starts at the working folder.',
  }),
  DATABASE_URL: optional(z.string().refine(isUrl('postgres:', 'postgresql:')), {
    about: 'The PostgreSQL database to use.',
    must: 'postgres://user:password@host:5432/database, with %25 for %',
    unset: 'SQLite, in `DATA_DIR`',
    isSecret: true,
  }),
  S3_BUCKET: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/), {
    about: 'The bucket for large files, in an object store that speaks S3: see below.',
    must: 'the name of a bucket, such as my-pages',
    unset: 'files in `DATA_DIR`',
  }),
  S3_ENDPOINT: optional(origin, {
    about: 'The address of the object store. `http` is for a store on this machine or network.',
    must: 'an address such as https://s3.eu-central-1.amazonaws.com, without the bucket',
    unset: 'files in `DATA_DIR`',
  }),
  S3_REGION: optional(z.string().regex(/^[a-z0-9-]{1,64}$/), {
    about: 'The region of the bucket. Stores without regions take any, such as `auto`.',
    must: 'the name of a region, such as eu-central-1',
    unset: 'files in `DATA_DIR`',
  }),
  S3_ACCESS_KEY_ID: optional(z.string().regex(/^[!-~]+$/), {
    about: 'The access key, which may list the bucket, and read, write and delete objects in it.',
    must: 'a key id without spaces',
    unset: 'files in `DATA_DIR`',
    isSecret: true,
  }),
  S3_SECRET_ACCESS_KEY: optional(z.string().regex(/^[!-~]+$/), {
    about: 'The secret of the access key.',
    must: 'a secret without spaces',
    unset: 'files in `DATA_DIR`',
    isSecret: true,
  }),
  BACKUP_URL: optional(
    z.string().transform((url, { addIssue }) => {
      const settings = parseBackupUrl(url)
      if (settings !== null) return settings
      addIssue({ code: 'custom' })
      return z.NEVER
    }),
    {
      about:
        'Where the server puts a backup of everything each day: a folder or a bucket, see below.',
      must:
        'an absolute folder, such as /var/backups/handbill or ' +
        'file:///var/backups/handbill?keep=14, or ' +
        's3://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION&keep=14',
      unset: 'the server makes no backups',
      isSecret: true,
    },
  ),
  SMTP_URL: optional(z.string().refine(isUrl('smtp:', 'smtps:')), {
    about: 'The server that sends mail.',
    must: 'smtp://user:password@host:587 or smtps://user:password@host:465, with %25 for %',
    unset: 'each mail becomes a file in `DATA_DIR/outbox`; its subject and link are logged',
    isSecret: true,
  }),
  MAIL_FROM: optional(z.string().regex(/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/), {
    about: 'The sender of every mail.',
    must: 'an address such as Handbill <pages@example.com>',
    unset: '`Handbill <handbill@HOST>`, with the name of the server and the host of `BASE_URL`',
  }),
  SERVER_NAME: optional(z.string().regex(/^[^\p{C}<>"\\]{1,40}$/u), {
    about: 'What the server is called on its pages and in its mails.',
    must: 'a name of at most 40 characters, without < > " or \\',
    unset: '`Handbill`',
  }),
  SERVER_ACCENT: optional(z.enum(ACCENTS), {
    about: 'The colour of the server’s own pages and mails, and of pages that have no other.',
    unset: '`blue`',
  }),
  SECRET_KEY: optional(
    z.string().refine((key) => Buffer.byteLength(key) >= MIN_KEY_BYTES),
    {
      about:
        'The key that protects links, cookies, stored page passwords and votes. Servers that ' +
        'share a database need the same key. If it is lost, all of these stop working.',
      must: 'at least 32 characters that nobody can guess',
      unset: 'the server makes a key once, in `DATA_DIR/secret.key`',
      isSecret: true,
    },
  ),
  DEFAULT_PLAN: defaulted('free', z.enum(PLANS), {
    about: 'The plan of a new account.',
  }),
  PLANS_FILE: optional(text, {
    about: 'A JSON file with other names, limits and prices of the plans: see below.',
    unset: 'Free, Pro and Team, without prices',
  }),
  SIGNUP: optional(z.enum(['open', 'invite', 'closed']), {
    about:
      'Who may make an account: anyone (`open`), people who are invited to a page (`invite`), ' +
      'or nobody (`closed`). Whatever it is, an address that a page with `require_signin` ' +
      'invites may sign in as a guest, who publishes nothing.',
    unset: 'the set-up link makes the first account; `closed` from then on',
  }),
  PEOPLE_RETENTION_MONTHS: optional(whole(1, 120), {
    about:
      'How long is kept who opened a page: when, how often and how far, by named link and by ' +
      'confirmed address. The numbers of views stay. `docs/privacy.md` says what is kept besides.',
    must: 'a number of months from 1 to 120',
    unset: '`13`',
  }),
  SETUP_EMAIL: optional(z.email(), {
    about: 'Makes the first account for this address at the first start, and prints its API key.',
    must: 'an email address',
    unset: 'the first start prints a set-up link',
  }),
  OIDC_ISSUER: optional(issuer, {
    about:
      'The OpenID Connect provider for single sign-on: the `issuer` of its discovery document. ' +
      'The redirect URI to register there is `BASE_URL/app/sign-in/sso/callback`. Set it with ' +
      '`OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`.',
    must:
      'the issuer of one organisation, such as https://login.example.com/realms/staff; http ' +
      'is for a provider on this machine',
    unset: 'people sign in by mail alone',
  }),
  OIDC_CLIENT_ID: optional(z.string().regex(/^[ -~]+$/), {
    about: 'The client id that the provider gave Handbill.',
    must: 'a client id',
    unset: 'people sign in by mail alone',
  }),
  OIDC_CLIENT_SECRET: optional(z.string().regex(/^[ -~]+$/), {
    about: 'The secret of the client.',
    must: 'a client secret',
    unset: 'people sign in by mail alone',
    isSecret: true,
  }),
  OIDC_NAME: optional(z.string().regex(/^[^\p{C}]{1,40}$/u), {
    about: 'The name of the provider in the button “Continue with NAME”.',
    must: 'a name of at most 40 characters',
    unset: 'the host of `OIDC_ISSUER`',
  }),
  OIDC_DOMAINS: defaulted('', domains, {
    about:
      'Only people whose verified address is in one of these domains may use single sign-on. ' +
      'Subdomains count as other domains.',
    must: 'a list of domains such as example.com, separated by commas',
  }),
  OIDC_SIGNUP: optional(z.enum(['on', 'off']), {
    about:
      '`on`: everybody whom the provider signs in gets an account, whatever `SIGNUP` says. With ' +
      'a provider that is open to everybody, set `OIDC_DOMAINS` too. `off`: `SIGNUP` decides.',
    unset: '`off`',
  }),
  FETCH_ALLOWED_HOSTS: defaulted('', hosts, {
    about:
      'Private addresses that `html_url`, `file_url` and webhooks may reach: `host:port`, ' +
      'separated by commas. For tests and intranets. The server logs the list at every start.',
    must: 'a list of host:port, separated by commas',
  }),
  RATE_LIMITS: defaulted('on', z.enum(['on', 'off']), {
    about: 'Limits on requests and on failed attempts. `off` is for tests.',
  }),
  LOG_LEVEL: defaulted('info', z.enum(LOG_LEVELS), {
    about:
      'The lowest level that is logged. The log goes to stderr. Requests are logged at `info` in ' +
      'the format `json`, and at `debug` in `pretty`.',
  }),
  LOG_FORMAT: optional(z.enum(LOG_FORMATS), {
    about: 'The format of the log.',
    unset: '`pretty` in a terminal, else `json`',
  }),
  REQUEST_LOG: defaulted('without_pages', z.enum(['off', 'without_pages', 'all']), {
    about:
      'Which requests are logged: none, all but those for published pages, what visitors send ' +
      'from them, `/healthz`, `/readyz` and `/metrics`, or all. A line has the method, the ' +
      'route, the status and the time, and never the address itself, nor what was sent or ' +
      'answered. In place of a slug it has the page’s id.',
  }),
  REQUEST_LOG_ADDRESSES: defaulted('off', z.enum(['on', 'off']), {
    about: 'Whether the log of requests has the address of the client; of IPv6, its /64 network.',
  }),
  SLOW_QUERY_MS: defaulted('1000', whole(0, 3_600_000), {
    about:
      'A query of the database that takes so many milliseconds is logged: its text, without the ' +
      'values in it. `0` logs none.',
    must: 'a number of milliseconds, or 0',
  }),
  METRICS_TOKEN: optional(z.string().regex(/^[\w.~+/=-]{16,256}$/), {
    about:
      'Requests with this token as `Authorization: Bearer …` may read `/metrics` from anywhere: ' +
      '`docs/self-hosting.md` says what is there.',
    must: 'at least 16 letters, digits and any of _ . ~ + / = -',
    unset: 'only this machine may read `/metrics`',
    isSecret: true,
  }),
} satisfies Record<string, Variable<unknown>>

/** Settings that mean nothing without others. */
export const GROUPS: readonly {
  /** All of them, or none. */
  needed: readonly (keyof Values)[]
  /** With the others only. */
  options: readonly (keyof Values)[]
  advice: string
}[] = [
  {
    needed: ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    options: [],
    advice: 'set all of S3_*, or none',
  },
  {
    needed: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    options: ['OIDC_NAME', 'OIDC_DOMAINS', 'OIDC_SIGNUP'],
    advice: 'set issuer, client id and client secret, or nothing of OIDC_*',
  },
]

export type Values = {
  [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer T> ? T : never
}
