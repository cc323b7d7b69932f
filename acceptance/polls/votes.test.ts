import { expect, test } from 'bun:test'
import { dataOf, free, pro } from '../client.ts'
import { expectRefusal, timestamp } from '../expect.ts'
import { person } from '../gates/person.ts'
import { confirmEmail, newEmail, own } from '../gates/setup.ts'
import { isoIn, word } from '../material.ts'
import { agent } from '../mcp-client.ts'
import { FORM, viewer } from '../responses/viewer.ts'
import { countsIn, type Poll, pollOf, publishPoll, type Voter, voter } from './voter.ts'

const BY_EMAIL = { access: 'email_gate', poll_require_email: true }

/** Somebody who has confirmed this address at the page's gate. */
async function confirmed(page: { slug: string }, email: string): Promise<Voter> {
  const who = person()
  await confirmEmail(who, { path: `/p/${page.slug}` } as never, email)
  return voter(who)
}

test('GET /pages/{id}/poll answers the question, votes and shares of each option, and the total', async () => {
  const closesAt = isoIn(60_000)
  const page = await publishPoll({ poll_closes_at: closesAt })
  for (const option of ['A', 'A', 'A', 'C']) {
    expect((await voter().vote(page, option)).status).toBe(200)
  }
  const poll = await pollOf(page)
  expect(poll).toEqual({
    collecting: true,
    question: 'Which one?',
    options: [
      { text: 'A', votes: 3, share: 0.75 },
      { text: 'B', votes: 0, share: 0 },
      { text: 'C', votes: 1, share: 0.25 },
    ],
    total_votes: 4,
    closes_at: expect.stringMatching(timestamp),
    is_closed: false,
    voters: null,
    next_offset: null,
  })
  expect(Date.parse(poll.closes_at!)).toBe(Date.parse(closesAt))
  await using it = await agent('http')
  const { text } = await it.call('get_poll', { page_id: page.slug })
  expect(text).toContain('"total_votes":4')
})

test('poll_require_email false: one vote per device, and a second vote replaces the first', async () => {
  const page = await publishPoll()
  const [ann, bob] = [voter(), voter()]
  for (const [who, option, counts] of [
    [ann, 'A', 'A 1, B 0, C 0'],
    [bob, 'A', 'A 2, B 0, C 0'],
    [ann, 'B', 'A 1, B 1, C 0'],
    [ann, 'B', 'A 1, B 1, C 0'],
  ] as const) {
    await who.vote(page, option)
    expect(countsIn(await pollOf(page))).toBe(counts)
  }
  expect((await ann.view(page)).own_vote).toEqual({ option: 'B', name: null })
  expect((await voter().view(page)).own_vote).toBeNull()
})

test('double clicks and two tabs are one vote', async () => {
  const page = await publishPoll()
  const ann = voter()
  const tabs = [await ann.open(page), await ann.open(page)]
  const clicks = [...tabs, ...tabs, ...tabs].map((tab) =>
    ann.post('/~/votes', { ...tab, option: 'A', is_named: false }),
  )
  for (const { status } of await Promise.all(clicks)) expect(status).toBe(200)
  expect(countsIn(await pollOf(page))).toBe('A 1, B 0, C 0')
})

own('poll_require_email true: one vote per confirmed address, whichever the device', async () => {
  const page = await publishPoll(BY_EMAIL)
  const [ann, bob] = [newEmail('ann'), newEmail('bob')]
  const [phone, laptop, his] = [
    await confirmed(page, ann),
    await confirmed(page, ann),
    await confirmed(page, bob),
  ]
  await phone.vote(page, 'A')
  await his.vote(page, 'A')
  expect((await laptop.view(page)).own_vote?.option).toBe('A')
  await laptop.vote(page, 'B')
  expect(countsIn(await pollOf(page))).toBe('A 1, B 1, C 0')
  await pro.update(page.id, { access: 'link' })
  const anonymous = await voter().vote(page, 'A')
  expectRefusal(anonymous, 403, 'email_not_confirmed')
  expect(countsIn(await pollOf(page))).toBe('A 1, B 1, C 0')
})

test('poll_results public, vote, owner and closed decide who gets any counts', async () => {
  const page = await publishPoll({ poll_closes_at: isoIn(3_600_000) })
  const [ann, viewing] = [voter(), voter()]
  await ann.vote(page, 'A')
  const seen = async (who: Voter) => {
    const text = (await who.read(page)).text
    const {
      shows_results: shows,
      total_votes: total,
      options,
    } = (JSON.parse(text) as { data: { state: Awaited<ReturnType<Voter['view']>> } }).data.state
    const isHidden = options.every(({ votes, share }) => votes === null && share === null)
    // What may not be seen is nowhere in the answer.
    if (!shows) expect(text.match(/"(votes|share)":\d/g)).toBeNull()
    return `${shows ? 'results' : ''}${isHidden ? 'hidden' : ''} ${total}`
  }
  const table: Record<string, string[]> = {}
  for (const results of ['public', 'vote', 'owner', 'closed']) {
    await pro.update(page.id, { poll_results: results })
    table[results] = [await seen(ann), await seen(viewing)]
  }
  expect(table).toEqual({
    public: ['results 1', 'results 1'],
    vote: ['results 1', 'hidden null'],
    owner: ['hidden null', 'hidden null'],
    closed: ['hidden 1', 'hidden 1'],
  })
  await pro.update(page.id, { poll_closes_at: isoIn(-1000) })
  expect(await seen(viewing)).toBe('results 1')
})

own(
  'poll_named shows who voted for what: names to viewers, addresses to the owner alone',
  async () => {
    const page = await publishPoll({ ...BY_EMAIL, poll_named: true })
    const email = newEmail('ann')
    const [ann, bob] = [await confirmed(page, email), await confirmed(page, newEmail('bob'))]
    expect((await ann.view(page)).is_named).toBe(true)
    expectRefusal(await ann.vote(page, 'A'), 409, 'poll_changed')
    const voted = await ann.vote(page, 'A', { is_named: true, name: ' Ann <b>\u202e ' })
    await bob.vote(page, 'A', { is_named: true })
    const { voters, total_votes: total } = await pollOf(page)
    expect(total).toBe(2)
    expect(voters![1]).toEqual({
      ...{ email, name: 'Ann <b>', option: 'A' },
      voted_at: expect.stringMatching(timestamp),
    })
    const [alias, name] = (await bob.view(page)).options[0]!.names!
    expect([alias, name]).toEqual([voters![0]!.name, 'Ann <b>'])
    for (const answer of [voted, await bob.read(page)]) {
      expect(answer.text).not.toMatch(/@|handbill\.example|ann-/)
    }
    expect((await pollOf(page, pro, '?limit=1')).next_offset).toBe(1)
    await pro.update(page.id, { poll_named: false })
    expect((await pollOf(page)).voters).toBeNull()
    expect((await bob.view(page)).options[0]!.names).toBeNull()
  },
)

own('a vote cast while poll_named is off stays secret, from the owner too', async () => {
  const page = await publishPoll(BY_EMAIL)
  const email = newEmail('ann')
  const ann = await confirmed(page, email)
  await ann.vote(page, 'A', { name: 'Ann' })
  await pro.update(page.id, { poll_named: true })
  const answer = await pro.call('GET', `/pages/${page.id}/poll`)
  expect(dataOf<Poll>(answer).voters).toEqual([])
  expect(answer.text).not.toMatch(/ann/i)
  expect((await ann.read(page)).text).not.toContain(email)
  expect(countsIn(dataOf<Poll>(answer))).toBe('A 1, B 0, C 0')
})

test('options are matched by text: moved and reworded ones keep their votes, removed ones get them back', async () => {
  const page = await publishPoll()
  const [ann, bob] = [voter(), voter()]
  await ann.vote(page, 'A')
  await bob.vote(page, 'B')
  for (const [options, counts] of [
    [['C', 'A', 'B'], 'C 0, A 1, B 1'],
    [['C', 'Always', 'B'], 'C 0, Always 1, B 1'],
    [['C', 'B'], 'C 0, B 1'],
    [['C', 'B', 'Always'], 'C 0, B 1, Always 1'],
  ] as const) {
    await pro.update(page.id, { poll_options: options })
    expect(countsIn(await pollOf(page))).toBe(counts)
  }
  expectRefusal(await ann.vote(page, 'A'), 409, 'unknown_option')
  expect((await ann.view(page)).own_vote?.option).toBe('Always')
})

test('switching the poll off hides it and keeps its votes', async () => {
  const page = await publishPoll()
  const ann = voter()
  const tab = await ann.open(page)
  await ann.vote(page, 'A')
  await pro.update(page.id, { collect_votes: false })
  expect((await person().open(`/p/${page.slug}`)).text).not.toContain('data-panel')
  expectRefusal(await ann.post('/~/poll', tab), 404, 'poll_off')
  expectRefusal(
    await ann.post('/~/votes', { ...tab, option: 'B', is_named: false }),
    404,
    'poll_off',
  )
  expect(await pollOf(page)).toMatchObject({ collecting: false, total_votes: 1 })
  await pro.update(page.id, { collect_votes: true })
  expect(countsIn(await pollOf(page))).toBe('A 1, B 0, C 0')
})

test('what a viewer has read is answered shortly while nothing changes that they may see', async () => {
  const page = await publishPoll({ poll_results: 'owner' })
  const [ann, bob] = [voter(), voter()]
  const { version } = dataOf<{ version: string }>(await ann.read(page))
  await bob.vote(page, 'A')
  const again = await ann.read(page, version)
  expect(dataOf<object>(again)).toEqual({ version, state: null })
  expect(again.text.length).toBeLessThan(100)
  await pro.update(page.id, { poll_results: 'public' })
  expect(dataOf<{ state: object }>(await ann.read(page, version)).state).not.toBeNull()
})

test('votes of others, forged votes and votes without the gate are refused, and change nothing', async () => {
  const [page, other] = [await publishPoll(), await publishPoll({ poll_options: ['X', 'Y'] })]
  const form = await pro.publish({ html: FORM })
  const [ann, bob] = [voter(), voter()]
  const [tab, elsewhere, hers] = [await ann.open(page), await ann.open(other), await bob.open(page)]
  const ballot = { option: 'A', is_named: false }
  const raw = await viewer(ann.who).open(form)
  for (const [what, body, headers, status, code] of [
    ['the token of another browser', { ...hers, ...ballot }, {}, 403, 'stale'],
    ['another page’s source', { ...tab, stamp: elsewhere.stamp, ...ballot }, {}, 403, 'stale'],
    ['another page’s poll', { ...elsewhere, ...ballot }, {}, 409, 'unknown_option'],
    ['a page’s own script', { ...raw, ...ballot }, {}, 403, 'stale'],
    ['a sandboxed frame', { ...tab, ...ballot }, { origin: 'null' }, 403, 'foreign_origin'],
    ['another voter', { ...tab, ...ballot, voter: 'bob' }, {}, 400, 'invalid_data'],
    ['no told secrecy', { ...tab, option: 'A' }, {}, 400, 'invalid_data'],
    ['no option', { ...tab, ...ballot, option: 'D' }, {}, 409, 'unknown_option'],
    ['markup', { ...tab, ...ballot, option: '<b>A</b>' }, {}, 409, 'unknown_option'],
    ['a NUL', { ...tab, ...ballot, option: 'A\0' }, {}, 409, 'unknown_option'],
    ['half a character', { ...tab, ...ballot, option: '\ud800' }, {}, 409, 'unknown_option'],
    ['a list', { ...tab, ...ballot, option: ['A', 'B'] }, {}, 400, 'invalid_data'],
    ['1 MB', { ...tab, ...ballot, name: 'x'.repeat(1_000_000) }, {}, 413, 'too_large'],
    ['a trap', { ...tab, ...ballot, trap: 'x' }, {}, 400, 'spam'],
  ] as const) {
    const refused = await ann.post('/~/votes', body, headers)
    expect([what, refused.status]).toEqual([what, status])
    expectRefusal(refused, status, code)
  }
  await pro.update(page.id, { access: 'private' })
  expectRefusal(await ann.post('/~/votes', { ...tab, ...ballot }), 403, 'stale')
  expectRefusal(await ann.post('/~/poll', tab), 403, 'stale')
  await pro.update(page.id, { access: 'link' })
  await pro.unpublish(page.id)
  expectRefusal(await ann.post('/~/votes', { ...tab, ...ballot }), 404, 'not_published')
  expect([countsIn(await pollOf(page)), countsIn(await pollOf(other))]).toEqual([
    'A 0, B 0, C 0',
    'X 0, Y 0',
  ])
})

test('a poll belongs to its page: of another account it is 404, and it is deleted with the page', async () => {
  const page = await publishPoll({ slug: word('poll') })
  const ann = voter()
  const tab = await ann.open(page)
  await ann.vote(page, 'A')
  expectRefusal(await free.call('GET', `/pages/${page.id}/poll`), 404, 'page_not_found')
  await pro.call('DELETE', `/pages/${page.id}`)
  expectRefusal(await ann.post('/~/votes', { ...tab, option: 'A', is_named: false }), 404, 'gone')
  const next = await publishPoll({ slug: page.slug })
  expect((await ann.view(next)).own_vote).toBeNull()
  expect(countsIn(await pollOf(next))).toBe('A 0, B 0, C 0')
})

test('a deck has one poll for all its files', async () => {
  const settings = { collect_votes: true, poll_question: 'Good?', poll_options: ['Yes', 'No'] }
  const files = [
    { path: 'index.html', html: '<p>one' },
    { path: 'two.html', html: '<p>two' },
  ]
  const deck = await pro.publish({ files, ...settings })
  const ann = voter()
  for (const path of ['/index.html', '/two.html']) {
    const tab = await ann.open({ ...deck, slug: `${deck.slug}${path}` })
    const option = path === '/two.html' ? 'No' : 'Yes'
    expect((await ann.post('/~/votes', { ...tab, option, is_named: false })).status).toBe(200)
  }
  expect(countsIn(await pollOf(deck))).toBe('Yes 0, No 1')
})
