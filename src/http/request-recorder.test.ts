import { expect, test } from 'bun:test'
import { createMetrics } from '../platform/metrics.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { parseMetrics } from '../testing/prometheus.ts'
import { createHistogram, kindOf, type RequestKind } from './dispatch.ts'

const KINDS: [string, RequestKind][] = [
  ['/api/v1/pages', 'api'],
  ['/api/v2/pages', 'api'],
  ['/apis', 'web'],
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

/** The routes of the requests that are logged. */
async function logged(config: Parameters<typeof testApp>[1]) {
  await using app = await testApp('sqlite', config)
  const { publish } = await app.owner()
  const page = await publish('<p>secret')
  const { slug, id } = page
  const made = app.log.lines.length
  await app.open(`/p/${slug}?token=secret&q=secret`, SENT)
  await app.open('/docs?secret', SENT)
  for (const probe of ['/healthz', '/readyz', '/metrics']) await app.open(probe)
  await app.respond({ secret: 'secret' }, SENT)
  await app.open('/~/uploads/secret', SENT, 'PUT')
  await app.open('/secret/secret', SENT)
  await app.open(`/api/v1/pages/${id}`, SENT)
  await app.open(`/api/v1/pages/${slug}/secret`, SENT)
  const lines = app.log.lines.slice(made).filter(({ msg }) => msg === 'request')
  const fields = lines.map((line) => line.fields as Record<string, unknown>)
  for (const word of ['secret', slug]) expect(JSON.stringify(lines)).not.toContain(word)
  return { id, fields, routes: fields.map(({ route }) => route) }
}

test('requests are logged as far as it is asked for, by their routes, without what was sent', async () => {
  const api = ['/api/v1/pages/:id', '(unknown)']
  const own = ['/docs', '/~/uploads/:token', '(unknown)', ...api]
  expect((await logged({ requestLog: 'off' })).routes).toEqual([])
  expect((await logged({})).routes).toEqual(own)
  const { id, routes, fields } = await logged({ requestLog: 'all' })
  const [docs, ...others] = own
  const probes = ['/healthz', '/readyz', '/metrics']
  expect(routes).toEqual(['/p/:slug', docs, ...probes, '/~/responses', ...others])
  expect(fields[0]).toMatchObject({ kind: 'page', method: 'GET', status: 200, page_id: id })
  expect(fields[8]).toMatchObject({ kind: 'api', status: 401, page_id: id })
  expect(fields[0]?.ms).toBeNumber()
  expect(fields.some((line) => 'address' in line || 'path' in line)).toBe(false)
})

test('addresses of clients are logged where that is asked for alone', async () => {
  const { fields } = await logged({ requestLog: 'all', logsAddresses: true })
  expect(fields.map(({ address }) => address)).toEqual(Array(10).fill('unknown'))
})

test('a histogram has cumulative buckets: a value on a bound is below it', async () => {
  const histogram = createHistogram([0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value)
  const metrics = createMetrics()
  metrics.add('took_seconds', 'Took.', () => histogram.samples({ kind: 'a' }))
  const { samples } = parseMetrics(await metrics.write()).get('took_seconds')!
  expect(samples.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
    ['took_seconds_bucket', '0.1', 2],
    ['took_seconds_bucket', '1', 3],
    ['took_seconds_bucket', '+Inf', 4],
    ['took_seconds_sum', undefined, 7.65],
    ['took_seconds_count', undefined, 4],
  ])
})
