import type { Page } from '../../model/page/index.ts'
import { MAX_SHOWN_NAMES } from '../../model/page/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Ballots, Vote } from './ballots.ts'
import type { PollState, PollView } from './contract.ts'
import {
  type CountedOption,
  countVotes,
  isClosed,
  isNamed,
  type StoredOption,
  visibleTo,
} from './rules.ts'
import * as store from './store.ts'
import { keysOf, ownVote, type Voter } from './voter.ts'

/** The most voters of all options together whose names a viewer gets: every read queries them. */
const MAX_LISTED_VOTERS = 200

/**
 * Builds the state of a poll that one viewer may see. Its version is a hash of that state alone, so
 * that it reveals nothing to a viewer who may not see the results.
 */
export function createPollView(db: Db, { clock, ballots }: { clock: Clock; ballots: Ballots }) {
  async function namesOf(page: Page): Promise<Map<string, string[]>> {
    const { poll_options: options } = page.settings
    const range = { options, limit: MAX_LISTED_VOTERS, offset: 0 }
    const names = new Map<string, string[]>(options.map((text) => [text, []]))
    for (const { option, name } of await store.listNamed(db, page.id, range)) {
      const listed = names.get(option)!
      if (listed.length < MAX_SHOWN_NAMES) listed.push(name)
    }
    return names
  }

  return async (page: Page, voter: Voter, known: string | null): Promise<PollState> => {
    const { settings } = page
    const now = clock.now()
    const stored = await ballots.listOptions(db, page.id)
    const votes = await ballots.findVotes(db, page.id, keysOf(voter))
    const { isOwner } = voter
    const visible = visibleTo({ isOwner, hasVoted: votes.length > 0 }, settings, now)
    const { options, total } = countVotes(settings.poll_options, stored)
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
      own_vote: shownVote(ownVote(settings, voter, votes), settings.poll_options, stored),
    }
    const version = sha256(JSON.stringify(state)).slice(0, 32)
    return { version, state: version === known ? null : state }
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
  stored: readonly StoredOption[],
): PollView['own_vote'] {
  if (vote === null) return null
  const option = stored.find(({ option_no }) => option_no === vote.option_no)
  const isCurrent = option !== undefined && current.includes(option.text)
  return { option: isCurrent ? option.text : null, name: vote.name }
}
