import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/compat'
import type { Output } from '../../../../../src/client/index.ts'
import { count } from '../../../../../src/model/numbers.ts'
import { MAX_INVITEES } from '../../../../../src/model/page/facts.ts'
import { api } from '../../../api.ts'
import { read } from '../../../queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Note, Problem } from '../../../ui/field.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAction } from '../../../use-action.ts'
import { pageQuery } from '../../use-page.ts'
import { AddressList } from '../address-list.tsx'
import { parseAddresses } from '../addresses.ts'
import { MailForm, MailReport, SettingSwitch } from '../section.tsx'
import { useSharing } from '../sharing.ts'

const SIGN_IN =
  'By a link in a mail to that address, in an account of their own. Otherwise they confirm the ' +
  'address and need no account.'

export function People() {
  const [added, setAdded] = useState<readonly string[]>([])
  return (
    <>
      <AddressList
        name="allowed_emails"
        label="Invite by email"
        verb="Invite"
        placeholder="ann@example.com, bob@example.com"
        parse={parseAddresses}
        noun={['email address', 'email addresses']}
        max={MAX_INVITEES}
        onAdded={(emails) => setAdded([...added, ...emails])}
      />
      <Invitations added={added} />
      <SettingSwitch name="require_signin" label="Ask them to sign in" help={SIGN_IN} />
      <SettingSwitch
        name="allow_access_requests"
        label="Let others ask for access"
        help="You get a mail, and decide there or here."
      />
      <AccessRequests />
    </>
  )
}

/** Mails people the link: those who were just added, or else everyone on the list. */
function Invitations({ added }: { added: readonly string[] }) {
  const { page, saved } = useSharing()
  const [isOpen, setOpen] = useState(false)
  const onList = added.filter((email) => saved.allowed_emails.includes(email))
  const emails = onList.length > 0 ? onList : saved.allowed_emails
  if (emails.length === 0) return null
  if (!page.is_published) {
    return <Note>Publish the page to mail them the link.</Note>
  }
  if (isOpen) return <InvitationForm emails={emails} onDone={() => setOpen(false)} />
  const whom = onList.length > 0 ? count(onList.length, 'new person', 'new people') : 'everyone'
  return (
    <Button className="justify-self-start" onClick={() => setOpen(true)}>
      Mail {whom} the link
    </Button>
  )
}

function InvitationForm({ emails, onDone }: { emails: readonly string[]; onDone(): void }) {
  const { id } = useSharing().page
  return (
    <MailForm
      name="Message of the invitation"
      verb={`Send ${count(emails.length, 'invitation')}`}
      send={(message) => api.invitePeople({ id, emails: [...emails], ...message })}
      onCancel={onDone}
      reportOf={({ data: { mailed, not_admitted: notAdmitted, mailed_before: before } }) => (
        <MailReport
          text={mailed.length > 0 ? `${count(mailed.length, 'invitation')} sent.` : NOTHING_SENT}
          verb="Not mailed"
          notAdmitted={notAdmitted}
          onDone={onDone}
        >
          {before.length > 0 && (
            <p className="text-muted">Mailed often enough today: {before.join(', ')}.</p>
          )}
        </MailReport>
      )}
    />
  )
}
const NOTHING_SENT = 'Nothing was sent.'

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
          <span className="block truncate" dir="auto">
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
