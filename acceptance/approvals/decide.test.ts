/** Decisions of approvers over HTTP: what counts, what is refused, and who sees what. */
import { expect } from 'bun:test'
import { dataOf } from '../client.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { person } from '../gates/person.ts'
import { newEmail, own, pathIn } from '../gates/setup.ts'
import { command, ownServer } from '../server.ts'
import { approver, confirmed, credentialsIn, signOff } from './approver.ts'

const SLOW = 240_000
const WAITING = { approved: 0, changes_requested: 0, waiting: 2 }

own(
  'a decision counts only after the POST on our own page, which shows what is decided',
  async () => {
    const { page, title, ann, read } = await signOff()
    const who = approver(await confirmed(ann))
    const note = 'Dates <b>&amp; prices\nline two'
    const input = { decision: 'changes_requested', note }
    const { confirm_path: path } = dataOf<{ confirm_path: string }>(await who.prepare(page, input))
    expect((await read()).counts).toEqual(WAITING)
    const answer = await who.who.open(path)
    expect((await who.who.head(path)).status).toBe(200)
    for (const words of [title, 'version 1', ann, 'Dates &lt;b&gt;&amp;amp; prices', 'line two']) {
      expect(answer.text).toContain(words)
    }
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.text.match(/<script/g)).toHaveLength(1)
    expect((await read()).counts).toEqual(WAITING)
    const done = await who.who.submit(answer)
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Changes requested')])
    expect(done.text).toContain(`/p/${page.slug}`)
    const { counts, approvers, version_no: versionNo, manifest } = await read()
    expect({ counts, versionNo }).toEqual({
      counts: { approved: 0, changes_requested: 1, waiting: 1 },
      versionNo: 1,
    })
    expect(manifest).toMatch(/^[0-9a-f]{64}$/)
    expect(approvers[0]).toMatchObject({ email: ann, note, version_no: 1, is_current: true })
  },
  SLOW,
)

own(
  'an approver decides with one mail: its link confirms the address and opens the approval',
  async () => {
    const { by, page, title, ann, read } = await signOff()
    const outbox = sharedOutbox()
    await by.call('POST', `/pages/${page.id}/approvals/requests`, { emails: [ann] })
    const mail = await outbox.last(ann)
    for (const words of [title, 'version 1', by.email]) expect(mail.text).toContain(words)
    const link = pathIn(mail.links[0]!)
    const phone = approver()
    const done = await phone.press(link)
    expect([done.status, done.headers.get('location')]).toEqual([303, `/p/${page.slug}#~approval`])
    expect((await phone.view(page)).mine).toMatchObject({ email: ann })
    expect((await phone.decide(page, { note: 'Fine' })).status).toBe(200)
    expect((await read()).approvers[0]).toMatchObject({ decision: 'approved', note: 'Fine' })
    expect((await approver().who.open(link)).status, 'a replay').toBe(410)
    expect(outbox.sentTo(ann)).toHaveLength(1)
  },
  SLOW,
)

own(
  'decisions of others, forged versions, foreign origins and stolen links are refused',
  async () => {
    const { page, ann, ben, read, republish } = await signOff()
    const eve = approver(await confirmed(newEmail('eve')))
    expect((await eve.prepare(page)).text).toContain('not_an_approver')
    expect((await approver().prepare(page)).text).toContain('not_an_approver')
    const typed = await approver().prepare(page, { email: ann })
    expect(typed.status, 'no address is typed with a decision').toBe(400)
    const who = approver(await confirmed(ann))
    const credentials = await who.open(page)
    const decide = (more: object, headers = {}) =>
      who.post('/~/decisions', { ...credentials, decision: 'approved', ...more }, headers)
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await decide({}, headers)).status).toBe(403)
    }
    const forged = `${credentials.stamp.slice(0, -3)}AAA`
    expect((await decide({ stamp: forged })).status).toBe(403)
    expect((await decide({ decision: 'rejected' })).status).toBe(400)
    expect((await decide({ note: 'x'.repeat(2001) })).status).toBe(400)
    expect((await decide({ version_no: 9 })).status).toBe(400)
    const elsewhere = await signOff()
    const theirs = await approver().open(elsewhere.page)
    expect((await decide({ stamp: theirs.stamp })).status, 'of another page').toBe(403)
    expect((await decide({ token: theirs.token })).status, 'of another browser').toBe(403)
    const { confirm_path: path } = dataOf<{ confirm_path: string }>(await decide({}))
    for (const thief of [person(), await confirmed(ben), eve.who]) {
      const answer = await thief.submit(await thief.open(path))
      expect(answer.status).toBe(403)
    }
    await republish('two')
    expect((await decide({})).text).toContain('page_changed')
    expect((await read()).counts).toEqual(WAITING)
  },
  SLOW,
)

own(
  'a decision belongs to the version shown: after a republish it counts as waiting, and says what changed',
  async () => {
    const { page, ann, read, republish } = await signOff()
    const who = approver(await confirmed(ann))
    await who.decide(page)
    await republish('two')
    const { version_no: versionNo, counts, approvers } = await read()
    expect({ versionNo, counts }).toEqual({ versionNo: 2, counts: WAITING })
    expect(approvers[0]).toMatchObject({ decision: 'approved', version_no: 1, is_current: false })
    expect(await who.view(page)).toMatchObject({
      version_no: 2,
      mine: { decision: { version_no: 1, is_current: false } },
    })
    const changes = await who.post('/~/approval-changes', await who.open(page))
    expect(dataOf<object>(changes)).toMatchObject({
      from_version_no: 1,
      to_version_no: 2,
      files: [
        {
          lines: [
            { kind: 'removed', text: 'one' },
            { kind: 'added', text: 'two' },
          ],
        },
      ],
    })
    await who.decide(page)
    const again = (await read()).approvers[0]!
    expect(again).toMatchObject({ version_no: 2, is_current: true })
    expect(again.history.map((each) => each.version_no)).toEqual([2, 1])
  },
  SLOW,
)

own(
  'a removed approver cannot decide, also by a link from before, and stays in the record',
  async () => {
    const { by, page, ann, ben, read } = await signOff()
    const who = approver(await confirmed(ann))
    await who.decide(page, { note: 'kept' })
    const prepared = await who.prepare(page, { decision: 'changes_requested' })
    const { confirm_path: path } = dataOf<{ confirm_path: string }>(prepared)
    await by.update(page.id, { approver_emails: [ben] })
    expect((await who.press(path)).status).toBe(403)
    expect((await who.prepare(page)).text).toContain('not_an_approver')
    expect(JSON.stringify(await read())).not.toContain(ann)
    const record = await by.call('GET', `/pages/${page.id}/approvals/record`)
    const payload = Buffer.from(record.text.split('.')[1]!, 'base64url').toString()
    expect(JSON.parse(payload)).toMatchObject({
      approvers: [{ email: ben, state: 'waiting' }],
      decisions: [{ email: ann, decision: 'approved', note: 'kept', version_no: 1 }],
    })
  },
  SLOW,
)

own(
  'the gate is asked again when a decision is confirmed, and switching approvals off hides them',
  async () => {
    const { by, page, ann, read } = await signOff()
    const who = approver(await confirmed(ann))
    const { confirm_path: path } = dataOf<{ confirm_path: string }>(await who.prepare(page))
    await by.update(page.id, { access: 'private' })
    expect((await who.press(path)).status).toBe(403)
    await by.update(page.id, { access: 'link' })
    expect((await who.press(path)).status).toBe(200)
    const credentials = await who.open(page)
    await by.update(page.id, { collect_approvals: false })
    const answer = await who.post('/~/approval', { ...credentials, known: null })
    expect(answer.text).toContain('approvals_off')
    expect((await who.post('/~/decisions', { ...credentials, decision: 'approved' })).status).toBe(
      409,
    )
    expect(() => credentialsIn(answer)).toThrow()
    await by.update(page.id, { collect_approvals: true })
    expect(await read()).toMatchObject({ collecting: true, counts: { approved: 1 } })
  },
  SLOW,
)

own(
  'a plan downgrade keeps approvals in force',
  async () => {
    const { by, page, ann, read } = await signOff()
    const { code } = await command(ownServer().env, 'account', 'plan', by.email, 'free')
    expect(code).toBe(0)
    expect((await approver(await confirmed(ann)).decide(page)).status).toBe(200)
    expect((await by.call('POST', `/pages/${page.id}/approvals/requests`, {})).status).toBe(202)
    expect(await read()).toMatchObject({ collecting: true, counts: { approved: 1, waiting: 1 } })
    const created = await by.create({
      html: '<p>x</p>',
      collect_approvals: true,
      approver_emails: [ann],
    })
    expect(created.status).toBe(402)
  },
  SLOW,
)
