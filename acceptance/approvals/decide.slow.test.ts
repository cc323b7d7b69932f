import { expect } from 'bun:test'
import { dataOf } from '../client.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { person } from '../gates/person.ts'
import { newEmail, own, pathIn, waitForMails } from '../gates/setup.ts'
import { isoIn } from '../material.ts'
import { approver, confirmed, signOff } from './approver.ts'

const SLOW = 240_000
const DAY_MS = 24 * 60 * 60 * 1000

own(
  'approvals_visibility: others’ decisions and addresses reach approvers only where they are shared',
  async () => {
    const { by, page, ann, ben } = await signOff()
    const [first, second] = [approver(await confirmed(ann)), approver(await confirmed(ben))]
    await first.decide(page, { note: 'a private word' })
    const eve = approver(await confirmed(newEmail('eve')))
    const viewers = [approver(), eve]
    for (const visibility of ['owner', 'shared']) {
      await by.update(page.id, { approvals_visibility: visibility })
      for (const viewer of viewers) {
        const { text } = await viewer.read(page)
        for (const secret of [ann, ben, 'private word', 'approved'])
          expect(text).not.toContain(secret)
        expect((await viewer.post('/~/approval-changes', await viewer.open(page))).status).toBe(403)
        const { text: shell } = await viewer.who.open(`/p/${page.slug}`)
        for (const secret of [ann, ben, 'private word']) expect(shell).not.toContain(secret)
      }
      const { text } = await second.read(page)
      if (visibility === 'owner') {
        for (const secret of [ann, 'private word']) expect(text).not.toContain(secret)
      } else expect((await second.view(page)).others).toMatchObject([{ email: ann }])
      expect(text).not.toContain('"waiting":[')
    }
    const owner = approver(await confirmed(by.email))
    expect(await owner.view(page)).toMatchObject({ waiting: [ben], others: [{ email: ann }] })
  },
  SLOW,
)

own(
  'the owner is mailed of each decision, refusals too, until the one-click link of a mail',
  async () => {
    const { by, page, title, ann, ben } = await signOff()
    const outbox = sharedOutbox()
    const before = outbox.sentTo(by.email).length
    await approver(await confirmed(ann)).decide(page)
    await outbox.last(by.email, before + 1)
    const second = approver(await confirmed(ben))
    await second.decide(page, { decision: 'changes_requested', note: 'Wrong year' })
    const mail = await outbox.last(by.email, before + 2)
    expect(mail.subject).toContain(ben)
    for (const words of [title, 'requested changes', 'Wrong year']) {
      expect(mail.text).toContain(words)
    }
    expect(mail.headers.get('list-unsubscribe-post')).toContain('One-Click')
    const link = /Stop these mails: (\S+)/.exec(mail.text)![1]!
    expect((await person().post(pathIn(link), {})).status).toBe(200)
    await second.decide(page)
    await waitForMails()
    expect(outbox.sentTo(by.email)).toHaveLength(before + 2)
  },
  SLOW,
)

own(
  'a request mails those who are awaited or named, as text, with the link to the page',
  async () => {
    const { by, page, title, ann, ben, read } = await signOff()
    await approver(await confirmed(ann)).decide(page)
    const outbox = sharedOutbox()
    const before = outbox.sentTo(ann).length
    const path = `/pages/${page.id}/approvals/requests`
    const message = 'Look at page 2 <b>first'
    const dueAt = isoIn(10 * DAY_MS)
    const answer = await by.call('POST', path, { message, due_at: dueAt })
    expect(answer.status).toBe(202)
    expect(dataOf<object>(answer, 202)).toMatchObject({ asked: [{ email: ben }], not_admitted: [] })
    const mail = await outbox.last(ben)
    expect(mail.subject).toContain(title)
    for (const words of [by.email, message, page.url, 'due by']) expect(mail.text).toContain(words)
    expect((await read()).approvers[1]!.asked_at).toMatch(/^\d{4}-/)
    expect((await approver(await confirmed(ben)).view(page)).mine!.due_at).toContain(
      dueAt.slice(0, 10),
    )
    expect(outbox.sentTo(ann)).toHaveLength(before)
    await by.call('POST', path, { emails: [ann] })
    await outbox.last(ann, before + 1)
    await by.update(page.id, { access: 'people', allowed_emails: [ben] })
    expect(dataOf<object>(await by.call('POST', path, { emails: [ann] }), 202)).toMatchObject({
      asked: [],
      not_admitted: [ann],
    })
  },
  SLOW,
)

own(
  'the owner reads and prints the record when signed in, and nobody else does',
  async () => {
    const { by, page, title, ann } = await signOff()
    await approver(await confirmed(ann)).decide(page, { note: 'Fine <i>by me' })
    const path = `/app/pages/${page.id}/approvals/record`
    const owner = await confirmed(by.email)
    const response = await owner.open(path)
    expect(response.status).toBe(200)
    for (const words of [title, ann, 'Fine &lt;i&gt;by me', 'SHA-256', '@media print']) {
      expect(response.text).toContain(words)
    }
    const file = await owner.open(`${path}.jws`)
    expect(file.headers.get('content-type')).toBe('application/jose')
    expect((await person().open(path)).headers.get('location')).toContain('/app/sign-in?next=')
    for (const ending of ['', '.jws']) {
      const answer = await (await confirmed(ann)).open(path + ending)
      expect(answer.status).toBe(404)
      expect(answer.text).not.toContain(title)
    }
  },
  SLOW,
)
