import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/compat'
import { count } from '../../../../../src/model/numbers.ts'
import { useBoot } from '../../../account.ts'
import { api, type Page, read } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog, openDialog, useClose } from '../../../ui/dialog.tsx'
import { Note, Problem } from '../../../ui/field.tsx'
import { ListRow, RowList } from '../../../ui/section.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAction } from '../../../use-action.ts'
import { AccessAnswer } from '../../access-answer.tsx'
import { AddressList } from '../address-list.tsx'
import { Invited, type InvitedPeople, useInvitations } from '../invitations.tsx'
import { NoMailNote, useMessage } from '../personal-link.tsx'
import { SettingSwitch } from '../section.tsx'
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
  const [invited, setInvited] = useState<InvitedPeople | null>(null)
  if (saved.allowed_emails.length === 0) return null
  const later = sendsMails ? 'mail them the link' : 'copy their links'
  if (!page.is_published) return <Note>Publish the page to {later}.</Note>
  if (!sendsMails) return null
  const write = () => openDialog(<InviteAll page={saved} onMailed={setInvited} />)
  return (
    <>
      <Button className="justify-self-start" onClick={write}>
        Mail everyone the link
      </Button>
      {invited && <Invited {...invited} />}
    </>
  )
}

function InviteAll({ page, onMailed }: { page: Page; onMailed(people: InvitedPeople): void }) {
  const { id, allowed_emails: emails } = page
  const close = useClose()
  const { message, field } = useMessage()
  const sending = useAction(() => api.invitePeople({ id, emails: [...emails], message }), {
    hasPlace: true,
    refresh: [invitationsKey(page)],
    onDone: ({ data }) => [onMailed(data), close()],
  })
  return (
    <FormDialog
      title="Mail everyone the link"
      action={`Send ${count(emails.length, 'invitation')}`}
      cancel="Cancel"
      mutation={sending}
      unsent={message && 'your message'}
    >
      {field}
      <Problem error={sending.error} className="" />
    </FormDialog>
  )
}

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
      <RowList aria-labelledby={heading}>
        {waiting.map((request) => (
          <ListRow
            key={request.id}
            name={request.email}
            about={<Time words="asked" at={request.created_at} />}
          >
            <AccessAnswer pageId={page.id} request={request} />
          </ListRow>
        ))}
      </RowList>
    </div>
  )
}
