import { describe, expect, it } from 'bun:test'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { type ApprovalRecord, approvalRecord } from '../../model/approval-record.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { BASE_URL, ENGINES, testApp } from '../../testing/app.ts'

const ANN = 'ann@example.com'
const SETTINGS = { collect_approvals: true, approver_emails: [ANN] }
const DECK = [
  { path: 'index.html', html: '<title>Deck</title><a href="b.html">b</a>' },
  { path: 'b.html', html: '<p>b' },
]
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

for (const engine of ENGINES) {
  describe(`the record of approvals on ${engine}`, () => {
    it('is a JWS over page, version, files and decisions, which the published key verifies', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish({ files: DECK }, SETTINGS)
      const { body, headers } = await owner.call<string>(
        'GET',
        `/pages/${page.id}/approvals/record`,
      )
      expect(headers.get('content-type')).toBe('application/jose')
      expect(headers.get('content-disposition')).toContain(`approvals-${page.slug}.jws`)
      const answer = await app.fetch(new Request(`${BASE_URL}/.well-known/jwks.json`))
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const jwks = (await answer.json()) as JSONWebKeySet
      expect(jwks.keys).toEqual([
        expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }),
      ])
      expect(jwks.keys[0]).not.toHaveProperty('d')
      const { payload, protectedHeader } = await compactVerify(body, createLocalJWKSet(jwks))
      expect(protectedHeader).toEqual({
        alg: 'EdDSA',
        typ: 'handbill-approvals+jws',
        kid: jwks.keys[0]!.kid!,
      })
      const record = approvalRecord.parse(JSON.parse(new TextDecoder().decode(payload)))
      expect(record).toMatchObject({
        iss: BASE_URL,
        page: { id: page.id, url: page.url, title: 'Deck' },
        content: { version_no: 1, kind: 'bundle', entry: 'index.html', file_name: null },
        approvers: [{ email: ANN, state: 'waiting', decision: null }],
        decisions: [],
      } satisfies Partial<ApprovalRecord> | object)
      const hashes = record.content.files.map(({ path, sha256 }) => [path, sha256])
      expect(hashes.sort()).toEqual(DECK.map(({ path, html }) => [path, sha256(html)]).sort())
    })

    it('is refused for a page that is not published, and for other accounts', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('x', { ...SETTINGS, publish: false })
      const path = `/pages/${page.id}/approvals/record`
      expect((await owner.refused('GET', path)).body.error.code).toBe('nothing_published')
      expect((await (await app.owner()).refused('GET', path)).status).toBe(404)
    })
  })
}

describe('the key of records', () => {
  const publicKey = (seed: number) =>
    createSecrets(new Uint8Array(32).fill(seed))
      .signingKey('approval-record')
      .export({ format: 'jwk' }).x
  it('is the same after a restart, and another for another master key', () => {
    expect(publicKey(7)).toBe(publicKey(7))
    expect(publicKey(8)).not.toBe(publicKey(7))
  })
  it('differs for each purpose', () => {
    const secrets = createSecrets(new Uint8Array(32).fill(7))
    const other = secrets.signingKey('other').export({ format: 'jwk' }).x
    expect(other).not.toBe(publicKey(7))
  })
})
