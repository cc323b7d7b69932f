/** The signed record of approvals, and its verification on the command line. */
import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { dataOf, type Page, pro, send } from '../client.ts'
import { shellOf } from '../client-shell.ts'
import { own } from '../gates/setup.ts'
import { html } from '../material.ts'
import { server } from '../server.ts'

const SLOW = 240_000
const ANN = 'ann@example.com'
const SETTINGS = { collect_approvals: true, approver_emails: [ANN] }

/** A page with its record in the folder of a user without a key. */
async function recorded(content: object = { html: html('signed off') }) {
  const page = await pro.publish({ ...content, ...SETTINGS })
  const shell = shellOf(null)
  const answer = await pro.call('GET', `/pages/${page.id}/approvals/record`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jose'])
  shell.write('record.jws', answer.text)
  return { page, shell, jws: answer.text.trim() }
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

own(
  'handbill verify checks a record and files against it, and names what it found',
  async () => {
    const { page, shell } = await recorded()
    shell.write('renamed.html', html('signed off'))
    const { code, stdout } = await shell.run('verify', 'record.jws', 'renamed.html')
    expect(code).toBe(0)
    for (const words of ['genuine', server.url, page.url, 'version   1', '1 of 1 checked', ANN]) {
      expect(stdout).toContain(words)
    }
    const result = await shell.json<{
      valid: boolean
      files: { file: string; path: string }[]
      record: { page: { id: string } }
    }>('verify', 'record.jws', 'renamed.html')
    expect(result).toMatchObject({ valid: true, record: { page: { id: page.id } } })
    expect(result.files).toHaveLength(1)
  },
  SLOW,
)

own(
  'handbill verify works offline with a copy of the key set, or with a key that it stored',
  async () => {
    const { shell } = await recorded()
    const closed = { HANDBILL_URL: await addressWithoutServer() }
    const offline = (...more: string[]) =>
      shell.runWith({ env: closed }, 'verify', 'record.jws', ...more)
    const unknown = await offline()
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain(`--issuer ${server.url}`)
    shell.write('jwks.json', (await send('/.well-known/jwks.json')).text)
    expect((await offline('--jwks', 'jwks.json')).code).toBe(0)
    const none = await offline('--jwks', 'none.json')
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('it does not exist')])
    expect((await offline()).code, 'a key set of the command line is not stored').toBe(1)
    const fetched = await offline('--issuer', server.url)
    expect(fetched.code).toBe(0)
    expect(fetched.stderr).toContain('Stored the public key')
    expect((await offline()).code).toBe(0)
    const other = await offline('--issuer', 'https://pages.example.com')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('not of https://pages.example.com')
  },
  SLOW,
)

own(
  'handbill verify refuses tampered records, other keys and files that differ',
  async () => {
    const { shell, jws } = await recorded()
    const [header = '', payload = '', signature = ''] = jws.split('.')
    const record = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = { ...record, page: { ...record.page, title: 'Another' } }
    const flipped = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', true, [
      'sign',
      'verify',
    ])
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    const ownHeader = base64url({ alg: 'EdDSA', typ: 'handbill-approvals+jws', jwk })
    const signed = await crypto.subtle.sign(
      'Ed25519',
      privateKey,
      Buffer.from(`${ownHeader}.${payload}`),
    )
    const cases: Record<string, string> = {
      'another payload': `${header}.${base64url(forged)}.${signature}`,
      'another signature': `${header}.${payload}.${flipped}`,
      'no signature': `${header}.${payload}.`,
      'the algorithm none': `${base64url({ alg: 'none' })}.${payload}.`,
      'a key of the forger': `${ownHeader}.${payload}.${Buffer.from(signed).toString('base64url')}`,
      'other text': 'not a record',
      nothing: '',
      'a page': html('x'),
    }
    for (const [name, text] of Object.entries(cases)) {
      shell.write('tampered.jws', text)
      const { code, stdout, stderr } = await shell.run('verify', 'tampered.jws')
      expect({ code, stdout }, name).toEqual({ code: 1, stdout: '' })
      expect(stderr, name).toMatch(/^handbill: (The record|This is no record)/m)
    }
    shell.write('changed.html', html('signed off!'))
    const changed = await shell.run('verify', 'record.jws', 'changed.html')
    expect(changed.code).toBe(1)
    expect(changed.stderr).toContain('no file with the bytes of changed.html')
    for (const args of [['verify'], ['verify', 'record.jws', '--key', 'x']]) {
      expect((await shell.run(...args)).code, args.join(' ')).toBe(2)
    }
    for (const [code, ...args] of [
      [4, 'nothing.jws'],
      [4, 'record.jws', 'nothing.html'],
      [1, '.'],
    ] as const) {
      expect((await shell.run('verify', ...args)).code, args.join(' ')).toBe(code)
    }
  },
  SLOW,
)

test('the record names every file of a deck with its SHA-256', async () => {
  const files = [
    { path: 'index.html', html: html('one') },
    { path: 'sub/two.html', html: html('two') },
  ]
  const { jws, page } = await recorded({ files })
  const payload = jws.split('.')[1]!
  const { content } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    content: { manifest: string; files: { path: string; sha256: string }[] }
  }
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  expect(Object.fromEntries(content.files.map(({ path, sha256 }) => [path, sha256]))).toEqual(
    Object.fromEntries(files.map(({ path, html }) => [path, hash(html)])),
  )
  const approvals = await pro.call('GET', `/pages/${page.id}/approvals`)
  expect(dataOf<{ manifest: string }>(approvals).manifest).toBe(content.manifest)
})

test('the key set is public, for any origin, and has no private part', async () => {
  const answer = await send('/.well-known/jwks.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const { keys } = answer.json as { keys: object[] }
  expect(keys).toHaveLength(1)
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
})

test('a record of a page without a published version is refused', async () => {
  const page: Page = await pro.publish({ html: html('x'), publish: false, ...SETTINGS })
  const answer = await pro.call('GET', `/pages/${page.id}/approvals/record`)
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('nothing_published')
})

/** The address of a port on which nothing listens. */
async function addressWithoutServer(): Promise<string> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
