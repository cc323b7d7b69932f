import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { testApp } from '../testing/app.ts'
import { htmlOf } from '../testing/material.ts'
import { exchange } from '../testing/raw-http.ts'

test('a body over a slow connection has a time limit of its own', async () => {
  await using app = await testApp('sqlite')
  const { key } = await app.owner()
  const slow = app.listen({ idleS: 4, bodyS: 12 })
  const post = (length: number) =>
    [
      ...['POST /api/v1/pages HTTP/1.1', 'Host: handbill.test', `Authorization: Bearer ${key}`],
      ...['Content-Type: application/json', `Content-Length: ${length}`, '', ''],
    ].join('\r\n')
  const json = JSON.stringify({ html: htmlOf(400) })
  const pieces = json.match(/.{1,70}/gs)!.flatMap((text) => [text, () => Bun.sleep(1000)])
  const endless = connect(slow.port, '127.0.0.1')
  endless.write(post(99_999))
  const dripping = setInterval(() => endless.write(' '), 1000)
  const closed = new Promise<void>((resolve) => endless.once('close', () => resolve()))
  const whole = await exchange(slow.port, [post(json.length), ...pieces])
  expect(pieces.length / 2, 'in seconds').toBeGreaterThan(5)
  expect(whole.status).toBe(201)
  await closed
  clearInterval(dripping)
  await slow.stop()
}, 240_000)

test('a connection is open for longer than proxies use it again', async () => {
  await using app = await testApp('sqlite')
  const server = app.listen()
  const ask = 'GET /healthz HTTP/1.1\r\nHost: handbill.test\r\n\r\n'
  const pieces = [ask, () => Bun.sleep(61_000), ask, () => Bun.sleep(500)]
  const answer = await exchange(server.port, pieces, false)
  expect(answer.text.split('HTTP/1.1 200')).toHaveLength(3)
  await server.stop()
}, 240_000)
