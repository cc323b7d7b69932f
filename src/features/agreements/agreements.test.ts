import { describe, expect, it } from 'bun:test'
import { compactVerify, createLocalJWKSet } from 'jose'
import { type ApprovalRecord, approvalRecord } from '../../model/approval-record.ts'
import { sha256 } from '../../platform/ids.ts'
import { DAY_MS, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported, nameOf } from '../../testing/archives.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { base64 } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { samplePdf } from '../../testing/sample-pdf.ts'
import type { Acceptance } from './contract.ts'

const TEXT = 'Tell nobody.\n\n<script>alert(1)</script> & “all of it”.'
/** Headers of a program, which gets the page's bytes instead of the shell. */
const RAW = { 'sec-fetch-dest': 'empty' }
const HTML = '<!doctype html><title>Own title</title><p>the content'
const ANN = 'ann@example.com'

async function published(app: TestApp, settings: object) {
  const owner = await app.owner()
  const page = await owner.publish(HTML, settings)
  return { owner, page, path: `/p/${page.slug}` }
}

interface Listed {
  versions: { version: number; type: string; require: string; sha256: string }[]
  count: number
  acceptances: Acceptance[]
}
const listed = (owner: Owner, id: string) => owner.ask<Listed>('GET', `/pages/${id}/agreements`)

async function accept(browser: Browser, path: string, name: string): Promise<Response> {
  return browser.send(await browser.get(path, RAW), { name })
}
async function recordOf(app: TestApp, owner: Owner, id: string): Promise<ApprovalRecord> {
  const { body } = await owner.call<string>('GET', `/pages/${id}/approvals/record`)
  const keys = createLocalJWKSet(await app.approvals.publicKeys())
  const { payload } = await compactVerify(body.trim(), keys)
  return approvalRecord.parse(JSON.parse(new TextDecoder().decode(payload)))
}
async function confirmed(app: TestApp, browser: Browser, path: string): Promise<Response> {
  await browser.send(await browser.get(path, RAW), { email: ANN })
  return browser
    .get(new URL(app.mails.at(-1)!.button!.url).pathname)
    .then((page) => browser.send(page))
}

for (const engine of ENGINES) {
  describe(`the agreement of a page on ${engine}`, () => {
    it('is asked for by its text, and opens the page in the browser that accepts it', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { agreement: { text: TEXT } })
      expect(page.agreement).toEqual({
        ...{ version: 1, require: 'name', type: 'text', sha256: sha256(Buffer.from(TEXT)) },
      })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      const words = await gate.clone().text()
      expect([gate.status, gate.headers.get('cache-control')]).toEqual([403, 'no-store'])
      expect(words).toContain(
        'Tell nobody.\n\n&lt;script&gt;alert(1)&lt;/script&gt; &amp; “all of it”.',
      )
      expect(words).not.toMatch(/the content|Own title|<script>alert/)
      const nameless = await browser.send(gate, { name: ' \u200b ' })
      expect([nameless.status, await nameless.clone().text()]).toEqual([
        403,
        expect.stringContaining('Give your name, of at most 100 characters.'),
      ])
      expect((await owner.page(page.id)).views).toBe(0)
      const accepted = await browser.send(nameless, { name: ' Ann\u202e  <b> ' })
      expect([accepted.status, accepted.headers.get('location')]).toEqual([303, path])
      const opened = await browser.get(path, RAW)
      expect([opened.status, await opened.text()]).toEqual([
        200,
        expect.stringContaining('the content'),
      ])
      expect(opened.headers.get('cache-control')).toContain('no-store')
      expect((await owner.page(page.id)).views).toBe(1)
      expect((await createBrowser(app).get(path, RAW)).status).toBe(403)
      const { versions, count, acceptances } = await listed(owner, page.id)
      expect(versions).toEqual([expect.objectContaining(page.agreement!)])
      expect(count).toBe(1)
      expect(acceptances[0]).toEqual({
        id: expect.stringMatching(/^agr_/),
        agreement_version: 1,
        sha256: page.agreement!.sha256,
        name: expect.stringMatching(/^Ann.* <b>$/),
        ...{ email: null, proof: 'mail', link_id: null, page_version: 1, imported_at: null },
        accepted_at: expect.any(String),
      })
    })

    it('asks again after it changed, and shows what was accepted before', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, { agreement: { text: TEXT } })
      const browser = createBrowser(app)
      const gate = await browser.get(path, RAW)
      await browser.send(gate.clone(), { name: 'Ann' })
      await owner.update(page.id, { agreement: { text: TEXT }, allow_comments: true })
      expect((await browser.get(path, RAW)).status).toBe(200)
      const changed = await owner.update(page.id, { agreement: { text: 'Tell Bob.' } })
      expect(changed.agreement!.version).toBe(2)
      expect((await browser.get(path, RAW)).status).toBe(403)
      const stale = await browser.send(gate, { name: 'Ann' })
      expect([stale.status, await stale.text()]).toEqual([
        403,
        expect.stringMatching(/Tell Bob\..*Read it again before you agree/s),
      ])
      await accept(browser, path, 'Ann')
      expect((await browser.get(path, RAW)).status).toBe(200)
      const { acceptances } = await listed(owner, page.id)
      expect(acceptances.map((each) => each.agreement_version)).toEqual([2, 1])
      const first = await owner.call('GET', `/pages/${page.id}/agreements/1`)
      expect(first.body).toBe(TEXT)
      await owner.update(page.id, { agreement: null })
      expect((await createBrowser(app).get(path, RAW)).status).toBe(200)
      expect((await owner.update(page.id, { agreement: { text: 'Tell Bob.' } })).agreement).toEqual(
        changed.agreement,
      )
    })

    it('can be a PDF, which is read before it is accepted', async () => {
      await using app = await testApp(engine)
      const pdf = samplePdf({ pages: 1 })
      const settings = { agreement: { file_base64: base64(pdf) }, access: 'password' }
      const { owner, page, path } = await published(app, { ...settings, password: 'abcd' })
      expect(page.agreement).toMatchObject({ type: 'pdf', sha256: sha256(pdf) })
      const browser = createBrowser(app)
      const file = `${path}/~/agreement.pdf`
      const closed = await browser.get(file, RAW)
      expect([closed.status, closed.headers.get('content-type')]).toEqual([
        404,
        expect.stringContaining('text/html'),
      ])
      await browser.send(await browser.get(path, RAW), { password: 'abcd' })
      const gate = await browser.get(path, RAW)
      expect(await gate.clone().text()).toContain(`href="${file}"`)
      const read = await browser.get(file, RAW)
      expect(sha256(new Uint8Array(await read.arrayBuffer()))).toBe(sha256(pdf))
      expect(read.headers.get('content-security-policy')).toContain("default-src 'none'")
      await browser.send(gate, { name: 'Ann' })
      expect((await browser.get(path, RAW)).status).toBe(200)
      const copy = await owner.ask<typeof page>('POST', `/pages/${page.id}/duplicate`)
      expect(copy.agreement).toEqual(page.agreement)
    })

    it('asks for a confirmed address where it is wanted, and keeps it', async () => {
      await using app = await testApp(engine)
      const settings = { agreement: { text: TEXT, require: 'email' } }
      const { owner, page, path } = await published(app, settings)
      const browser = createBrowser(app)
      const asking = await browser.get(path, RAW)
      const words = await asking.clone().text()
      expect([asking.status, words.includes('This page asks for an email')]).toEqual([403, true])
      const waiting = await browser.send(asking, { email: ANN })
      expect((await browser.get(`${path}/~/status`)).status).toBe(202)
      const code = app.mails.at(-1)!.code!
      await browser.send(waiting, { code })
      expect((await browser.get(`${path}/~/status`)).status).toBe(204)
      const gate = await browser.get(path, RAW)
      expect(await gate.clone().text()).toContain(`your address ${ANN}`)
      await browser.send(gate, { name: 'Ann' })
      expect((await browser.get(path, RAW)).status).toBe(200)
      const { acceptances } = await listed(owner, page.id)
      expect(acceptances).toEqual([expect.objectContaining({ name: 'Ann', email: ANN })])
      const { body } = await owner.call<string>('GET', `/pages/${page.id}/agreements?format=csv`)
      expect(body.trim().split('\r\n')[1]).toContain(`,Ann,${ANN},mail,`)
    })

    it('takes the address of the gate, asks each browser once, and is told as an event', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await published(app, {
        ...{ agreement: { text: TEXT }, access: 'people', allowed_emails: [ANN] },
      })
      const browser = createBrowser(app)
      await confirmed(app, browser, path)
      const gate = await browser.get(path, RAW)
      await Promise.all([0, 1].map(() => browser.send(gate.clone(), { name: '=Ann' })))
      expect((await listed(owner, page.id)).acceptances).toEqual([
        expect.objectContaining({ name: '=Ann', email: ANN }),
      ])
      const { items } = await owner.ask<{ items: object[] }>('GET', '/feedback?cursor=start')
      expect(items).toEqual([
        expect.objectContaining({
          type: 'agreement',
          agreement: expect.objectContaining({ name: '=Ann', email: ANN, agreement_version: 1 }),
        }),
      ])
      app.advance(31 * DAY_MS)
      expect((await browser.get(path, RAW)).status).toBe(403)
      await owner.call('DELETE', `/pages/${page.id}`)
      expect(await app.rows('agreements')).toEqual([])
      expect(await app.rows('agreement_acceptances')).toEqual([])
      const { usage } = await owner.ask<{ usage: { stored_bytes: number } }>('GET', '/account')
      expect(usage.stored_bytes).toBe(0)
    })
  })
}

for (const engine of ENGINES) {
  it(`acceptances are in the signed record, and in exports, on ${engine}`, async () => {
    await using app = await testApp(engine)
    const latePdf = Buffer.concat([Buffer.from('\n'), samplePdf({ pages: 1 })])
    const agreement = { file_base64: base64(latePdf) }
    const { owner, page, path } = await published(app, { agreement: { text: TEXT } })
    await accept(createBrowser(app), path, 'Ann')
    await owner.update(page.id, { agreement })
    await accept(createBrowser(app), path, 'Bob')
    const record = await recordOf(app, owner, page.id)
    expect(record.acceptances).toMatchObject([
      { agreement_version: 1, sha256: sha256(Buffer.from(TEXT)), name: 'Ann', email: null },
      { agreement_version: 2, name: 'Bob', page_version: 1, proof: 'mail' },
    ])
    const archive = await exported(app, owner)
    const other = await app.owner()
    const [moved] = await imported(app, other, archive)
    expect(moved).toMatchObject({ status: 'imported', reason: null })
    const { agreement: there } = await other.page(moved!.id)
    expect(there).toEqual((await owner.page(page.id)).agreement)
    expect((await createBrowser(app).get(`/p/${moved!.slug}`, RAW)).status).toBe(403)
    const { acceptances, versions } = await listed(other, moved!.id)
    expect(acceptances.map(({ name, sha256: hash }) => [name, hash])).toEqual(
      (await listed(owner, page.id)).acceptances.map((each) => [each.name, each.sha256]),
    )
    expect(acceptances[0]!.imported_at).not.toBeNull()
    expect((await recordOf(app, other, moved!.id)).acceptances).toEqual([])
    const first = await other.call('GET', `/pages/${moved!.id}/agreements/1`)
    expect([versions.length, first.body]).toEqual([2, TEXT])
    const { usage } = await other.ask<{ usage: { stored_bytes: number } }>('GET', '/account')
    const sizes = [...(await app.rows('versions')), ...(await app.rows('agreements'))]
    const ofPage = sizes.filter((row) => row.page_id === moved!.id)
    expect(usage.stored_bytes).toBe(ofPage.reduce((sum, row) => sum + Number(row.size_bytes), 0))
  })
}

it('a page is not imported without the agreement that it asks for', async () => {
  await using app = await testApp('sqlite')
  const { owner, page } = await published(app, { agreement: { text: TEXT } })
  const entries = await exported(app, owner)
  const rows = nameOf(entries, 'agreements.ndjson')
  for (const changed of ['', entries.get(rows)!.replace('"name"', '"email"')]) {
    const other = await app.owner()
    const [answer] = await imported(app, other, new Map([...entries, [rows, changed]]))
    expect(answer).toMatchObject({
      status: 'failed',
      reason: 'The agreement that it asks for is missing.',
    })
    expect((await app.rows('pages')).map(({ id }) => id)).toEqual([page.id])
  }
})

describe('what sets an agreement', () => {
  it('is one text or PDF, bounded, of a plan that has it', async () => {
    await using app = await testApp('sqlite')
    const { owner, page } = await published(app, {})
    const large = samplePdf({ pages: 1, bulkBytes: 1024 * 1024 })
    for (const agreement of [
      { text: '' },
      { text: 'x'.repeat(20_001) },
      { text: 'x', file_base64: 'eA==' },
      { require: 'name' },
      { file_base64: base64('no PDF') },
      { file_base64: base64(large) },
      { file_upload: 'up_none' },
      { text: 'x', require: 'phone' },
    ]) {
      const { status } = await owner.refused('PATCH', `/pages/${page.id}`, { agreement })
      expect([agreement, status]).toEqual([agreement, 400])
    }
    const free = await app.owner({ plan: 'free' })
    const refused = await free.refused('POST', '/pages', { html: HTML, agreement: { text: 'x' } })
    expect([refused.status, refused.body.error.param]).toEqual([402, 'agreement'])
  })
})
