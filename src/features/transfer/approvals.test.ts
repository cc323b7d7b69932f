import { describe, expect, it } from 'bun:test'
import { compactVerify, createLocalJWKSet } from 'jose'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { exported, imported, nameOf, rowsIn } from '../../testing/archives.ts'
import { rowCounts } from '../../testing/dump.ts'
import type { Owner } from '../../testing/people.ts'
import type { Approvals } from '../approvals/contract.ts'
import type { PreparedDecision } from '../approvals/index.ts'

const ANN = 'ann@example.com'
const BEN = 'ben@example.com'
const RECORD = 'approval-record.jws'

/** Confirms a decision about what is published now. */
async function decide(app: TestApp, pageId: string, options: Partial<PreparedDecision> = {}) {
  const page = (await app.pages.find(pageId))!
  const about = { manifest_id: page.published_id!, version_no: 1, access_epoch: page.access_epoch }
  const details = { decision: 'approved' as const, note: null, ...about, ...options }
  const confirmation = { purpose: 'decide_approval_by_mail', email: ANN, page_id: pageId, details }
  await app.database.write((tx) =>
    app.approvals.record(
      tx,
      page,
      confirmation as unknown as Parameters<typeof app.approvals.record>[2],
    ),
  )
}

/** A page that Ann has approved and Ben was asked about. */
async function signedOff(app: TestApp, owner: Owner, slug = 'signed-off') {
  const settings = { collect_approvals: true, approver_emails: [ANN, BEN], slug }
  const { id } = await owner.publish('<!doctype html><title>Plan</title><p>one', settings)
  await decide(app, id, { decision: 'changes_requested', note: 'Wrong <b>year' })
  await decide(app, id)
  const dueAt = new Date(app.clock.ms() + 10 * DAY_MS).toISOString()
  const request = { emails: [BEN], message: 'By Friday', due_at: dueAt }
  await owner.ask('POST', `/pages/${id}/approvals/requests`, request)
  return id
}

const read = (owner: Owner, id: string) => owner.ask<Approvals>('GET', `/pages/${id}/approvals`)
const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()

for (const [index, engine] of ENGINES.entries()) {
  const other = ENGINES.at(index - 1)!
  describe(`approvals, exported from ${engine} and imported into ${other}`, () => {
    it('are history there: nothing counts as decided, and no new record has them', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      const id = await signedOff(one, owner)
      const archive = await exported(one, owner)
      const [page] = await imported(two, target, archive)
      expect(page).toMatchObject({ status: 'imported', left_out: [] })
      const [before, after] = [await read(owner, id), await read(target, page!.id)]
      expect(before.counts).toEqual({ approved: 1, changes_requested: 0, waiting: 1 })
      expect(after.counts).toEqual({ approved: 0, changes_requested: 0, waiting: 2 })
      const [ann] = after.approvers
      expect(ann).toMatchObject({ decision: null, note: null, is_current: false })
      const past = before.approvers[0]!.history
      expect(past).toMatchObject([{ decision: 'approved' }, { decision: 'changes_requested' }])
      const importedAt = expect.any(String)
      expect(ann!.history).toEqual(past.map((each) => ({ ...each, imported_at: importedAt })))
      const there = (await two.pages.find(page!.id))!
      const record = await two.approvals.recordOf(there)
      expect([record.decisions, record.approvers[0]!.decision]).toEqual([[], null])
      const viewer = { kind: 'confirmed', email: ANN, emails: [ANN], key: 'k', deviceKey: 'd' }
      const source = { pageVersion: there.published_at, manifestId: there.published_id, path: '' }
      const participant = { ...viewer, alias: 'A' } as never
      const { state } = await two.approvals.view({ page: there, participant, source }, null)
      expect(state!.mine).toMatchObject({ email: ANN, decision: null })
      const inbox = await target.ask<{ items: object[] }>('GET', '/inbox')
      expect(JSON.stringify(inbox)).not.toContain(ANN)
    })

    it('leave the approver free to decide here, also the same as before', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      await signedOff(one, owner)
      const [page] = await imported(two, target, await exported(one, owner))
      await decide(two, page!.id)
      const [ann] = (await read(target, page!.id)).approvers
      expect(ann).toMatchObject({ decision: 'approved', is_current: true })
      expect(ann!.history.map(({ imported_at: at }) => at === null)).toEqual([true, false, false])
      const again = await exported(two, target)
      const [mine] = JSON.parse(atob(again.get(nameOf(again, RECORD))!.split('.')[1]!)).decisions
      expect(mine).toMatchObject({ email: ANN, decision: 'approved' })
    })

    it('bring the signed record, which the key of its server verifies, byte for byte', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target, back] = [await one.owner(), await two.owner(), await one.owner()]
      await signedOff(one, owner)
      const archive = await exported(one, owner)
      const [page] = await imported(two, target, archive)
      const { imported_records: records } = await read(target, page!.id)
      expect(records).toMatchObject([{ issuer: expect.any(String), key_id: expect.any(String) }])
      const path = `/pages/${page!.id}/approvals/imported-records`
      const { body, headers } = await target.call<string>('GET', `${path}/${records[0]!.id}`)
      expect(headers.get('content-type')).toBe('application/jose')
      expect(body).toBe(archive.get(nameOf(archive, RECORD))!)
      const keys = createLocalJWKSet(await one.approvals.publicKeys())
      const { payload } = await compactVerify(body.trim(), keys)
      const decided = { email: ANN, decision: 'approved' }
      expect(JSON.parse(new TextDecoder().decode(payload)).approvers[0]).toMatchObject({
        ...{ email: ANN, state: 'approved', decision: { decision: decided.decision } },
      })
      expect((await target.refused('GET', `${path}/rec_x`)).body.error.code).toBe(
        'record_not_found',
      )
      expect((await back.refused('GET', `${path}/${records[0]!.id}`)).status).toBe(404)
      const again = await exported(two, target)
      expect(rowsIn(again, 'approval_records')).toMatchObject([{ record: body.trim() }])
      expect(again.has(nameOf(again, RECORD))).toBe(false)
      const [returned] = await imported(one, back, again)
      const there = await read(back, returned!.id)
      expect(there.imported_records).toHaveLength(1)
      const third = await exported(one, back)
      const without = (rows: object[]) => sorted(rows.map((row) => ({ ...row, imported_at: null })))
      for (const file of ['approval_decisions', 'approval_requests', 'approval_records']) {
        expect([file, without(rowsIn(third, file))]).toEqual([file, without(rowsIn(again, file))])
      }
    })

    it('bring requests with their message, and remind nobody of them', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(other)
      const [owner, target] = [await one.owner(), await two.owner()]
      await signedOff(one, owner)
      const archive = await exported(one, owner)
      const [request] = rowsIn(archive, 'approval_requests')
      expect(request).toMatchObject({ email: BEN, message: 'By Friday' })
      expect(request!.remind_at).toEqual(expect.any(String))
      const [page] = await imported(two, target, archive)
      const ben = (await read(target, page!.id)).approvers[1]!
      expect(ben).toMatchObject({ asked_at: request!.asked_at, due_at: request!.due_at })
      two.advance(9 * DAY_MS)
      expect(await two.approvals.remind()).toBe(0)
      const mails = await two.rows('outbox')
      expect(mails.filter(({ to_address: to }) => to !== target.email)).toEqual([])
    })

    it('fail the page where they cannot be, with nothing left of it', async () => {
      await using app = await testApp(engine)
      const [owner, target] = [await app.owner(), await app.owner()]
      await signedOff(app, owner)
      const archive = await exported(app, owner)
      const [decision] = rowsIn(archive, 'approval_decisions')
      const [request] = rowsIn(archive, 'approval_requests')
      const jws = archive.get(nameOf(archive, RECORD))!.trim()
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const [header, payload, signature] = jws.split('.')
      const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
      const withClaims = (options: object) =>
        `${header}.${part({ ...claims, ...options })}.${signature}`
      const none = `${part({ alg: 'none', typ: 'handbill-approvals+jws', kid: 'x' })}.${payload}.x`
      const wrong: [string, object[] | string, string][] = [
        ['approval_decisions.ndjson', [{ ...decision, decision: 'maybe' }], 'not valid'],
        ['approval_decisions.ndjson', [{ ...decision, email: 'ann' }], 'not valid'],
        ['approval_decisions.ndjson', [{ ...decision, note: 'x'.repeat(2001) }], 'not valid'],
        [
          'approval_decisions.ndjson',
          [{ ...decision, decided_at: '9999-01-01T00:00:00.000000Z' }],
          'future',
        ],
        ['approval_requests.ndjson', [request!, request!], 'one address'],
        ['approval_requests.ndjson', [{ ...request, due_at: 'soon' }], 'not valid'],
        ['approval_records.ndjson', [{ record: '<script>' }], 'no record'],
        ['approval_records.ndjson', [{ record: none }], 'no record'],
        ['approval_records.ndjson', Array(101).fill({ record: jws }), 'more than 100'],
        [RECORD, 'x', 'no record'],
        [RECORD, withClaims({ iat: 1e300 }), 'no record'],
        [RECORD, withClaims({ iat: 1e15 }), 'no time'],
        [RECORD, withClaims({ iss: 'x'.repeat(3000) }), 'no server'],
      ]
      await target.ask('GET', '/pages')
      await app.quiet()
      const before = await rowCounts(app)
      for (const [file, rows, reason] of wrong) {
        const lines =
          typeof rows === 'string' ? rows : rows.map((row) => JSON.stringify(row)).join('\n')
        const input = new Map(archive).set(nameOf(archive, file), lines)
        const [page] = await imported(app, target, input)
        const status = 'failed'
        expect({ file, ...page }).toMatchObject({
          file,
          status,
          reason: expect.stringContaining(reason),
        })
      }
      await app.quiet()
      app.advance(2 * HOUR_MS)
      await app.sweeper.sweep()
      expect(await rowCounts(app)).toEqual(before)
      const large = new Map(archive).set(nameOf(archive, RECORD), 'x'.repeat(3 * 1024 * 1024))
      const [page] = await imported(app, target, large)
      expect(page).toMatchObject({ status: 'imported', left_out: ['signed record of approvals'] })
    })
  })
}
