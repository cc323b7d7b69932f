import type { Output } from '../../../src/client/index.ts'
import { count, formatNumber } from '../../../src/model/numbers.ts'

type Reason = NonNullable<Output<'getAnalytics'>['data']['refusals']>[number]['reason']

/** What somebody did who was not let in. */
const REASONS: Record<Reason, string> = {
  password: 'stopped at the password',
  wrong_password: 'tried a wrong password',
  email: 'stopped at the address',
  wrong_code: 'tried a wrong code',
  refused_address: 'tried a wrong address',
  not_invited: 'tried an address that is not invited',
  sign_in: 'stopped at signing in',
  private: 'came while only you could open it',
  agreement: 'stopped at the agreement',
  too_many_tries: 'tried too often',
  expired: 'came after the end',
  link_closed: 'came after this link had ended',
  view_limit: 'came after the last view',
  not_published: 'came while it was not published',
  taken_down: 'came while it was taken down',
  suspended: 'came while the account was suspended',
}

/** In words that follow a name or a number. A newer server may have more reasons. */
export function reasonInWords(reason: string): string {
  return REASONS[reason as Reason] ?? reason.replaceAll('_', ' ')
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
    const mostly = refusals.length > 1 ? 'most ' : ''
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
