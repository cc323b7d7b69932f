import type { Conversation } from '../../model/conversation.ts'
import { operationsOf, visitorOperationsOf } from '../../model/operation.ts'
import { MAX_SHOWN_NAMES } from '../../model/page/facts.ts'
import type { Page } from '../../model/page/index.ts'
import { pageOf } from '../../model/paging.ts'
import type { Participant } from '../../model/viewer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { RecordEvent } from '../events/index.ts'
import { type Ballots, createBallots, type Vote } from './ballots.ts'
import type { Ballot, PollQuery, PollState, PollView } from './contract.ts'
import * as contract from './contract.ts'
import {
  type CountedOption,
  countVotes,
  isClosed,
  isNamed,
  rewordedOption,
  type StoredOption,
  visibleTo,
} from './rules.ts'
import { pollOff, saveVote } from './save-vote.ts'
import * as store from './store.ts'
import { createVoters, keysOf, ownVote, type Voter, type VoterDeps } from './voter.ts'

export { createBallots } from './ballots.ts'
export { importPoll, optionRow, pollOf, voteRow } from './poll-transfer.ts'
export { countByAddress as countVotes, findVoted } from './store.ts'

/** A list from a later offset takes long: it goes through all votes before it. */
const MANY = 2000

interface PollDeps
  extends Pick<Services, 'database' | 'clock' | 'secrets'>,
    Pick<VoterDeps, 'viewers'> {
  /** Called in the transaction that stores the vote. */
  recordEvent: RecordEvent
  findPage(pageId: string, tx: Tx): Promise<Page | undefined>
}

export function createPolls(deps: PollDeps) {
  const { database, clock, secrets } = deps
  const { longRead } = database
  const ballots = createBallots(secrets)
  const { voterOf } = createVoters(deps)
  const viewOf = createPollView(database.read, { clock, ballots })

  async function read(page: Page, participant: Participant, knownVersion: string | null) {
    if (!page.settings.collect_votes) throw pollOff()
    return viewOf(page, voterOf(page, participant), knownVersion)
  }

  async function countAll({ id, settings }: Page): Promise<number> {
    return countVotes(settings.poll_options, await ballots.listOptions(database.read, id)).total
  }

  return {
    /**
     * The poll as far as this participant may see it.
     *
     * @param known the version that the participant has
     * @throws Refusal `poll_off`
     */
    read,
    /** The results as the page's owner sees them, whether or not viewers see the poll. */
    async results(page: Page, { limit, offset }: PollQuery) {
      const { settings } = page
      const { poll_options: texts } = settings
      const storedOptions = await ballots.listOptions(database.read, page.id)
      const { options, total } = countVotes(texts, storedOptions)
      const hasNames = isNamed(settings)
      const list = (db: Db) => store.listNamed(db, texts, page.id, limit + 1, offset)
      const rows = !hasNames ? [] : await (offset > MANY ? longRead(list) : list(database.read))
      const { data: voters, next_offset } = pageOf(rows, { limit, offset })
      return {
        collecting: settings.collect_votes,
        question: settings.poll_question,
        options,
        total_votes: total,
        closes_at: settings.poll_closes_at,
        is_closed: isClosed(settings, clock.now()),
        voters: hasNames ? voters : null,
        next_offset,
      }
    },
    /** Stores the participant's vote, or replaces the earlier one. @throws Refusal */
    async vote(page: Page, participant: Participant, ballot: Ballot) {
      const voter = voterOf(page, participant)
      const cast = { pageId: page.id, voter, ballot }
      const votedOn = await database.write((tx) => saveVote(tx, cast, { ...deps, ballots }))
      return viewOf(votedOn, voter, null)
    },
    /** The number of voters; null where not every viewer may know it. */
    async turnout(page: Page) {
      const { poll_results: results } = page.settings
      return results === 'public' || results === 'closed' ? countAll(page) : null
    },
    /**
     * Named votes, by page and voter. None of a page whose votes are not named now.
     *
     * @param ids of their events
     */
    async readNamed(db: Db, pages: ReadonlyMap<string, Page>, ids: readonly string[]) {
      const rows = await store.listNamedBy(db, ids)
      const namedRows = rows.filter((row) => isNamed(pages.get(row.page_id)!.settings))
      return new Map(
        namedRows.map(({ page_id: id, voter, ...vote }) => [`${id} ${voter}`, vote] as const),
      )
    },
    /** The votes that count, for the page's owner. */
    countAll,
    /**
     * Moves the votes of a reworded option to its new text. Runs in the transaction of the change.
     */
    async onPageChange(tx: Tx, before: Page, after: Page) {
      const { poll_options } = after.settings
      const reworded = rewordedOption(before.settings.poll_options, poll_options)
      if (reworded === null) return
      await ballots.lockPoll(tx, after.id)
      const storedOptions = await ballots.listOptions(tx, after.id)
      const other = storedOptions.find(({ text }) => text === reworded.to)
      // That text has stored votes of its own.
      if (other !== undefined && other.votes > 0) return
      await store.deleteOption(tx, [after.id, reworded.to])
      await store.updateOption(tx, [after.id, reworded.from], { text: reworded.to })
    },
  }
}
export type Polls = ReturnType<typeof createPolls>

/** The poll in the panel of a page's conversations. */
export function pollConversation(polls: Pick<Polls, 'turnout'>): Conversation {
  return {
    id: 'poll',
    isOn: ({ settings }) => settings.collect_votes,
    count: polls.turnout,
  }
}

/** The most voters of all options together whose names a viewer gets: every read queries them. */
const MAX_LISTED_VOTERS = 200

/**
 * Builds the state of a poll that one viewer may see. Its version is a hash of that state alone, so
 * that it reveals nothing to a viewer who may not see the results.
 */
function createPollView(db: Db, { clock, ballots }: { clock: Clock; ballots: Ballots }) {
  async function namesOf(page: Page): Promise<Map<string, string[]>> {
    const { poll_options: options } = page.settings
    const names = new Map<string, string[]>(options.map((text) => [text, []]))
    const rows = await store.listNamed(db, options, page.id, MAX_LISTED_VOTERS, 0)
    for (const { option, name } of rows) {
      const voters = names.get(option)!
      if (voters.length < MAX_SHOWN_NAMES) voters.push(name)
    }
    return names
  }

  return async (page: Page, voter: Voter, knownVersion: string | null): Promise<PollState> => {
    const { settings } = page
    const now = clock.now()
    const storedOptions = await ballots.listOptions(db, page.id)
    const votes = await ballots.findVotes(db, page.id, keysOf(voter))
    const { isOwner } = voter
    const visible = visibleTo({ isOwner, hasVoted: votes.length > 0 }, settings, now)
    const { options, total } = countVotes(settings.poll_options, storedOptions)
    const showsNames = visible.results && isNamed(settings)
    const names = showsNames ? await namesOf(page) : null
    const state: PollView = {
      question: settings.poll_question ?? '',
      options: options.map((option) => shownOption(option, visible.results, names)),
      total_votes: visible.turnout ? total : null,
      results: settings.poll_results,
      shows_results: visible.results,
      closes_at: settings.poll_closes_at,
      is_closed: isClosed(settings, now),
      requires_email: settings.poll_require_email,
      is_named: isNamed(settings),
      own_vote: shownVote(ownVote(settings, voter, votes), settings.poll_options, storedOptions),
    }
    const version = sha256(JSON.stringify(state)).slice(0, 32)
    return { version, state: version === knownVersion ? null : state }
  }
}

function shownOption(
  { text, votes, share }: CountedOption,
  isVisible: boolean,
  names: ReadonlyMap<string, string[]> | null,
): PollView['options'][number] {
  if (!isVisible) return { text, votes: null, share: null, names: null }
  return { text, votes, share, names: names?.get(text) ?? null }
}

function shownVote(
  vote: Vote | null,
  current: readonly string[],
  storedOptions: readonly StoredOption[],
): PollView['own_vote'] {
  if (vote === null) return null
  const option = storedOptions.find(({ option_no }) => option_no === vote.option_no)
  const isCurrent = option !== undefined && current.includes(option.text)
  return { option: isCurrent ? option.text : null, name: vote.name }
}

export function pollOperations(polls: Polls) {
  return operationsOf(contract, { getPoll: ({ page }, range) => polls.results(page, range) })
}

export function pollVisitorOperations(polls: Polls) {
  return visitorOperationsOf(contract, {
    readPoll: ({ page, participant }, { known = null }) => polls.read(page, participant, known),
    castVote: ({ page, participant }, ballot) => polls.vote(page, participant, ballot),
  })
}
