/** Export of everything, and import of it. */
import { afterAll, expect } from 'bun:test'
import { appOf } from './app-session.ts'
import { approver, confirmed, signOff } from './approvals/approver.ts'
import { type Answer, dataOf, ownerOf, send } from './client.ts'
import { shellOf } from './client-shell.ts'
import { expectRefusal } from './expect.ts'
import { newOwner, own, signedIn } from './gates/setup.ts'
import { html, word } from './material.ts'
import { command, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

interface Imported {
  imported: number
  skipped: number
  failed: number
  pages: { from_slug: string; id: string; slug: string; url: string; status: string }[]
}

async function archiveOf({ key }: { key: string }): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${server.url}/api/v1/account/export`, { headers })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return answer.bytes()
}

function importInto(url: string, key: string, body: BodyInit): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` }
  return fetch(`${url}/api/v1/account/import`, { method: 'POST', headers, body })
}

/** A server with one account, where nothing has been published. */
async function secondServer() {
  const env = freshEnvironment()
  const other = await start(env)
  await command(env, 'account', 'add', 'ada@example.com', '--plan', 'pro')
  const made = await command(env, 'key', 'create', 'ada@example.com', '--json')
  const { key } = JSON.parse(made.stdout) as { key: string }
  return { other, key, url: env.BASE_URL ?? `http://localhost:${env.PORT}` }
}

own(
  'an account is exported, and another server imports its pages at the same slugs',
  async () => {
    const by = await newOwner()
    const [live, draft, secret] = [word('live'), word('draft'), word('secret')]
    const slug = word('moved')
    const page = await by.publish({ html: html(live), slug })
    await by.patch(page.id, { html: html(draft) })
    const gated = await by.publish({ html: html(secret), access: 'password', password: 'sesame' })
    const archive = await archiveOf(by)

    const { other, url, key } = await secondServer()
    const answer = await importInto(url, key, archive)
    const { data } = (await answer.json()) as { data: Imported }
    expect(data).toMatchObject({ imported: 2, skipped: 0, failed: 0 })
    expect(await (await fetch(`${url}/p/${slug}`)).text()).toContain(live)
    const there = await fetch(`${url}/p/${gated.slug}`)
    expect([there.status, (await there.text()).includes(secret)]).toEqual([403, false])
    const again = await importInto(url, key, archive)
    const { data: second } = (await again.json()) as { data: Imported }
    expect(second).toMatchObject({ imported: 0, skipped: 2, failed: 0 })
    expect(await other.stop()).toBe(0)
  },
  240_000,
)

own(
  'approvals are history on another server, and the record verifies with the key of the first',
  async () => {
    const { by, ann, page } = await signOff()
    await approver(await confirmed(ann)).decide(page, { note: 'Fine' })
    const keys = (await send('/.well-known/jwks.json')).text
    const { other, url, key } = await secondServer()
    const answer = await importInto(url, key, await archiveOf(by))
    const { data } = (await answer.json()) as { data: Imported }
    const path = `${url}/api/v1/pages/${data.pages[0]!.id}/approvals`
    const headers = { authorization: `Bearer ${key}` }
    const read = (await (await fetch(path, { headers })).json()) as { data: ApprovalsThere }
    expect(read.data.counts).toEqual({ approved: 0, changes_requested: 0, waiting: 2 })
    expect(read.data.approvers[0]).toMatchObject({ email: ann, decision: null })
    expect(read.data.approvers[0]!.history).toMatchObject([
      { decision: 'approved', note: 'Fine', imported_at: expect.any(String) },
    ])
    const [record] = read.data.imported_records
    expect(record!.issuer).toBe(server.url)
    const file = await fetch(`${path}/imported-records/${record!.id}`, { headers })
    const shell = shellOf(null)
    shell.write('record.jws', await file.text())
    shell.write('jwks.json', keys)
    const offline = { env: { HANDBILL_URL: 'http://127.0.0.1:1' } }
    const verify = (...more: string[]) => shell.runWith(offline, 'verify', 'record.jws', ...more)
    const { code, stdout } = await verify('--jwks', 'jwks.json')
    expect([code, stdout]).toEqual([0, expect.stringContaining(page.url)])
    expect(stdout).toContain(ann)
    shell.write('other.json', await (await fetch(`${url}/.well-known/jwks.json`)).text())
    expect((await verify('--jwks', 'other.json')).code).toBe(1)
    expect(await other.stop()).toBe(0)
  },
  240_000,
)
interface ApprovalsThere {
  counts: object
  approvers: { history: object[] }[]
  imported_records: { id: string; issuer: string }[]
}

own('a session exports and imports too, and a slug that is taken gets another', async () => {
  const [by, into] = [await newOwner(), await newOwner()]
  const page = await by.publish({ html: html('x') })
  const app = appOf(await signedIn(by.email))
  expect((await app('GET', '/account/export')).status).toBe(200)
  const answer = await importInto(server.url, into.key, await archiveOf(by))
  const { data } = (await answer.json()) as { data: Imported }
  expect(data.pages).toMatchObject([{ from_slug: page.slug, status: 'imported' }])
  expect(data.pages[0]!.slug).not.toBe(page.slug)
  expect((await send(new URL(data.pages[0]!.url).pathname)).status).toBe(200)
})

own('what is no export, or was cut off, is refused and imports nothing', async () => {
  const by = await newOwner()
  await by.publish({ html: html('x') })
  const archive = await archiveOf(by)
  const into = ownerOf((await newOwner()).key)
  for (const body of ['x', archive.slice(0, archive.length - 40)]) {
    const answer = await importInto(server.url, into.key, body)
    expect([answer.status, ((await answer.json()) as Refused).error.code]).toEqual([
      400,
      'not_an_archive',
    ])
  }
  expect(dataOf<unknown[]>(await into.call('GET', '/pages'))).toEqual([])
})
interface Refused {
  error: { code: string }
}

own('without a key or a session nothing is exported or imported', async () => {
  const answers: Answer[] = [
    await send('/api/v1/account/export'),
    await send('/api/v1/account/import', { method: 'POST' }),
  ]
  for (const answer of answers) expectRefusal(answer, 401, 'missing_key')
})
