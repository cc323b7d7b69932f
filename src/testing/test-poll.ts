import type { Ballot, Poll, PollView } from '../features/polls/contract.ts'
import { createBallots } from '../features/polls/index.ts'
import type { Page } from '../model/page/index.ts'
import type { PageObject } from '../model/page/page-object.ts'
import type { Participant } from '../model/viewer.ts'
import type { TestApp } from './app.ts'
import type { TestNode } from './node.ts'
import type { Owner } from './people.ts'

/** A voter in a test: a browser, perhaps with a confirmed address. */
export type TestVoter = string | { device: string; email?: string; isOwner?: boolean }
export type VoteOptions = Partial<Ballot> & { node?: Pick<TestNode, 'polls'> }

/** Publishes a page with a poll. Browsers are identified by names. */
export async function createPoll(app: TestApp, owner: Owner, settings: object = {}) {
  const { id } = await owner.publish('<title>Poll</title><p>x', {
    collect_votes: true,
    poll_question: 'Which one?',
    poll_options: ['A', 'B', 'C'],
    ...settings,
  })

  async function page(): Promise<Page> {
    return (await app.pages.find(id))!
  }
  function participantOf(current: Page, voter: TestVoter): Participant {
    const { device, email, isOwner = false } = typeof voter === 'string' ? { device: voter } : voter
    return app.viewers.participantOf(current, {
      isOwner,
      emails: email === undefined ? [] : [email],
      device,
    })
  }
  return {
    id,
    page,
    /** Votes as the HTTP route does: on the page in its current state. */
    async vote(voter: TestVoter, option: string, options: VoteOptions = {}): Promise<PollView> {
      const { node = app, ...ballot } = options
      const current = await page()
      const { poll_named: named, poll_require_email: requiresEmail } = current.settings
      const participant = participantOf(current, voter)
      const input = { option, is_named: named && requiresEmail, ...ballot }
      return (await node.polls.vote(current, participant, input)).state!
    },
    async state(voter: TestVoter, previous: string | null = null) {
      const current = await page()
      return app.polls.read(current, participantOf(current, voter), previous)
    },
    async view(voter: TestVoter): Promise<PollView> {
      return (await this.state(voter)).state!
    },
    results: (query = ''): Promise<Poll> => owner.ask('GET', `/pages/${id}/poll${query}`),
    /** The votes as `A 2, B 0`. Throws unless the counters agree with the stored votes. */
    async counts(): Promise<string> {
      await assertConsistent(app)
      const { options, total_votes: total } = await this.results()
      const sum = options.reduce((votes, option) => votes + option.votes, 0)
      if (sum !== total) throw new Error(`${sum} votes, but a total of ${total}`)
      return options.map(({ text, votes }) => `${text} ${votes}`).join(', ')
    },
    update: (change: object): Promise<PageObject> => owner.update(id, change),
  }
}

/** Compares the counters of all polls with their votes. */
async function assertConsistent(app: TestApp): Promise<void> {
  const ballots = createBallots(app.secrets)
  const { read } = app.database
  for (const { page_id: pageId, vote_count: count } of await app.rows('polls')) {
    const rows = (await app.rows('votes')).filter((vote) => vote.page_id === pageId)
    if (rows.length !== count) {
      throw new Error(`The poll counts ${count} votes, but has ${rows.length}`)
    }
    const votes = await Promise.all(
      rows.map(async ({ voter }) => (await ballots.findVotes(read, pageId, [voter]))[0]!),
    )
    for (const { option_no: no, text, votes: counted } of await ballots.listOptions(read, pageId)) {
      const stored = votes.filter((vote) => vote.option_no === no)
      if (stored.length === counted) continue
      throw new Error(`${text} counts ${counted} votes, but has ${stored.length}`)
    }
  }
}
