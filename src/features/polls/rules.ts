import type { PageSettings } from '../../model/page/index.ts'
import { plainLine } from '../../model/plain-text.ts'

const MAX_NAME_LENGTH = 80

export type PollSettings = Pick<
  PageSettings,
  | 'collect_votes'
  | 'poll_question'
  | 'poll_options'
  | 'poll_require_email'
  | 'poll_results'
  | 'poll_named'
  | 'poll_closes_at'
>

/** An option that could be voted for, now or before. */
export interface StoredOption {
  option_no: number
  text: string
  votes: number
}

export interface CountedOption {
  text: string
  votes: number
  share: number
}

/** Voting ends at `closesAt`, that instant included. */
export function isClosed({ poll_closes_at: closesAt }: PollSettings, now: string): boolean {
  return closesAt !== null && closesAt <= now
}

/** A vote can be named only by a confirmed address. */
export function isNamed(settings: PollSettings): boolean {
  return settings.poll_require_email && settings.poll_named
}

/**
 * The option that was reworded, or null. If the list has the same length and differs in one text,
 * that text is the same option, reworded. Any other new text is a new option.
 */
export function rewordedOption(
  before: readonly string[],
  after: readonly string[],
): { from: string; to: string } | null {
  if (before.length !== after.length) return null
  const [from, ...moreGone] = before.filter((text) => !after.includes(text))
  const [to, ...moreNew] = after.filter((text) => !before.includes(text))
  if (from === undefined || to === undefined) return null
  if (moreGone.length > 0 || moreNew.length > 0) return null
  return before.indexOf(from) === after.indexOf(to) ? { from, to } : null
}

/** The current options with their votes. Votes for options that were removed do not count. */
export function countVotes(
  options: readonly string[],
  storedOptions: readonly Pick<StoredOption, 'text' | 'votes'>[],
): { options: CountedOption[]; total: number } {
  const votesOf = new Map(storedOptions.map(({ text, votes }) => [text, votes]))
  const counts = options.map((text) => ({ text, votes: votesOf.get(text) ?? 0 }))
  const total = counts.reduce((sum, { votes }) => sum + votes, 0)
  return {
    options: counts.map((each) => ({ ...each, share: total === 0 ? 0 : each.votes / total })),
    total,
  }
}

/** What a viewer may see: the votes of each option, and the number of voters. */
export function visibleTo(
  { isOwner, hasVoted }: { isOwner: boolean; hasVoted: boolean },
  settings: PollSettings,
  now: string,
): { results: boolean; turnout: boolean } {
  if (isOwner) return { results: true, turnout: true }
  switch (settings.poll_results) {
    case 'public':
      return { results: true, turnout: true }
    case 'vote':
      return { results: hasVoted, turnout: hasVoted }
    case 'closed':
      return { results: isClosed(settings, now), turnout: true }
    case 'owner':
      return { results: false, turnout: false }
  }
}

/** The name that others see with a named vote: plain text on one line. */
export function shownName(text: string | null | undefined, alias: string): string {
  const name = [...plainLine(text ?? '')].slice(0, MAX_NAME_LENGTH).join('').trim()
  return name === '' ? alias : name
}
