import { z } from 'zod'
import { PLANS } from '../model/plan.ts'
import { LOG_FORMATS, LOG_LEVELS } from './log.ts'

interface Told {
  about: string
  /** Completes "NAME must be …" where the value is not; left out where any value will do. */
  must?: string
  /** What an unset variable means, where no `fallback` says it. */
  unset?: string
  isSecret?: boolean
}

export interface Variable<T> extends Told {
  /** Spelled as in the environment. */
  fallback: string | null
  read: z.ZodType<T, string>
}

function optional<T>(read: z.ZodType<T, string>, told: Told): Variable<T | null> {
  return { ...told, fallback: null, read }
}
function defaulted<T>(fallback: string, read: z.ZodType<T, string>, told: Told): Variable<T> {
  return { ...told, fallback, read }
}

function whole(min: number, max: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max))
}
const origin = z
  .string()
  .refine(isOrigin)
  .transform((text) => new URL(text).origin)
const text = z.string()
const host = z.string().regex(/^[^\s/]+$/)
const hosts = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
  .pipe(z.array(z.string().regex(/^[^\s/?#@]+:\d{1,5}$/)))

/** Every setting of the server: checked at the start, and the source of docs/configuration.md. */
export const VARIABLES = {
  PORT: defaulted('8787', whole(1, 65535), {
    about: 'Port it listens on.',
    must: 'a port from 1 to 65535',
  }),
  HOST: defaulted('127.0.0.1', host, {
    about: 'Address it listens on. `0.0.0.0` is every network of the machine.',
    must: 'an address or a host name',
  }),
  BASE_URL: optional(origin, {
    about: 'How people and programs reach it: every link that it hands out begins so.',
    must: 'where it is reached, such as https://pages.example.com, without a path',
    unset: '`http://localhost:PORT`',
  }),
  CONTENT_URL: optional(z.string().refine(isContentUrl).transform(withoutSlash), {
    about:
      'Gives published pages an origin each, such as `https://{page}.example-content.net`. ' +
      'Needs a wildcard DNS name and certificate, best of a domain that serves nothing else. ' +
      'All pages then come in the shell, and none can put another address into the bar.',
    must: 'an address whose first part is {page}, such as https://{page}.example-content.net',
    unset: 'pages that need one get a sandbox instead of an origin',
  }),
  TRUST_PROXY: defaulted('0', whole(0, 10), {
    about: 'How many proxies of yours stand in front, whose `X-Forwarded-For` is believed.',
    must: 'a number from 0 to 10',
  }),
  DATA_DIR: defaulted('./data', text, {
    about: 'Folder of everything that it keeps. Relative to where the command is called.',
  }),
  DATABASE_URL: optional(z.string().refine(isUrl('postgres:', 'postgresql:')), {
    about: 'Database in PostgreSQL.',
    must: 'postgres://user:password@host:5432/database',
    unset: 'SQLite, in `DATA_DIR`',
    isSecret: true,
  }),
  S3_BUCKET: optional(z.string().regex(/^[\w.-]+$/), {
    about: 'Bucket for the files of pages, on anything that speaks S3.',
    must: 'the name of a bucket',
    unset: 'files, in `DATA_DIR`',
  }),
  S3_ENDPOINT: optional(origin, {
    about: 'Where the bucket is, if not at AWS.',
    must: 'an address such as https://s3.example.com, without a path',
    unset: 'AWS',
  }),
  S3_REGION: defaulted('us-east-1', z.string().regex(/^[\w-]+$/), {
    about: 'Region of the bucket.',
    must: 'the name of a region',
  }),
  S3_ACCESS_KEY_ID: optional(text, {
    about: 'Name of the key to the bucket.',
    unset: 'needed with `S3_BUCKET`',
    isSecret: true,
  }),
  S3_SECRET_ACCESS_KEY: optional(text, {
    about: 'The key to the bucket.',
    unset: 'needed with `S3_BUCKET`',
    isSecret: true,
  }),
  SMTP_URL: optional(z.string().refine(isUrl('smtp:', 'smtps:')), {
    about: 'Server that sends its mails.',
    must: 'smtp://user:password@host:587 or smtps://user:password@host:465',
    unset: 'each mail is a file in `DATA_DIR/outbox`, its subject and link go to the log',
    isSecret: true,
  }),
  MAIL_FROM: optional(z.string().regex(/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/), {
    about: 'Sender of its mails.',
    must: 'an address such as Handbill <pages@example.com>',
    unset: '`Handbill <handbill@HOST>`, the host of `BASE_URL`',
  }),
  SECRET_KEY: optional(
    z.string().refine((key) => Buffer.byteLength(key) >= 32),
    {
      about:
        'What links, cookies and stored page passwords are protected with. ' +
        'Several servers of one database need the same. Whoever loses it loses those.',
      must: 'at least 32 characters that nobody can guess',
      unset: 'made once, in `DATA_DIR/secret.key`',
      isSecret: true,
    },
  ),
  DEFAULT_PLAN: defaulted('free', z.enum(PLANS), {
    about: 'Plan of a new account.',
    must: oneOf(PLANS),
  }),
  SIGNUP: optional(z.enum(['open', 'invite', 'closed']), {
    about: 'Who may make an account.',
    must: oneOf(['open', 'invite', 'closed']),
    unset: 'whoever has the set-up link makes the first one; then `closed`',
  }),
  SETUP_EMAIL: optional(z.email(), {
    about: 'Makes the first account on a first start, and prints its key instead of a link.',
    must: 'an email address',
    unset: 'a set-up link is printed',
  }),
  FETCH_ALLOWED_HOSTS: defaulted('', hosts, {
    about:
      '`host:port`, separated by commas: private addresses that `html_url` and `file_url` may ' +
      'reach all the same. For tests and intranets; told in the log at every start.',
    must: 'a list of host:port, separated by commas',
  }),
  RATE_LIMITS: defaulted('on', z.enum(['on', 'off']), {
    about: 'Limits on tries and requests. `off` is for tests.',
    must: oneOf(['on', 'off']),
  }),
  LOG_LEVEL: defaulted('info', z.enum(LOG_LEVELS), {
    about: 'The least that is logged, on stderr.',
    must: oneOf(LOG_LEVELS),
  }),
  LOG_FORMAT: optional(z.enum(LOG_FORMATS), {
    about: 'How it is logged.',
    must: oneOf(LOG_FORMATS),
    unset: '`pretty` at a terminal, else `json`',
  }),
} satisfies Record<string, Variable<unknown>>

export type Values = {
  [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer T> ? T : never
}

function oneOf(words: readonly string[]): string {
  return words
    .slice(0, -1)
    .join(', ')
    .concat(` or ${words.at(-1)}`)
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

function isContentUrl(text: string): boolean {
  return /^https?:\/\/\{page\}\./.test(text) && isOrigin(text.replace('{page}', 'page'))
}

function isUrl(...protocols: string[]): (text: string) => boolean {
  return (text) => {
    const url = URL.parse(text)
    return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '')
}
