import { pageGone, refuse } from '../../model/errors.ts'
import { MAX_VOTES } from '../../model/page/facts.ts'
import type { Page } from '../../model/page/index.ts'
import { assertOwnName } from '../../model/reserved-names.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { RecordEvent } from '../events/index.ts'
import type { Ballots, Totals, Vote } from './ballots.ts'
import type { Ballot } from './contract.ts'
import { isClosed, isNamed, type PollSettings, type StoredOption, shownName } from './rules.ts'
import * as store from './store.ts'
import { ballotKey, keysOf, type Voter } from './voter.ts'

interface SaveVoteDeps {
  clock: Clock
  ballots: Ballots
  recordEvent: RecordEvent
  /** The page as it is in this transaction. */
  findPage(pageId: string, tx: Tx): Promise<Page | undefined>
}

interface CastVote {
  pageId: string
  voter: Voter
  ballot: Ballot
}

/** A vote that is to be stored. */
interface NewVote {
  key: string
  option: string
  /** Null for a secret vote. */
  identity: { email: string; name: string } | null
}

/**
 * Stores a vote, or replaces the voter's earlier one. A vote that is already stored changes
 * nothing, so sending it again is safe.
 *
 * A poll knows its voters by browser or by confirmed address, as `poll_require_email` says. A vote
 * of the same person under the other key, from before that setting changed, is replaced as well.
 *
 * @returns the page as it was voted on
 * @throws Refusal; a foreign key violation if the page is deleted
 */
export async function saveVote(tx: Tx, cast: CastVote, deps: SaveVoteDeps): Promise<Page> {
  const { pageId, voter } = cast
  const { ballots } = deps
  const totals = await ballots.lockPoll(tx, pageId)
  // Read under the lock, so that the options cannot change before the vote is stored.
  const page = await deps.findPage(pageId, tx)
  if (page === undefined) throw pageGone()
  const vote = newVote(page.settings, cast)
  const earlier = await ballots.findVotes(tx, pageId, keysOf(voter))
  const options = await ballots.listOptions(tx, pageId)
  if (isStored(vote, earlier, options)) return page
  const now = deps.clock.now()
  if (isClosed(page.settings, now)) {
    throw refuse.conflict('poll_closed', 'Voting has ended: this vote came too late.')
  }
  if (earlier.length === 0 && totals.vote_count >= MAX_VOTES) {
    throw refuse.conflict('poll_full', 'This poll holds as many votes as it can: tell its owner.')
  }
  await replaceVotes(tx, page, { ballots, totals, options, earlier, vote, now })
  await deps.recordEvent(tx, {
    kind: 'vote',
    pageId,
    accountId: page.account_id,
    // The time of a secret vote would tell more than that somebody voted.
    at: vote.identity === null ? hourOf(now) : now,
    objectId: vote.identity && vote.key,
    itemId: null,
    isOwn: voter.isOwner,
    // A secret vote is told of nobody, and of no link.
    linkId: vote.identity && voter.linkId,
    ballot: vote.identity && { ...vote.identity, option: vote.option },
    isFirst: earlier.length === 0,
  })
  return page
}

/** @throws Refusal where the poll does not accept this ballot, even while it is open */
function newVote(settings: PollSettings, { voter, ballot }: CastVote): NewVote {
  const { option, is_named, name } = ballot
  if (!settings.collect_votes) throw pollOff()
  if (is_named !== isNamed(settings)) throw changed()
  if (!settings.poll_options.includes(option)) {
    throw refuse.conflict('unknown_option', 'The options have changed: choose again.')
  }
  const key = ballotKey(settings, voter)
  if (key === null) {
    throw refuse.forbidden('email_not_confirmed', 'Confirm your email address first, then vote.')
  }
  const { email, alias, isOwner } = voter
  if (!isNamed(settings) || email === null) return { key, option, identity: null }
  const publicName = shownName(name, alias)
  if (!isOwner) assertOwnName(publicName, { isConfirmed: true, ownerName: null })
  return { key, option, identity: { email, name: publicName } }
}

function isStored(
  { key, option, identity }: NewVote,
  earlier: readonly Vote[],
  options: readonly StoredOption[],
): boolean {
  const [vote, ...more] = earlier
  if (vote === undefined || more.length > 0) return false
  const votedFor = options.find(({ option_no: no }) => no === vote.option_no)
  const isSame = vote.voter === key && votedFor?.text === option
  return (
    isSame && vote.email === (identity?.email ?? null) && vote.name === (identity?.name ?? null)
  )
}

interface Replacement {
  ballots: Ballots
  totals: Totals
  options: readonly StoredOption[]
  earlier: readonly Vote[]
  vote: NewVote
  now: Timestamp
}

async function replaceVotes(
  tx: Tx,
  { id: pageId, settings }: Page,
  { ballots, totals, options, earlier, vote, now }: Replacement,
): Promise<void> {
  const { key, option, identity } = vote
  // All of them at once: rows that came with the first vote for an option would tell who gave it.
  const added = settings.poll_options
    .filter((text) => !options.some((each) => each.text === text))
    .map((text, at) => ({ page_id: pageId, option_no: totals.option_count + at + 1, text }))
  await store.insertOptions(tx, added)
  const { option_no } = [...options, ...added].find(({ text }) => text === option)!
  const counts = new Map(totals.counts)
  const count = (no: number, votes: number) => counts.set(no, (counts.get(no) ?? 0) + votes)
  for (const { voter, option_no } of earlier) {
    count(option_no, -1)
    if (voter !== key) await store.deleteVote(tx, [pageId, voter])
  }
  count(option_no, 1)
  await ballots.putVote(tx, pageId, {
    voter: key,
    option_no,
    email: identity?.email ?? null,
    name: identity?.name ?? null,
    voted_at: identity === null ? null : now,
  })
  await ballots.setTotals(tx, pageId, {
    vote_count: totals.vote_count + 1 - earlier.length,
    option_count: totals.option_count + added.length,
    counts,
  })
}

function hourOf(time: Timestamp): Timestamp {
  return `${time.slice(0, 13)}:00:00.000000Z`
}

export function pollOff() {
  return refuse.notFound('poll_off', 'This page has no poll any more.')
}
function changed() {
  return refuse.conflict(
    'poll_changed',
    'The page’s owner has changed who sees your vote: read it and vote again.',
  )
}
