import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { formatNumber } from '../model/numbers.ts'
import {
  DEFAULT_PLANS,
  inMegabytes,
  MAX_DECK_BYTES,
  MAX_DECK_FILES,
  MAX_FILE_BYTES,
  MAX_RESPONSE_BYTES,
  MAX_RESPONSES,
} from '../model/plan.ts'
import { ConfigError, readConfig } from './config.ts'
import { CONFIGURATION_MD, configurationDocs } from './config-docs.ts'

const MAIN = join(import.meta.dir, '../main.ts')

function wrongIn(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (err) {
    if (err instanceof ConfigError) return err.lines
    throw err
  }
  return []
}

test('with nothing set, the server listens on the loopback address and uses ./data', () => {
  expect(readConfig({})).toEqual({
    listen: { port: 8787, host: '127.0.0.1' },
    baseUrl: 'http://localhost:8787',
    dataDir: resolve('data'),
    databaseUrl: null,
    s3: null,
    backup: null,
    smtpUrl: null,
    mailFrom: null,
    serverName: null,
    serverAccent: null,
    peopleRetentionMonths: null,
    secretKey: null,
    defaultPlan: 'free',
    plans: DEFAULT_PLANS,
    signup: null,
    setupEmail: null,
    trustProxy: 0,
    fetchAllowedHosts: [],
    contentUrl: null,
    localContentUrl: 'http://{page}.localhost:8787',
    singleSignOn: null,
    rateLimits: true,
    log: { level: 'info', format: null },
    requestLog: 'without_pages',
    logsAddresses: false,
    slowQueryMs: 1000,
    metricsToken: null,
  })
})

test('every variable is read', () => {
  const key = 'k'.repeat(32)
  const config = readConfig({
    PORT: '80',
    HOST: '::',
    BASE_URL: 'https://Pages.Example.com/',
    CONTENT_URL: 'https://{page}.example-content.net/',
    TRUST_PROXY: '1',
    DATA_DIR: '/srv/handbill',
    DATABASE_URL: 'postgres://me:pass@db/handbill?sslmode=require',
    S3_BUCKET: 'pages',
    S3_ENDPOINT: 'https://S3.Example.com/',
    S3_REGION: 'auto',
    S3_ACCESS_KEY_ID: 'AKIA',
    S3_SECRET_ACCESS_KEY: 'a/b+c',
    BACKUP_URL: '/var/backups',
    SMTP_URL: 'smtps://me:pass@mail.example.com:465',
    MAIL_FROM: 'pages@example.com',
    SERVER_NAME: 'Example Pages',
    SERVER_ACCENT: 'teal',
    PEOPLE_RETENTION_MONTHS: '6',
    SECRET_KEY: key,
    DEFAULT_PLAN: 'team',
    SIGNUP: 'invite',
    SETUP_EMAIL: 'ada@example.com',
    OIDC_ISSUER: 'https://login.example.com/realms/staff',
    OIDC_CLIENT_ID: 'handbill',
    OIDC_CLIENT_SECRET: 'a~b c',
    OIDC_NAME: 'Example GmbH & Söhne',
    OIDC_DOMAINS: 'Example.com, example.co.uk,',
    OIDC_SIGNUP: 'on',
    FETCH_ALLOWED_HOSTS: '127.0.0.1:8443, wiki.intranet:443,',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    REQUEST_LOG: 'all',
    REQUEST_LOG_ADDRESSES: 'on',
    SLOW_QUERY_MS: '0',
    METRICS_TOKEN: 'abcdefghijklmnop',
  })
  expect(config).toEqual({
    listen: { port: 80, host: '::' },
    baseUrl: 'https://pages.example.com',
    contentUrl: 'https://{page}.example-content.net',
    localContentUrl: null,
    trustProxy: 1,
    dataDir: '/srv/handbill',
    databaseUrl: 'postgres://me:pass@db/handbill?sslmode=require',
    s3: {
      bucket: 'pages',
      endpoint: 'https://s3.example.com',
      region: 'auto',
      accessKeyId: 'AKIA',
      secretAccessKey: 'a/b+c',
    },
    backup: { target: { folder: '/var/backups' }, keep: 14 },
    smtpUrl: 'smtps://me:pass@mail.example.com:465',
    mailFrom: 'pages@example.com',
    serverName: 'Example Pages',
    serverAccent: 'teal',
    peopleRetentionMonths: 6,
    secretKey: key,
    defaultPlan: 'team',
    plans: DEFAULT_PLANS,
    signup: 'invite',
    setupEmail: 'ada@example.com',
    fetchAllowedHosts: ['127.0.0.1:8443', 'wiki.intranet:443'],
    singleSignOn: {
      issuer: 'https://login.example.com/realms/staff',
      clientId: 'handbill',
      clientSecret: 'a~b c',
      name: 'Example GmbH & Söhne',
      domains: ['example.com', 'example.co.uk'],
      isOpen: true,
    },
    rateLimits: false,
    log: { level: 'debug', format: 'json' },
    requestLog: 'all',
    logsAddresses: true,
    slowQueryMs: 0,
    metricsToken: 'abcdefghijklmnop',
  })
})

test('an empty variable counts as unset, and spaces around a value are removed', () => {
  const empty = { PORT: '', BASE_URL: ' ', S3_BUCKET: ' ', DATABASE_URL: '', SIGNUP: '' }
  expect(readConfig(empty)).toEqual(readConfig({}))
  expect(readConfig({ PORT: ' 9000 ' }).baseUrl).toBe('http://localhost:9000')
  // Browsers leave the port out of the origin that they send.
  expect(readConfig({ PORT: '80' }).baseUrl).toBe('http://localhost')
})

const WRONG: [string, string[]][] = [
  ['PORT', ['0', '65536', '80a', '-1', '8.5', '1e3']],
  ['HOST', ['a b', 'http://x', '[::1]']],
  ['BASE_URL', ['example.com', 'ftp://x', 'https://x/pages', 'https://x?a', 'x:1']],
  [
    'CONTENT_URL',
    [
      'https://x.net',
      'https://a.{page}.net',
      'https://{page}.x/y',
      '{page}.x.net',
      'https://{page}.{x}',
    ],
  ],
  ['S3_BUCKET', ['a', 'Pages', 'pages/x', 'a'.repeat(64)]],
  ['S3_ENDPOINT', ['s3.example.com', 's3://x', 'https://x/pages', 'https://x?a', 'ftp://x']],
  ['S3_REGION', ['eu central', 'eu/1']],
  ['TRUST_PROXY', ['yes', '-1', '11']],
  ['MAIL_FROM', ['Handbill', 'a@b\nBcc: c@d', 'Handbill <x>']],
  ['DEFAULT_PLAN', ['gold', 'Free']],
  ['SIGNUP', ['yes']],
  ['SETUP_EMAIL', ['ada']],
  ['FETCH_ALLOWED_HOSTS', ['localhost', 'http://x:1', 'a:1,b', 'a:65536']],
  ['OIDC_ISSUER', ['login.example.com', 'http://login.example.com', 'https://x/?a', 'https://x/#']],
  [
    'OIDC_ISSUER',
    ['https://login.microsoftonline.com/common/v2.0', 'http://localhost.example.com', 'ftp://x'],
  ],
  ['OIDC_CLIENT_ID', ['a\nb', 'ä']],
  ['OIDC_NAME', ['a\u0000b', 'a'.repeat(41)]],
  ['OIDC_DOMAINS', ['@example.com', '*.example.com', 'localhost', 'example.com,a@b.c']],
  ['OIDC_SIGNUP', ['yes', 'open']],
  ['RATE_LIMITS', ['true']],
  ['LOG_LEVEL', ['loud']],
  ['LOG_FORMAT', ['xml']],
  ['REQUEST_LOG', ['on', 'pages']],
  ['REQUEST_LOG_ADDRESSES', ['yes']],
  ['SLOW_QUERY_MS', ['-1', '1s', '3600001']],
]
test.each(WRONG)('a bad %s is refused in one line that shows the value', (name, texts) => {
  for (const text of texts) {
    const lines = wrongIn({ [name]: text })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toStartWith(`${name} must be `)
    expect(lines[0]).toContain(JSON.stringify(text.trim()))
    expect(lines[0]).not.toContain('\n')
  }
})

test('a setting that is gone is refused, unless its value is how the server works without it', () => {
  expect(() => readConfig({ WORKERS: '2' })).toThrow(/^WORKERS is gone: one process serves/m)
  expect(readConfig({ WORKERS: '1' })).toEqual(readConfig({}))
})

test('a bad secret is refused in a line that does not show it', () => {
  const env = {
    SECRET_KEY: 'hunter2',
    DATABASE_URL: 'mysql://me:hunter2@db/x',
    SMTP_URL: 'mail.example.com:hunter2',
    S3_ENDPOINT: 'https://me:hunter2@s3.example.com',
    S3_ACCESS_KEY_ID: 'hunter2 hunter2',
    METRICS_TOKEN: 'hunter2',
    S3_SECRET_ACCESS_KEY: 'hunter2\nhunter2',
    OIDC_CLIENT_SECRET: 'hunter2\nhunter2',
    OIDC_ISSUER: 'https://me:hunter2@login.example.com',
    BASE_URL: 'https://me:hunter2@pages.example.com',
  }
  const lines = wrongIn(env)
  const names = lines.map((line) => line.split(' ')[0]!)
  expect(names.toSorted()).toEqual(Object.keys(env).toSorted())
  expect(lines.join()).not.toContain('hunter2')
})

test('a password with a bare % is refused by the name of its setting', () => {
  for (const password of ['100%', '%zz', '5%ff']) {
    for (const [name, start] of [
      ['DATABASE_URL', 'postgres'],
      ['SMTP_URL', 'smtp'],
    ] as const) {
      const lines = wrongIn({ [name]: `${start}://me:${password}@db.example.com/x` })
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} must be .*%25`))])
    }
  }
  expect(wrongIn({ DATABASE_URL: 'postgres://me:100%25%C3%A4@db/x' })).toEqual([])
})

test.each([
  [{}, 'http://{page}.localhost:8787'],
  [{ BASE_URL: 'http://localhost' }, 'http://{page}.localhost'],
  [{ BASE_URL: 'http://LocalHost:3000/' }, 'http://{page}.localhost:3000'],
  [{ CONTENT_URL: 'off' }, null],
  [{ CONTENT_URL: 'http://{page}.localhost:8787' }, null],
  [{ BASE_URL: 'https://localhost' }, null],
  [{ BASE_URL: 'http://127.0.0.1:8787' }, null],
  [{ BASE_URL: 'http://[::1]:8787' }, null],
  [{ BASE_URL: 'http://app.localhost:8787' }, null],
  [{ BASE_URL: 'http://localhost.example.com' }, null],
  [{ BASE_URL: 'https://pages.example.com' }, null],
])('with %j, pages that need an origin have it at %s', (env, localContentUrl) => {
  expect(readConfig(env).localContentUrl).toBe(localContentUrl)
  expect(readConfig({ ...env, CONTENT_URL: 'off' })).toMatchObject({
    contentUrl: null,
    localContentUrl: null,
  })
})

test('a CONTENT_URL that covers the host of BASE_URL is refused', () => {
  const base = { BASE_URL: 'https://pages.example.com' }
  expect(wrongIn({ ...base, CONTENT_URL: 'https://{page}.example.com' })).toHaveLength(1)
  expect(wrongIn({ ...base, CONTENT_URL: 'https://{page}.example.net' })).toEqual([])
  expect(wrongIn({ CONTENT_URL: 'http://{page}.localhost:8787' })).toEqual([])
})

test('a CONTENT_URL of http is refused where BASE_URL is https: browsers block such frames', () => {
  expect(
    wrongIn({ BASE_URL: 'https://pages.example.com', CONTENT_URL: 'http://{page}.example.net' }),
  ).toEqual(['CONTENT_URL must be https where BASE_URL is: browsers load no http in its pages.'])
})

test('some settings of the object store without the others are refused, by their names alone', () => {
  expect(wrongIn({ S3_REGION: 'auto', S3_SECRET_ACCESS_KEY: 'hunter2' })).toEqual([
    'S3_REGION, S3_SECRET_ACCESS_KEY without S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID: set all of S3_*, or none.',
  ])
})

const BUCKET = 's3://AK:a%2Fb+c@s3.example.com/backups'
const s3 = {
  bucket: 'backups',
  endpoint: 'https://s3.example.com',
  region: 'auto',
  accessKeyId: 'AK',
  secretAccessKey: 'a/b+c',
}
test.each([
  ['/srv/backups', { target: { folder: '/srv/backups' }, keep: 14 }],
  ['file:///srv/b%20c?keep=3', { target: { folder: '/srv/b c' }, keep: 3 }],
  [`${BUCKET}?region=auto`, { target: { s3, prefix: '' }, keep: 14 }],
  [`${BUCKET}/a/b/?region=auto&keep=7`, { target: { s3, prefix: 'a/b/' }, keep: 7 }],
  [
    's3+http://AK:s@127.0.0.1:9000/backups?region=r',
    {
      target: {
        s3: { ...s3, endpoint: 'http://127.0.0.1:9000', region: 'r', secretAccessKey: 's' },
        prefix: '',
      },
      keep: 14,
    },
  ],
] as const)('BACKUP_URL may be %s', (url, expected) => {
  expect(readConfig({ BACKUP_URL: url }).backup).toEqual(expected)
})

test.each([
  ...[
    'backups',
    './backups',
    'file://host/srv',
    'file:///srv?keep=x',
    'ftp://a:b@h/bucket',
    's3://',
  ],
  ...[BUCKET, 's3://s3.example.com/backups?region=r', 's3://AK@s3.example.com/backups?region=r'],
  ...[`${BUCKET}?region=r&keep=0`, `${BUCKET}?region=r&days=7`, `${BUCKET}/a b?region=r`],
  ...[`${BUCKET}/%2e%2e/x?region=r%20`, 's3://AK:%zz@h/backups?region=r', `${BUCKET}?region=r#x`],
])('BACKUP_URL may not be %s, and the line shows nothing of it', (url) => {
  const [line = '', ...more] = wrongIn({ BACKUP_URL: url })
  expect(more).toEqual([])
  expect(line).toStartWith('BACKUP_URL must be an absolute folder')
  expect(line).not.toContain('AK')
})

test('BACKUP_URL may not be in the data folder', () => {
  const line = 'BACKUP_URL must not name a place in DATA_DIR, or blobs/ of S3_BUCKET.'
  for (const folder of ['/srv/data', '/srv/data/backups', '/srv/x/../data/y']) {
    expect(wrongIn({ BACKUP_URL: folder, DATA_DIR: '/srv/data' })).toEqual([line])
  }
  expect(wrongIn({ BACKUP_URL: '/srv/data-backups', DATA_DIR: '/srv/data' })).toEqual([])
})

const OIDC = { OIDC_ISSUER: 'https://x', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'hunter2' }
test('some settings of single sign-on without the others are refused, by their names alone', () => {
  const advice = 'set issuer, client id and client secret, or nothing of OIDC_*.'
  expect(wrongIn({ ...OIDC, OIDC_ISSUER: '' })).toEqual([
    `OIDC_CLIENT_ID, OIDC_CLIENT_SECRET without OIDC_ISSUER: ${advice}`,
  ])
  expect(wrongIn({ OIDC_DOMAINS: 'example.com', OIDC_SIGNUP: 'on' })).toEqual([
    `OIDC_DOMAINS, OIDC_SIGNUP without OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: ${advice}`,
  ])
  expect(wrongIn(OIDC)).toEqual([])
})

test.each(['http://localhost:9000', 'http://127.0.0.1:9000/a', 'http://[::1]:9000'])(
  'a provider on this machine may speak http: %s',
  (issuer) => {
    expect(readConfig({ ...OIDC, OIDC_ISSUER: issuer }).singleSignOn).toEqual({
      issuer,
      clientId: 'a',
      clientSecret: 'hunter2',
      name: new URL(issuer).host,
      domains: [],
      isOpen: false,
    })
  },
)

test('the server does not start with a setting that is wrong', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'account', 'list'], {
    cwd: tmpdir(),
    env: { BACKUP_URL: 'x', DATA_DIR: '/nowhere' },
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^handbill: BACKUP_URL must be an absolute folder, [^\n]*\.\n$/)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
})

test('a .env file in the working folder is read, and the environment wins over it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-env-'))
  writeFileSync(join(folder, '.env'), 'PORT=9001\nHOST=0.0.0.0\nDATA_DIR=pages\n')
  const script = join(folder, 'print.ts')
  writeFileSync(
    script,
    `import { readConfig } from '${import.meta.dir}/config.ts'
    const { listen, dataDir } = readConfig(process.env)
    console.log(JSON.stringify({ listen, dataDir }))`,
  )
  const { stdout } = spawnSync(process.execPath, [script], {
    cwd: folder,
    env: { HOST: '127.0.0.2' },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(JSON.parse(stdout)).toEqual({
    listen: { port: 9001, host: '127.0.0.2' },
    dataDir: join(folder, 'pages'),
  })
})

test('names in the .env file that are no settings are told at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-env-'))
  writeFileSync(join(folder, '.env'), 'BASEURL=https://x.example\nPORT=none\nS3_BUKET=secret\n')
  const { stderr } = spawnSync(process.execPath, [MAIN, 'serve'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const [first, second] = stderr.split('\n')
  expect(first).toBe('handbill: .env has names that are no settings: BASEURL, S3_BUKET')
  expect(second).toStartWith('handbill: PORT must be')
})

test('docs/configuration.md is what the declarations say', () => {
  const guide = readFileSync(CONFIGURATION_MD, 'utf8')
  expect(guide).toBe(configurationDocs())
  const deck = `${inMegabytes(MAX_DECK_BYTES)}, ${formatNumber(MAX_DECK_FILES)} HTML files`
  expect(guide).toContain(`${inMegabytes(MAX_FILE_BYTES)} for a file, ${deck}`)
  const most = `${formatNumber(MAX_RESPONSES)}\n  responses of ${inMegabytes(MAX_RESPONSE_BYTES)}`
  expect(guide).toContain(`for a deck, and ${most}`)
})
