import { expect, test } from 'bun:test'
import { AMPLE, MAX_BYTES, newGuardedFetch } from './testing/create-fetch.ts'
import { scripted } from './testing/scripted.ts'

const server = scripted()

test('what was fetched keeps its place until it is closed: two of an account, 16 of all', async () => {
  const timeouts = { ...AMPLE, totalMs: 4000 }
  const guarded = newGuardedFetch({ allowedHosts: [server.host()], timeouts })
  const get = (accountId: string) => guarded.get(server.url(), { maxBytes: MAX_BYTES, accountId })
  const refused = { code: 'server_busy', details: { retry_after_s: 10 } }
  server.answer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'))
  const open = [await get('a'), await get('a')]
  const third = get('a').catch((err: unknown) => err)
  while (open.length < 16) open.push(await get(`account ${Math.floor(open.length / 2)}`))
  const another = get('b').catch((err: unknown) => err)
  expect(await third).toMatchObject(refused)
  expect(await another).toMatchObject(refused)
  const waiting = get('a')
  await open.shift()!.close()
  open.push(await waiting)
  for (const each of open) await each.close()
}, 240_000)
