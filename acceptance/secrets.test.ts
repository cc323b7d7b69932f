/** What a server prints: no secret of its settings, and none that a client sends. */
import { afterAll, expect, test } from 'bun:test'
import { NOBODY, S3, SECRET } from './secrets.ts'
import { command } from './server.ts'
import { cleanUp, freshEnvironment } from './start.ts'

afterAll(cleanUp)

const MAIL = ['mail', 'test', 'ann@example.com']
const BUCKET = `s3://KEY:${SECRET}@${NOBODY}/pages`

/** Commands that fail because a setting is wrong, or because nobody answers at its address. */
const FAILING: [settings: Record<string, string>, ...args: string[]][] = [
  [{ DATABASE_URL: `postgres://me:${SECRET}@${NOBODY}/db` }, 'serve'],
  [{ DATABASE_URL: `postgres://me:${SECRET}@${NOBODY}/db` }, 'doctor'],
  [{ DATABASE_URL: `postgres://me:${SECRET}%00@${NOBODY}/db` }, 'serve'],
  [{ DATABASE_URL: `postgres://me:${SECRET}%ZZ@${NOBODY}/db` }, 'serve'],
  [{ DATABASE_URL: `postgres://me@${NOBODY}/db?sslmode=no&password=${SECRET}` }, 'serve'],
  [{ DATABASE_URL: `mysql://me:${SECRET}@${NOBODY}/db` }, 'serve'],
  [{ SMTP_URL: SECRET }, 'serve'],
  [{ SMTP_URL: `smtp://me:${SECRET}@${NOBODY}` }, ...MAIL],
  [{ SMTP_URL: `smtp://me:${SECRET}%ZZ@${NOBODY}?${SECRET}` }, ...MAIL],
  [{ ...S3, S3_SECRET_ACCESS_KEY: `${SECRET} x` }, 'serve'],
  [{ ...S3, S3_ENDPOINT: `http://me:${SECRET}@${NOBODY}` }, 'serve'],
  [S3, 'doctor'],
  [{ SECRET_KEY: SECRET }, 'serve'],
  [{ METRICS_TOKEN: `${SECRET}é` }, 'serve'],
  [
    { OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: `${SECRET}é` },
    'serve',
  ],
  [{ OIDC_ISSUER: `https://me:${SECRET}@a.example`, OIDC_CLIENT_ID: 'a' }, 'serve'],
  [{ BACKUP_URL: `${BUCKET}?region=auto&keep=no` }, 'serve'],
  [{ BACKUP_URL: `${BUCKET}?region=auto` }, 'backup', 'list'],
  [{}, 'backup', 'restore', `${BUCKET}/x.zip?region=auto`],
  [{ BASE_URL: `http://me:${SECRET}@localhost` }, 'serve'],
]
const COMMANDS = FAILING.map(
  (row) => [`${Object.keys(row[0]).join()} ${row.slice(1, 3).join(' ')}`, row] as const,
)
test.each(COMMANDS)('a command that fails prints no secret: %s', async (_name, [more, ...args]) => {
  const env = { ...freshEnvironment(), LOG_LEVEL: 'debug', ...more }
  const { code, stdout, stderr } = await command(env, ...args)
  expect([code, (stdout + stderr).trim() === '']).toEqual([1, false])
  expect(stdout + stderr).not.toContain(SECRET)
})
