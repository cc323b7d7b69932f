import { useQuery } from '@tanstack/preact-query'
import { useId } from 'preact/compat'
import type { Output } from '../../../../../src/client/index.ts'
import { count } from '../../../../../src/model/numbers.ts'
import { useBoot } from '../../../account.ts'
import { api } from '../../../api.ts'
import { read } from '../../../queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Note, Problem } from '../../../ui/field.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAction } from '../../../use-action.ts'
import { pageQuery } from '../../use-page.ts'
import { AddressList } from '../address-list.tsx'
import { Invited, useInvitations } from '../invitations.tsx'
import { NoMailNote } from '../personal-link.tsx'
import { MailForm, SettingSwitch } from '../section.tsx'
import { useSharing } from '../sharing.ts'
import { invitationsKey } from '../standing.ts'

const SIGN_IN =
  'By a link in a mail to that address, in an account of their own. Otherwise they confirm the ' +
  'address and need no account.'
const SIGN_IN_WITHOUT_MAIL =
  'In an account with that address, by a passkey or a link from whoever runs this server. ' +
  'Otherwise your link for each is enough.'

export function People() {
  const { page } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const { mail, report, standingOf, actionOf } = useInvitations(page)

  return (
    <>
      <NoMailNote>copy the link for each person instead.</NoMailNote>
      <AddressList
        name="allowed_emails"
        label="Invite by email"
        verb="Invite"
        placeholder="ann@example.com, bob@example.com"
        onInvite={mail}
        noteOf={(email) => (
          <>
            <span>{standingOf(email)}</span>
            {actionOf(email)}
          </>
        )}
      />
      {report}
      <Invitations />
      <SettingSwitch
        name="require_signin"
        label="Ask them to sign in"
        help={sendsMails ? SIGN_IN : SIGN_IN_WITHOUT_MAIL}
      />
      <SettingSwitch
        name="allow_access_requests"
        label="Let others ask for access"
        help={sendsMails ? 'You get a mail, and decide there or here.' : 'You decide here.'}
      />
      <AccessRequests />
    </>
  )
}

function Invitations() {
  const { page, saved } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const { id, allowed_emails: emails } = saved
  if (emails.length === 0) return null
  if (!page.is_published) {
    return (
      <Note>Publish the page to {sendsMails ? 'mail them the link' : 'copy their links'}.</Note>
    )
  }
  if (!sendsMails) return null
  return (
    <MailForm
      label="Mail everyone the link"
      name="Message of the invitation"
      verb={`Send ${count(emails.length, 'invitation')}`}
      send={(message) => api.invitePeople({ id, emails: [...emails], ...message })}
      refresh={[invitationsKey(page)]}
      reportOf={({ data }) => <Invited {...data} />}
    />
  )
}

type AccessRequest = Output<'listAccessRequests'>['data'][number]

function AccessRequests() {
  const { page } = useSharing()
  const heading = useId()
  const list = () => api.listAccessRequests({ id: page.id })
  const { data } = useQuery(read(['access-requests', page.id], list, 15_000))
  const waiting = data?.filter(({ decision }) => decision === null) ?? []
  if (waiting.length === 0) return null
  return (
    <div>
      <h4 id={heading} className="text-13 font-medium">
        Waiting for your answer
      </h4>
      <ul aria-labelledby={heading}>
        {waiting.map((request) => (
          <WaitingRequest key={request.id} pageId={page.id} request={request} />
        ))}
      </ul>
    </div>
  )
}

function WaitingRequest({ pageId, request }: { pageId: string; request: AccessRequest }) {
  const { mutate, error, isPending } = useAction(
    (decision: 'approve' | 'deny') =>
      api.decideAccessRequest({ id: pageId, request_id: request.id, decision }),
    { hasPlace: true, refresh: [['access-requests', pageId], pageQuery(pageId).queryKey] },
  )
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-full min-w-0">
          <span className="block break-words" dir="auto">
            {request.email}
          </span>
          <span className="text-13 text-muted">
            asked <Time at={request.created_at} />
          </span>
        </p>
        <div className="flex gap-2">
          {Object.entries(ANSWERS).map(([decision, word]) => (
            <Button
              key={decision}
              disabled={isPending}
              onClick={() => mutate(decision as keyof typeof ANSWERS)}
            >
              {word}
              <span className="sr-only"> {request.email}</span>
            </Button>
          ))}
        </div>
      </div>
      <Problem error={error} />
    </li>
  )
}
const ANSWERS = { deny: 'Deny', approve: 'Let in' }
