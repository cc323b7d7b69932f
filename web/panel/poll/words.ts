import type { PollView } from '../../../src/features/polls/contract.ts'
import { count } from '../../../src/model/numbers.ts'

/** The notice that a viewer reads before they vote: who learns what they chose. */
export function secrecyText(poll: PollView): string {
  if (!poll.requires_email) return 'Your vote is anonymous. Each browser has one.'
  if (!poll.is_named) {
    return (
      'Your vote is secret, from the page’s owner too. ' +
      'Your email makes sure that everyone has one vote.'
    )
  }
  return poll.results === 'owner'
    ? 'Your vote is not secret: the page’s owner sees it with your email.'
    : 'Your vote is not secret: those who see the results see it with your name, and the page’s ' +
        'owner with your email.'
}

/** Who sees the results, where that is not everyone; null where it is. */
export function resultsText(poll: PollView, isOwner: boolean): string | null {
  if (poll.results === 'public') return null
  if (poll.results === 'owner') {
    return isOwner ? 'Only you see the results.' : 'Only the page’s owner sees the results.'
  }
  if (poll.results === 'closed') {
    if (poll.is_closed) return null
    return isOwner
      ? 'Others see the results once voting has ended.'
      : 'The results are shown once voting has ended.'
  }
  if (isOwner) return 'Others see the results once they have voted.'
  if (poll.own_vote !== null) return null
  return poll.is_closed
    ? 'The results are shown to those who voted.'
    : 'You see the results once you have voted.'
}

export function turnoutText(votes: number): string {
  return votes === 0 ? 'No votes yet' : count(votes, 'vote')
}

/** `3 votes · 75%`. Rounding never shows 0% for some votes, or 100% for less than all. */
export function votesText(votes: number, share: number): string {
  const percent = Math.round(share * 100)
  const digits =
    percent === 0 && share > 0 ? '<1' : percent === 100 && share < 1 ? '>99' : String(percent)
  return `${count(votes, 'vote')} · ${digits}%`
}

/** `Fri, 28 Nov 2026, 14:00 GMT+1`: the viewer's own time, as their browser writes it. */
export function localTime(iso: string, locale?: string): string {
  return new Date(iso).toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}
