import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { NOBODY, S3, SECRET } from './secrets.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

/** Sends a request that `fetch` cannot send. @returns once the server has answered or closed */
function sendRaw(url: string, head: string): Promise<void> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    for (const event of ['data', 'close', 'error'])
      socket.once(event, () => resolve(socket.destroy() && undefined))
    socket.write(`${head}\r\n\r\n`)
  })
}

const LOGGINGS = [
  { LOG_FORMAT: 'json' },
  { LOG_FORMAT: 'pretty', ...S3, SMTP_URL: `smtp://me:${SECRET}@${NOBODY}` },
]
test.each(LOGGINGS)(
  'a server logs nothing that a client sends as a secret: %o',
  async (settings) => {
    const log = {
      LOG_LEVEL: 'debug',
      REQUEST_LOG: 'all',
      METRICS_TOKEN: SECRET,
      SLOW_QUERY_MS: '1',
    }
    const env: Record<string, string> = { ...freshEnvironment(), ...log, ...settings }
    const server = await start(env)
    const key = await newKey(env, 'pro')
    const url = env.BASE_URL!
    const headers = {
      authorization: `Bearer ${key}`,
      cookie: `handbill_session=${SECRET}; handbill_pass=${SECRET}`,
      referer: `${url}/app/confirm/${SECRET}`,
      'user-agent': SECRET,
    }
    const send = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } })
    const made = await send('/api/v1/pages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ html: '<p>words', access: 'password', password: SECRET }),
    })
    const { slug, id } = ((await made.json()) as { data: { slug: string; id: string } }).data
    const paths = [`/p/${slug}`, `/p/${slug}/${SECRET}`, `/p/${slug}/~${SECRET}/a`, `/p/${SECRET}`]
    const links = [
      'app/confirm',
      'app/requests',
      'setup',
      '~/uploads',
      `unsubscribe/${id}`,
      'no/such',
    ]
    for (const path of [
      ...paths,
      ...links.map((link) => `/${link}/${SECRET}`),
      '/mcp',
      '/~/votes',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const body = method === 'GET' ? null : JSON.stringify({ password: SECRET, token: SECRET })
        await (await send(`${path}?token=${SECRET}`, { method, body })).arrayBuffer()
      }
    }
    const { host } = new URL(url)
    for (const line of [
      `GET /p/${SECRET}%zz HTTP/1.1\r\nHost: ${host}`,
      `GET /${SECRET} HTTP/1.1\r\nHost: ${SECRET} ${SECRET}`,
      `GET http://${SECRET}.example/${SECRET} HTTP/1.1\r\nHost: ${host}`,
      `${SECRET} / HTTP/1.1\r\nHost: ${host}`,
      `GET /${SECRET} HTTP/1.1\r\nHost: ${host}\r\n${SECRET}`,
    ]) {
      await sendRaw(url, line)
    }
    const metrics = await send('/metrics', { headers: { authorization: `Bearer ${SECRET}` } })
    expect([metrics.status, (await metrics.text()).includes(SECRET)]).toEqual([200, false])
    const doctor = await command(env, 'doctor')
    expect(doctor.stdout + doctor.stderr).not.toContain(SECRET)
    expect(await server.stop()).toBe(0)
    const output = server.output()
    expect(output.match(/\/p\/:slug/g)?.length).toBeGreaterThan(10)
    for (const secret of [SECRET, slug, key]) expect(output).not.toContain(secret)
  },
  60_000,
)

test('without a mail server, the link of a mail is logged, and nothing else of it opens anything', async () => {
  const env: Record<string, string> = { ...freshEnvironment(), LOG_FORMAT: 'json' }
  const server = await start(env)
  await command(env, 'account', 'add', 'ann@example.com')
  const form = await fetch(`${env.BASE_URL}/app/sign-in`)
  const [, token = ''] = /name="token" value="([^"]*)"/.exec(await form.text()) ?? []
  const sent = await fetch(`${env.BASE_URL}/app/sign-in`, {
    method: 'POST',
    headers: {
      origin: env.BASE_URL!,
      cookie: form.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    },
    body: new URLSearchParams({ token, email: 'ann@example.com' }),
  })
  expect(sent.status).toBe(200)
  expect(await server.stop()).toBe(0)
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const [mail, ...more] = lines.filter(({ msg }) => msg.startsWith('mail'))
  expect(more).toEqual([])
  const { time: _, level: __, ...fields } = mail
  expect(fields).toEqual({
    msg: 'mail written to a file',
    to: 'ann@example.com',
    subject: expect.stringContaining('Sign in'),
    link: expect.stringMatching(/\/app\/confirm\/[\w-]{43}$/),
    file: expect.stringMatching(/\.eml$/),
  })
  const [code = ''] = /\b\d{6}\b/.exec(await Bun.file(mail.file).text()) ?? []
  expect([code.length, JSON.stringify(fields).includes(code)]).toEqual([6, false])
})
