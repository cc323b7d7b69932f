import { expect, test } from 'bun:test'
import { pro } from '../client.ts'
import { expectRefusal } from '../expect.ts'
import { isoIn } from '../material.ts'
import { countsIn, pollOf, publishPoll, voter } from './voter.ts'

test('the poll stops accepting votes after poll_closes_at, and takes them again when it is null', async () => {
  const page = await publishPoll({ poll_closes_at: isoIn(1500) })
  const [ann, bob] = [voter(), voter()]
  const tab = await bob.open(page)
  expect((await ann.vote(page, 'A')).status).toBe(200)
  await Bun.sleep(1600)
  const late = await bob.post('/~/votes', { ...tab, option: 'A', is_named: false })
  expectRefusal(late, 409, 'poll_closed')
  expectRefusal(await ann.vote(page, 'B'), 409, 'poll_closed')
  // The vote that was taken in time may be sent again.
  expect((await ann.vote(page, 'A')).status).toBe(200)
  expect((await ann.view(page)).is_closed).toBe(true)
  expect(await pollOf(page)).toMatchObject({ is_closed: true, total_votes: 1 })
  await pro.update(page.id, { poll_closes_at: null })
  expect((await bob.vote(page, 'A')).status).toBe(200)
  expect(countsIn(await pollOf(page))).toBe('A 2, B 0, C 0')
})
