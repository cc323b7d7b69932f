/** Personal links: one press instead of a second mail. */
import { expect } from 'bun:test'
import { dataOf } from '../client.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
import {
  expectContent,
  expectLocked,
  newEmail,
  newOwner,
  own,
  pathIn,
  publishGated,
} from './setup.ts'

own(
  'the link of an invitation opens the page by one press, once, and GET and HEAD use nothing up',
  async () => {
    const by = await newOwner()
    const ann = newEmail('ann')
    const gated = await publishGated(by, { access: 'people', allowed_emails: [ann] })
    await by.call('POST', `/pages/${gated.page.id}/invitations`, {})
    const { links } = await sharedOutbox().last(ann)
    const link = pathIn(links[0]!)
    for (let time = 0; time < 3; time++) {
      const scanner = person()
      expect([(await scanner.head(link)).status, (await scanner.open(link)).status]).toEqual([
        200, 200,
      ])
    }
    const [who, other] = [person(), person()]
    const answer = await who.open(link)
    expect(answer.text).toContain(ann)
    expect(answer.text).not.toContain(gated.content)
    const done = await who.submit(answer)
    expect([done.status, done.headers.get('location')]).toEqual([303, gated.path])
    expectContent(await who.read(gated.path), gated)
    const again = await who.open(link)
    expect([again.status, again.headers.get('location')]).toEqual([303, gated.path])
    const used = await other.open(link)
    expect([used.status, used.text]).toEqual([410, expect.stringContaining('Make a new link')])
    expectLocked(await other.read(gated.path), gated)
    const renewed = await other.submit(used)
    expect([renewed.status, renewed.headers.get('location')]).toEqual([303, '/app/link-sent'])
    const newest = (await sharedOutbox().all(ann, 2)).at(-1)!
    expect((await other.submit(await other.open(pathIn(newest.links[0]!)))).status).toBe(303)
    expectContent(await other.read(gated.path), gated)
  },
)

own(
  'a link that the owner hands on opens their page, and no other that invites the address',
  async () => {
    const [by, another] = [await newOwner(), await newOwner()]
    const ann = newEmail('ann')
    const settings = { access: 'people', allowed_emails: [ann] }
    const gated = await publishGated(by, settings)
    const theirs = await publishGated(another, settings)
    const body = { email: ann, purpose: 'view' }
    const made = await by.call('POST', `/pages/${gated.page.id}/personal-links`, body)
    const { url, expires_at: end } = dataOf<{ url: string; expires_at: string }>(made, 201)
    const days = (Date.parse(end) - Date.now()) / (24 * 60 * 60_000)
    expect(Math.round(days)).toBe(14)
    const who = person()
    expect((await who.submit(await who.open(pathIn(url)))).status).toBe(303)
    expectContent(await who.read(gated.path), gated)
    expectLocked(await who.read(theirs.path), theirs)
    await by.update(gated.page.id, { allowed_emails: [] })
    expectLocked(await who.read(gated.path), gated)
    expect(sharedOutbox().sentTo(ann)).toHaveLength(0)
  },
)
