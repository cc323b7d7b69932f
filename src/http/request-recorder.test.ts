import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { parseMetrics } from '../testing/prometheus.ts'
import { kindOf, type RequestKind } from './request-recorder.ts'

const KINDS: [string, RequestKind][] = [
  ['/api/v1/pages', 'api'],
  ['/api/v10', 'web'],
  ['/app/api/account', 'app'],
  ['/app/pages', 'web'],
  ['/mcp', 'mcp'],
  ['/~/uploads/token', 'upload'],
  ['/~/runtime.js', 'asset'],
  ['/favicon.ico', 'asset'],
  ['/readyz', 'probe'],
  ['/metrics', 'probe'],
  ['/docs/api', 'web'],
]
test.each(KINDS)('a request for %s is of the kind %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind)
})

async function read(app: TestApp) {
  return parseMetrics(await app.platform.metrics.write())
}

/** How many requests were counted, by kind and status. */
async function counted(app: TestApp): Promise<Record<string, number>> {
  const { samples } = (await read(app)).get('handbill_http_requests_total')!
  return Object.fromEntries(
    samples.map(({ labels: { kind, status }, value }) => [`${kind} ${status}`, value]),
  )
}

test('each request is counted once, by kind and status, over a socket and without', async () => {
  await using app = await testApp('sqlite')
  const { publish } = await app.owner()
  const { slug } = await publish('<p>words')
  const before = await counted(app)
  const server = app.listen()
  for (const path of [`/p/${slug}`, `/p/${slug}`, '/p/nowhere', '/healthz', '/api/v1/pages']) {
    await (await fetch(`http://127.0.0.1:${server.port}${path}`)).bytes()
  }
  await server.stop()
  await app.open(`/p/${slug}`)
  await app.respond({})
  await app.open('/nowhere')
  const after = await counted(app)
  const added = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)])
  expect(Object.fromEntries(added.filter(([, value]) => value !== 0))).toEqual({
    'page 200': 3,
    'page 404': 1,
    'probe 200': 1,
    'api 401': 1,
    'visitor 400': 1,
    'web 404': 1,
  })
  const { samples } = (await read(app)).get('handbill_http_request_duration_seconds')!
  const durations = samples.find(
    ({ name, labels }) => name.endsWith('_count') && labels.kind === 'page',
  )
  expect(durations?.value).toBe(4)
  expect((await read(app)).get('handbill_views_total')?.samples).toMatchObject([{ value: 3 }])
})

test('no label has anything that a client chooses', async () => {
  await using app = await testApp('sqlite')
  const { publish, email } = await app.owner()
  const { slug } = await publish('<p>words')
  await app.open(`/p/${slug}?secret-word`, { 'user-agent': 'secret-agent' })
  await app.open('/secret-path', { host: 'secret-host.example' }, 'BREW')
  const text = await app.platform.metrics.write()
  for (const word of [slug, email, 'secret', 'BREW']) expect(text).not.toContain(word)
})

const SENT = { authorization: 'Bearer sm_secret', cookie: 'secret=1', 'user-agent': 'secret' }

/** The paths of the requests that are logged, and all that is logged. */
async function logged(config: Parameters<typeof testApp>[1]) {
  await using app = await testApp('sqlite', config)
  const { publish } = await app.owner()
  const { slug } = await publish('<p>secret')
  const made = app.log.lines.length
  await app.open(`/p/${slug}?token=secret&q=secret`, SENT)
  await app.open('/docs?secret', SENT)
  await app.respond({ secret: 'secret' }, SENT)
  await app.open('/~/uploads/secret', SENT, 'PUT')
  const lines = app.log.lines.slice(made).filter(({ msg }) => msg === 'request')
  const fields = lines.map((line) => line.fields as Record<string, unknown>)
  expect(JSON.stringify(lines)).not.toContain('secret')
  return { fields, paths: fields.map(({ path }) => String(path).replace(slug, 'SLUG')) }
}

test('requests are logged as far as it is asked for, without what was sent', async () => {
  const own = ['/docs', '/~/uploads/…']
  expect((await logged({ requestLog: 'off' })).paths).toEqual([])
  expect((await logged({})).paths).toEqual(own)
  const { paths, fields } = await logged({ requestLog: 'all' })
  expect(paths).toEqual(['/p/SLUG', '/docs', '/~/responses', '/~/uploads/…'])
  expect(fields[0]).toMatchObject({ kind: 'page', method: 'GET', status: 200 })
  expect(fields[0]?.ms).toBeNumber()
  expect(fields.some((line) => 'address' in line)).toBe(false)
})

test('addresses of clients are logged where that is asked for alone', async () => {
  const { fields } = await logged({ requestLog: 'all', logsAddresses: true })
  expect(fields.map(({ address }) => address)).toEqual(Array(4).fill('unknown'))
})
