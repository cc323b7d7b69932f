import { afterAll, expect, test } from 'bun:test'
import { parseMetrics } from '../src/testing/prometheus.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const TOKEN = 'a-token-of-metrics'

test('/metrics is in the text format of Prometheus, with its names and units', async () => {
  const env = freshEnvironment()
  const server = await start({ ...env, METRICS_TOKEN: TOKEN })
  const answer = await fetch(`${env.BASE_URL}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const families = parseMetrics(await answer.text())
  const first = (name: string) => families.get(name)?.samples[0]?.value
  for (const name of ['database_up', 'files_up', 'build_info']) {
    expect(first(`handbill_${name}`)).toBe(1)
  }
  for (const name of ['views_total', 'views_waiting', 'uploads_in_progress']) {
    expect(first(`handbill_${name}`)).toBe(0)
  }
  const sizes = ['disk_free', 'disk_size', 'database_size', 'database_wal', 'heap_used']
  for (const name of [...sizes.map((size) => `handbill_${size}_bytes`), 'process_open_fds']) {
    expect(first(name)).toBeGreaterThan(0)
  }
  expect(first('process_start_time_seconds')).toBeCloseTo(Date.now() / 1000, -3)
  expect(first('handbill_event_loop_stall_max_seconds')).toBeGreaterThanOrEqual(0)
  const mails = families.get('handbill_outbox_mails')!.samples
  expect(mails.map(({ labels, value }) => [labels.state, value])).toEqual([
    ['waiting', 0],
    ['given_up', 0],
  ])
  expect(await server.stop()).toBe(0)
})

test('/metrics is answered to this machine and to the token, and to nobody through a proxy', async () => {
  const env = freshEnvironment()
  const server = await start({ ...env, METRICS_TOKEN: TOKEN, TRUST_PROXY: '1' })
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${env.BASE_URL}/metrics`, { headers })
    return [answer.status, (await answer.text()).includes('handbill_views_total')]
  }
  const authorization = `Bearer ${TOKEN}`
  expect(await ask({})).toEqual([200, true])
  for (const client of ['203.0.113.9', '127.0.0.1', '6.6.6.6, 127.0.0.1', '::1']) {
    expect(await ask({ 'x-forwarded-for': client })).toEqual([401, false])
    expect(await ask({ 'x-forwarded-for': client, authorization })).toEqual([200, true])
  }
  expect(await ask({ host: 'pages.example.com' })).toEqual([401, false])
  expect(await ask({ host: 'pages.example.com', authorization })).toEqual([200, true])
  expect(await ask({ via: '1.1 proxy', authorization: `${authorization}x` })).toEqual([401, false])
  expect(await server.stop()).toBe(0)
  expect(server.output()).not.toContain(TOKEN)
})

test('requests for pages are logged as JSON lines when that is asked for, by their routes', async () => {
  const env = freshEnvironment()
  const logging = { REQUEST_LOG: 'all', REQUEST_LOG_ADDRESSES: 'on', LOG_FORMAT: 'json' }
  const server = await start({ ...env, ...logging })
  await fetch(`${env.BASE_URL}/p/nowhere?secret=1`)
  await fetch(`${env.BASE_URL}/docs?secret=1`)
  expect(await server.stop()).toBe(0)
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg, kind }) => msg === 'request' && kind !== 'probe')
  expect(requests).toMatchObject([
    { kind: 'page', method: 'GET', route: '/p/:slug', status: 404, address: '127.0.0.1' },
    { kind: 'web', method: 'GET', route: '/docs', status: 200, address: '127.0.0.1' },
  ])
  for (const word of ['secret=1', 'nowhere']) expect(server.output()).not.toContain(word)
})
