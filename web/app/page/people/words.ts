import type { Output } from '../../../../src/client/index.ts'
import { decisionWords, firstUpper } from '../../../../src/model/decision.ts'
import { count } from '../../../../src/model/numbers.ts'
import { durationInWords, reasonInWords } from '../../analytics/words.ts'

export type Person = Output<'listPeople'>['data']['people'][number]
type Refusal = Person['refusals'][number]
type NotReminded = NonNullable<NonNullable<Person['reminder']>['not_now']>
type NotMailed = Output<'createLinks'>['data']['not_mailed'][number]['reason']

/** `Tried a wrong address 3 times`. */
export function refusalInWords({ reason, count: times }: Refusal): string {
  const words = firstUpper(reasonInWords(reason))
  if (times === 1) return words
  return `${words} ${times === 2 ? 'twice' : count(times, 'time')}`
}

export const NOT_MAILED: Record<NotReminded | NotMailed, string> = {
  no_address: 'no address',
  opened: 'has opened it',
  link_closed: 'the link has ended',
  bounced: 'the mail server refused the last mail',
  unsubscribed: 'wants no more of your mails',
  mailed_before: 'mailed often today',
  reminded_today: 'reminded today',
  reminded_enough: 'reminded three times',
  no_mail_server: 'mail is not set up',
  not_published: 'the page is not published',
  not_admitted: 'may not open the page',
}

/** How far they came, and in which time; null where nothing was measured. */
export function progressInWords({ progress, seconds }: Person): string | null {
  const parts = [
    progress?.sheet && `To page ${progress.sheet}`,
    progress?.sections && `To section ${progress.sections}`,
    seconds && durationInWords(seconds),
  ].filter(Boolean)
  return parts.length === 0 ? null : parts.join(' · ')
}

/** What they wrote and decided, one thing in a line. */
export function doneInWords({ responses, comments, votes, decision }: Person): string[] {
  return [
    responses > 0 && count(responses, 'response'),
    comments > 0 && count(comments, 'comment'),
    votes > 0 && 'Voted',
    decision !== null && firstUpper(decisionWords(decision.decision, decision.version_no)),
  ].filter((words) => words !== false)
}
