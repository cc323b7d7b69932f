import { describe, expect, it } from 'bun:test'
import { MAX_VOTES } from '../../model/page/facts.ts'
import { ENGINES, MINUTE_MS, testApp } from '../../testing/app.ts'
import { createForm, outcomeOf, times } from '../../testing/test-form.ts'
import { createPoll } from '../../testing/test-poll.ts'
import type { RecordEvent } from '../events/index.ts'
import { createPolls } from './index.ts'

const BY_EMAIL = { poll_require_email: true }
const ann = (device: string) => ({ device, email: 'ann@example.com' })
const bob = (device: string) => ({ device, email: 'bob@example.com' })

for (const engine of ENGINES) {
  describe(`votes on ${engine}`, () => {
    it('are one for each browser, and a second one replaces the first', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      expect(await poll.counts()).toBe('A 0, B 0, C 0')
      await poll.vote('one', 'A')
      await poll.vote('two', 'A')
      await poll.vote('three', 'C')
      expect(await poll.counts()).toBe('A 2, B 0, C 1')
      expect((await poll.vote('one', 'B')).own_vote).toEqual({ option: 'B', name: null })
      expect(await poll.counts()).toBe('A 1, B 1, C 1')
      // The address does not count here: two browsers are two votes.
      await poll.vote(ann('four'), 'A')
      await poll.vote(bob('four'), 'A')
      expect(await poll.counts()).toBe('A 2, B 1, C 1')
    })

    it('that are repeated change nothing, also after the end of voting', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      const first = await poll.vote('one', 'A')
      const rows = { votes: await app.rows('votes'), options: await app.rows('poll_options') }
      expect(await poll.vote('one', 'A')).toEqual(first)
      await Promise.all(times(5, () => poll.vote('one', 'A')))
      await poll.update({ poll_closes_at: '2020-01-01T00:00:00Z' })
      expect((await poll.vote('one', 'A')).is_closed).toBe(true)
      expect(rows).toEqual({
        votes: await app.rows('votes'),
        options: await app.rows('poll_options'),
      })
      expect(await outcomeOf(poll.vote('one', 'B'))).toBe('poll_closed')
      expect(await poll.counts()).toBe('A 1, B 0, C 0')
    })

    it('are one for each confirmed address where that is required', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), BY_EMAIL)
      expect(await outcomeOf(poll.vote('one', 'A'))).toBe('email_not_confirmed')
      expect(await app.rows('votes')).toEqual([])
      await poll.vote(ann('one'), 'A')
      await poll.vote(bob('one'), 'A')
      expect((await poll.view(ann('another'))).own_vote?.option).toBe('A')
      await poll.vote(ann('another'), 'B')
      expect(await poll.counts()).toBe('A 1, B 1, C 0')
    })

    it('of one address with several tags are one, and so is one from before tags were folded', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), { ...BY_EMAIL, poll_named: true })
      const tagged = (tag: string) => ({ device: tag, email: `ann${tag}@example.com` })
      await poll.vote(tagged('+1'), 'A', { name: 'Ann' })
      expect((await poll.view(tagged('+2'))).own_vote).toEqual({ option: 'A', name: 'Ann' })
      await poll.vote(tagged('+2'), 'B', { name: 'Ann' })
      expect(await poll.counts()).toBe('A 0, B 1, C 0')
      // Who is shown is who voted.
      expect((await poll.results()).voters).toMatchObject([{ email: 'ann+2@example.com' }])
      await poll.vote(tagged(''), 'C')
      await poll.vote({ device: 'x', email: '+ann@example.com' }, 'A')
      await poll.vote({ device: 'y', email: 'ann+1@other.example' }, 'A')
      expect(await poll.counts()).toBe('A 2, B 0, C 1')
      // A vote that an earlier version stored by the address with its tag.
      const { viewerOf } = app.viewers
      const viewer = viewerOf(await poll.page(), { email: 'eve+old@example.com' })
      const former = app.secrets.sign('voter', poll.id, viewer.key)
      await poll.vote({ device: 'z', email: 'eve@example.com' }, 'B')
      await app.database.write(async (tx) => {
        const isEves = tx.updateTable('votes').set({ voter: former })
        await isEves.where('email', '=', 'eve@example.com').execute()
      })
      expect(await poll.counts()).toBe('A 2, B 1, C 1')
      const eve = { device: 'z', email: 'eve+old@example.com' }
      expect((await poll.view(eve)).own_vote?.option).toBe('B')
      await poll.vote(eve, 'C')
      expect(await poll.counts()).toBe('A 2, B 0, C 2')
    })

    it('of a browser and of its person count once, whichever way the setting changes', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      await poll.vote('one', 'A')
      await poll.vote('two', 'A')
      await poll.update(BY_EMAIL)
      expect(await poll.counts()).toBe('A 2, B 0, C 0')
      expect((await poll.view(ann('one'))).own_vote?.option).toBe('A')
      await poll.vote(ann('one'), 'B')
      expect(await poll.counts()).toBe('A 1, B 1, C 0')
      await poll.update({ poll_require_email: false })
      expect(await poll.counts()).toBe('A 1, B 1, C 0')
      await poll.vote(ann('one'), 'C')
      await poll.vote(ann('one'), 'C')
      expect(await poll.counts()).toBe('A 1, B 0, C 1')
    })

    it('are exact under concurrency, with changed votes and double clicks', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      const options = ['A', 'B', 'C'] as const
      const casts = times(40, (at) =>
        times(4, (nth) => poll.vote(`d${at}`, options[(at + Math.floor(nth / 2)) % 3]!)),
      )
      await Promise.all(casts.flat())
      expect(await app.rows('votes')).toHaveLength(40)
      const last = times(40, (at) => poll.vote(`d${at}`, options[at % 2]!))
      await Promise.all(last)
      expect(await poll.counts()).toBe('A 20, B 20, C 0')
    })

    it('are refused in words: no poll, unknown option, ended, another page’s option', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const poll = await createPoll(app, owner)
      const other = await createPoll(app, owner, { poll_options: ['X', 'Y'] })
      expect(await outcomeOf(poll.vote('one', 'X'))).toBe('unknown_option')
      expect(await outcomeOf(poll.vote('one', 'a'))).toBe('unknown_option')
      expect(await outcomeOf(poll.vote('one', ''))).toBe('unknown_option')
      expect(await outcomeOf(poll.vote('one', '\0'))).toBe('unknown_option')
      expect(await outcomeOf(poll.vote('one', 'A', { is_named: true }))).toBe('poll_changed')
      const before = await poll.page()
      await poll.update({ collect_votes: false })
      expect(await outcomeOf(poll.vote('one', 'A'))).toBe('poll_off')
      expect(await outcomeOf(poll.state('one'))).toBe('poll_off')
      const participant = app.viewers.participantOf(before, {
        ...{ isOwner: false, emails: [], device: 'one' },
      })
      const ballot = { option: 'A', is_named: false }
      expect(await outcomeOf(app.polls.vote(before, participant, ballot))).toBe('poll_off')
      await owner.call('DELETE', `/pages/${poll.id}`)
      expect(await outcomeOf(app.polls.vote(before, participant, ballot))).toBe('gone')
      expect(await app.rows('votes')).toEqual([])
      expect(await app.rows('polls')).toEqual([])
      expect(await other.counts()).toBe('X 0, Y 0')
    })

    it('end at the closing time, and go on when the poll is reopened', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), {
        poll_closes_at: app.clock.after(MINUTE_MS),
      })
      await poll.vote('one', 'A')
      expect((await poll.view('one')).is_closed).toBe(false)
      app.advance(MINUTE_MS)
      expect(await outcomeOf(poll.vote('two', 'A'))).toBe('poll_closed')
      expect((await poll.view('one')).is_closed).toBe(true)
      expect((await poll.results()).is_closed).toBe(true)
      await poll.update({ poll_closes_at: null })
      await poll.vote('two', 'A')
      expect(await poll.counts()).toBe('A 2, B 0, C 0')
    })

    it('beyond the most that a page holds are refused, except changes', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      await poll.vote('one', 'A')
      await app.database.write((tx) =>
        tx.updateTable('polls').set({ vote_count: MAX_VOTES }).execute().then(),
      )
      expect(await outcomeOf(poll.vote('two', 'A'))).toBe('poll_full')
      expect((await poll.vote('one', 'B')).own_vote?.option).toBe('B')
      await app.database.write((tx) =>
        tx.updateTable('polls').set({ vote_count: 1 }).execute().then(),
      )
      expect(await poll.counts()).toBe('A 0, B 1, C 0')
    })

    it('are deleted with their page, also where they are too many for one transaction', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [poll, other] = [await createPoll(app, owner), await createPoll(app, owner)]
      await poll.vote('one', 'A')
      await other.vote('one', 'A')
      const [row] = (await app.rows('votes')).filter((vote) => vote.page_id === poll.id)
      await app.database.write(async (tx) => {
        const copies = times(600, (at) => ({ ...row!, voter: `voter ${at}` }))
        await tx.insertInto('votes').values(copies).execute()
      })
      expect((await owner.call('DELETE', `/pages/${poll.id}`)).status).toBe(204)
      await app.quiet()
      expect((await app.rows('votes')).map((vote) => vote.page_id)).toEqual([other.id])
    })

    it('are counted by every node', async () => {
      if (engine === 'sqlite') return
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      const node = await app.node()
      await Promise.all(times(20, (at) => poll.vote(`d${at}`, 'A', at % 2 === 0 ? { node } : {})))
      await Promise.all(times(20, (at) => poll.vote(`d${at}`, 'B', at % 2 === 1 ? { node } : {})))
      expect(await poll.counts()).toBe('A 0, B 20, C 0')
    })
  })

  describe(`options on ${engine}`, () => {
    it('keep their votes when they are moved, or reworded in their place', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      for (const [device, option] of ['one A', 'two A', 'three B'].map((text) => text.split(' '))) {
        await poll.vote(device!, option!)
      }
      await poll.update({ poll_options: ['C', 'B', 'A'] })
      expect(await poll.counts()).toBe('C 0, B 1, A 2')
      await poll.update({ poll_options: ['C', 'B', 'Always'] })
      expect(await poll.counts()).toBe('C 0, B 1, Always 2')
      expect((await poll.view('one')).own_vote?.option).toBe('Always')
      await poll.vote('one', 'C')
      expect(await poll.counts()).toBe('C 1, B 1, Always 1')
      expect(await outcomeOf(poll.vote('one', 'A'))).toBe('unknown_option')
    })

    it('that are removed keep their votes, which count again when the text returns', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), BY_EMAIL)
      await poll.update({ poll_named: true })
      await poll.vote(ann('one'), 'A')
      await poll.vote(bob('two'), 'B')
      await poll.update({ poll_options: ['B', 'C'] })
      expect(await poll.counts()).toBe('B 1, C 0')
      const { voters } = await poll.results()
      expect(voters!.map(({ option }) => option)).toEqual(['B'])
      const view = await poll.view(ann('one'))
      expect(view.own_vote).toEqual({ option: null, name: expect.any(String) })
      expect(view.options.map(({ text }) => text)).toEqual(['B', 'C'])
      await poll.update({ poll_options: ['B', 'C', 'A'] })
      expect(await poll.counts()).toBe('B 1, C 0, A 1')
      expect((await poll.view(ann('one'))).own_vote?.option).toBe('A')
    })

    it('whose text returns keep apart from the option whose place they take', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      await poll.vote('one', 'A')
      await poll.vote('two', 'B')
      await poll.update({ poll_options: ['B', 'C'] })
      // A has votes of its own, so this is no new wording of B.
      await poll.update({ poll_options: ['A', 'C'] })
      expect(await poll.counts()).toBe('A 1, C 0')
      await poll.update({ poll_options: ['A', 'B', 'C'] })
      expect(await poll.counts()).toBe('A 1, B 1, C 0')
      // Nobody votes for C any more, so A may be reworded to it.
      await poll.vote('two', 'C')
      await poll.vote('two', 'B')
      await poll.update({ poll_options: ['A', 'B'] })
      await poll.update({ poll_options: ['C', 'B'] })
      expect(await poll.counts()).toBe('C 1, B 1')
    })

    it('are kept while the poll is off', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      await poll.vote('one', 'A')
      await poll.update({ collect_votes: false, poll_options: [], poll_question: null })
      expect(await poll.results()).toMatchObject({ collecting: false, options: [], total_votes: 0 })
      await poll.update({
        collect_votes: true,
        poll_question: 'Again?',
        poll_options: ['B', 'A'],
      })
      expect(await poll.counts()).toBe('B 0, A 1')
    })

    it('that are reworded while votes come in keep every vote that was taken', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      for (let round = 0; round < 8; round++) {
        const [from, to] = [round === 0 ? 'A' : `A${round}`, `A${round + 1}`]
        const votes = times(6, (at) => outcomeOf(poll.vote(`${round} ${at}`, from)))
        const change = poll.update({ poll_options: [to, 'B', 'C'] })
        const outcomes = await Promise.all(votes)
        await change
        expect([...new Set(outcomes)].filter((one) => !/stored|unknown_option/.test(one))).toEqual(
          [],
        )
      }
      const taken = await app.rows('votes')
      expect(await poll.counts()).toBe(`A8 ${taken.length}, B 0, C 0`)
    })
  })

  describe(`what is recorded of a vote on ${engine}`, () => {
    it('is nothing that leads from a secret vote to its voter', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const poll = await createPoll(app, owner, BY_EMAIL)
      const recorded: object[] = []
      const recordEvent: RecordEvent = async (_tx, event) => void recorded.push(event)
      const polls = createPolls({ ...app, recordEvent, findPage: app.pages.find })
      await poll.vote(ann('one'), 'A', { name: 'Ann', node: { polls } })
      const [vote] = await app.rows('votes')
      expect(vote).toMatchObject({ email: null, name: null, voted_at: null })
      const accountId = (await poll.page()).account_id
      const at = expect.stringMatching(/:00:00\.000000Z$/)
      expect(recorded).toEqual([
        {
          ...{ kind: 'vote', pageId: poll.id, accountId, at, objectId: null, itemId: null },
          ...{ isOwn: false, ballot: null, linkId: null, isFirst: true },
        },
      ])
      // The same person's response is stored with their address, under another key.
      const page = await poll.page()
      const viewer = app.viewers.viewerOf(page, { email: 'ann@example.com' })
      const participant = app.viewers.participantOf(page, {
        ...{ isOwner: false, emails: ['ann@example.com'], device: 'one' },
      })
      expect([viewer.key, participant.key, participant.deviceKey]).not.toContain(vote!.voter)
    })

    it('is who voted for what while votes are named, and no earlier or later vote', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), BY_EMAIL)
      await poll.vote(ann('one'), 'A')
      await poll.update({ poll_named: true })
      expect((await poll.results()).voters).toEqual([])
      await poll.vote(bob('two'), 'A', { name: 'Bob' })
      const named = [
        { email: 'bob@example.com', name: 'Bob', option: 'A', voted_at: expect.any(String) },
      ]
      expect((await poll.results()).voters).toEqual(named)
      const view = await poll.view('viewer')
      expect(view.options.map(({ votes, names }) => ({ votes, names }))).toEqual([
        { votes: 2, names: ['Bob'] },
        { votes: 0, names: [] },
        { votes: 0, names: [] },
      ])
      await poll.update({ poll_named: false })
      expect((await poll.results()).voters).toBeNull()
      expect((await poll.view('viewer')).options[0]!.names).toBeNull()
      await poll.update({ poll_named: true })
      expect((await poll.results()).voters).toEqual(named)
      // A vote cast again while they are secret is secret from then on.
      await poll.update({ poll_named: false })
      await poll.vote(bob('two'), 'B', { name: 'Bob' })
      await poll.update({ poll_named: true })
      expect((await poll.results()).voters).toEqual([])
      expect(JSON.stringify(await app.rows('votes'))).not.toMatch(/bob/i)
    })

    it('is never an address for other viewers, and an alias for a voter without a name', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), { ...BY_EMAIL, poll_named: true })
      await poll.vote(ann('one'), 'A')
      const view = await poll.view('viewer')
      expect(view.options[0]!.names).toEqual([expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/)])
      expect(JSON.stringify(view)).not.toMatch(/ann|@/)
      expect(await outcomeOf(poll.vote(bob('two'), 'B', { name: 'The owner' }))).toBe(
        'name_reserved',
      )
      const owner = { device: 'three', email: 'o@example.com', isOwner: true }
      expect((await poll.vote(owner, 'B', { name: 'The owner' })).options[1]!.votes).toBe(1)
      const own = await poll.vote(ann('one'), 'A', { name: 'Ann \u202e<b>' })
      expect(own.own_vote).toEqual({ option: 'A', name: 'Ann <b>' })
      expect(JSON.stringify(await poll.view('viewer'))).not.toContain('@')
    })
  })

  describe(`what a viewer sees on ${engine}`, () => {
    it('has counts only where poll_results lets them', async () => {
      await using app = await testApp(engine)
      const closesAt = app.clock.after(MINUTE_MS)
      const poll = await createPoll(app, await app.owner(), { poll_closes_at: closesAt })
      await poll.vote('voter', 'A')
      const seen = async (voter: Parameters<typeof poll.view>[0]) => {
        const view = await poll.view(voter)
        const votes = view.options.map(({ votes }) => votes).join(' ')
        return `${view.shows_results ? votes : `hidden${votes}`} of ${view.total_votes}`
      }
      const table: Record<string, string[]> = {}
      for (const results of ['public', 'vote', 'owner', 'closed']) {
        await poll.update({ poll_results: results })
        const owner = { device: 'owner', email: 'o@example.com', isOwner: true }
        table[results] = [await seen('voter'), await seen('viewer'), await seen(owner)]
      }
      const all = '1 0 0 of 1'
      const nothing = 'hidden   of null'
      expect(table).toEqual({
        public: [all, all, all],
        vote: [all, nothing, all],
        owner: [nothing, nothing, all],
        closed: ['hidden   of 1', 'hidden   of 1', all],
      })
      app.advance(MINUTE_MS)
      expect(await seen('viewer')).toBe(all)
    })

    it('has a version that stays while nothing that they may see changes', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), { poll_results: 'owner' })
      const { version, state } = await poll.state('viewer')
      expect(state!.question).toBe('Which one?')
      expect(await poll.state('viewer', version)).toMatchObject({ version, state: null })
      await poll.vote('voter', 'A')
      expect(await poll.state('viewer', version)).toMatchObject({ version, state: null })
      await poll.update({ poll_results: 'public' })
      const public1 = await poll.state('viewer', version)
      expect(public1.state!.total_votes).toBe(1)
      await poll.vote('voter', 'B')
      const public2 = await poll.state('viewer', public1.version)
      expect(public2.state!.options[1]!.votes).toBe(1)
      await poll.update({ poll_question: 'And now?' })
      expect((await poll.state('viewer', public2.version)).state!.question).toBe('And now?')
    })

    it('is a turnout beside the button only where everybody may know it', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner())
      await poll.vote('one', 'A')
      for (const [results, turnout] of [
        ['public', 1],
        ['closed', 1],
        ['vote', null],
        ['owner', null],
      ] as const) {
        await poll.update({ poll_results: results })
        expect([results, await app.polls.turnout(await poll.page())]).toEqual([results, turnout])
      }
    })
  })

  describe(`the owner’s results on ${engine}`, () => {
    it('list the voters in pages, newest first', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), { ...BY_EMAIL, poll_named: true })
      for (let at = 0; at < 5; at++) {
        await poll.vote({ device: `d${at}`, email: `v${at}@example.com` }, 'A')
      }
      const emails: string[] = []
      let offset: number | null = 0
      while (offset !== null) {
        const { voters, next_offset: next } = await poll.results(`?limit=2&offset=${offset}`)
        emails.push(...voters!.map(({ email }) => email))
        offset = next
      }
      expect(emails).toEqual([4, 3, 2, 1, 0].map((at) => `v${at}@example.com`))
      expect(await poll.results()).toMatchObject({
        ...{ collecting: true, question: 'Which one?', total_votes: 5, closes_at: null },
        ...{ is_closed: false, next_offset: null },
        options: [
          { text: 'A', votes: 5, share: 1 },
          { text: 'B', votes: 0, share: 0 },
          { text: 'C', votes: 0, share: 0 },
        ],
      })
    })

    it('of a page without a poll are empty, and those of other accounts’ pages not there', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x')
      expect(await owner.ask<object>('GET', `/pages/${id}/poll`)).toEqual({
        ...{ collecting: false, question: null, options: [], total_votes: 0 },
        ...{ closes_at: null, is_closed: false, voters: null, next_offset: null },
      })
      const other = await app.owner()
      const { status, body } = await other.refused('GET', `/pages/${id}/poll`)
      expect([status, body.error.code]).toEqual([404, 'page_not_found'])
    })

    it('are not changed by responses of the same viewers', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await form.update({ collect_votes: true, poll_question: '?', poll_options: ['A', 'B'] })
      await form.send('one', { a: 1 })
      expect(await owner.ask<object>('GET', `/pages/${form.id}/poll`)).toMatchObject({
        total_votes: 0,
      })
    })
  })
}
