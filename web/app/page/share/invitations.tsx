import type { ReactNode } from 'preact/compat'
import { useBoot } from '../../account.ts'
import { api, type Output, type Page } from '../../api.ts'
import { QuietButton } from '../../ui/button.tsx'
import { Problem } from '../../ui/field.tsx'
import { useAction } from '../../use-action.ts'
import { CopyPersonalLink } from './personal-link.tsx'
import { invitationsKey, standingText, useStandings } from './standing.ts'

/** What became of the link of each person whom the page invites, and what can be done about it. */
export function useInvitations(page: Page) {
  const { sends_mails: sendsMails } = useBoot()
  const standing = useStandings(page)
  const mailing = useAction((emails: string[]) => api.invitePeople({ id: page.id, emails }), {
    hasPlace: true,
    refresh: [invitationsKey(page)],
  })

  function actionOf(email: string): ReactNode {
    if (!page.is_published) return null
    if (!sendsMails) return <CopyPersonalLink id={page.id} email={email} purpose="view" />
    const { isMailed, openCount } = standing(email)
    if (openCount > 0) return null
    return (
      <QuietButton
        className="text-13"
        disabled={mailing.isPending}
        onClick={() => mailing.mutate([email])}
      >
        {isMailed ? 'Mail again' : 'Mail the link'}
        <span className="sr-only"> to {email}</span>
      </QuietButton>
    )
  }
  return {
    /** Where mails go out. */
    mail: sendsMails && page.is_published ? mailing.mutate : undefined,
    report: (
      <>
        <Problem error={mailing.error} />
        {mailing.data && <Invited {...mailing.data.data} />}
      </>
    ),
    standingOf: (email: string) => standingText(standing(email)),
    actionOf,
  }
}

export type InvitedPeople = Output<'invitePeople'>['data']

export function Invited(people: InvitedPeople) {
  const { mailed, not_admitted: notAdmitted, mailed_before: before } = people
  const text = mailed.length > 0 ? `Mailed: ${mailed.join(', ')}.` : 'Nobody was mailed.'
  return (
    <div className="grid gap-1 text-13 break-words" role="status">
      <p>{text}</p>
      {before.length > 0 && (
        <p className="text-muted">Mailed often enough today: {before.join(', ')}.</p>
      )}
      {notAdmitted.length > 0 && (
        <p className="text-danger">
          Not mailed, since they may not open the page: {notAdmitted.join(', ')}.
        </p>
      )}
    </div>
  )
}
