import { count, formatNumber } from '../../../src/model/numbers.ts'

/** Why visitors were refused, in words that follow a number. */
const REASONS: Record<string, string> = {
  password: 'stopped at the password',
  wrong_password: 'wrong password',
  email: 'stopped at the email',
  wrong_code: 'wrong code',
  refused_address: 'address not allowed',
  not_invited: 'not invited',
  sign_in: 'stopped at signing in',
  private: 'page is private',
  too_many_tries: 'too many tries',
  expired: 'link had expired',
  agreement: 'stopped at the agreement',
  link_closed: 'link for one person had ended',
  view_limit: 'view limit was reached',
  not_published: 'page was not published',
  suspended: 'account was suspended',
}

export function reasonInWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ')
}

interface Facts {
  views: number
  /** Each counted once a day. Absent where the plan has views alone. */
  viewers?: number | undefined
  refusals?: { reason: string; count: number }[] | undefined
}

interface Invited {
  invited: number
  notOpened: number
}

/** The report in a few sentences. `when` follows: `in the last 30 days`. */
export function summaryOf(facts: Facts, when: string, people: Invited | null): string {
  const { views, viewers, refusals = [] } = facts
  const sentences: string[] = []
  if (views === 0) sentences.push(`Nobody opened it ${when}.`)
  else {
    const by = viewers === undefined ? '' : `, by ${count(viewers, 'viewer')} counted once a day`
    sentences.push(`Opened ${count(views, 'time')} ${when}${by}.`)
  }
  if (people !== null && people.invited > 0) {
    const { invited, notOpened } = people
    sentences.push(
      notOpened === 0
        ? `All ${formatNumber(invited)} invited have opened it.`
        : `${formatNumber(notOpened)} of ${formatNumber(invited)} invited have not opened it.`,
    )
  }
  const [most] = refusals.toSorted((a, b) => b.count - a.count)
  const total = refusals.reduce((sum, { count: n }) => sum + n, 0)
  if (most !== undefined) {
    const mostly = refusals.length > 1 ? 'mostly ' : ''
    const times = count(total, 'time')
    sentences.push(`Turned back ${times}: ${mostly}${reasonInWords(most.reason)}.`)
  }
  return sentences.join(' ')
}

/** `under a second`, `42 seconds`, `3 min 5 s`, `2 h 10 min`. */
export function durationInWords(seconds: number): string {
  if (seconds < 1) return 'under a second'
  if (seconds < 60) return count(Math.round(seconds), 'second')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
