import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../../../src/client/index.ts'
import { api, messageOf } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { count } from '../../../ui/text.ts'
import { useSharing } from '../sharing.ts'
import { useUnsent } from '../use-unsent.ts'

type Invited = Output<'invitePeople'>['data']

const MESSAGE_LENGTH = 2000

/** Mails people the link: those who were just added, or else everyone on the list. */
export function Invitations({ added }: { added: readonly string[] }) {
  const { page, saved } = useSharing()
  const [isOpen, setOpen] = useState(false)
  const onList = added.filter((email) => saved.allowed_emails.includes(email))
  const emails = onList.length > 0 ? onList : saved.allowed_emails
  if (emails.length === 0) return null
  if (!page.is_published) {
    return <p className="text-13 text-muted">Publish the page to mail them the link.</p>
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
  const { page } = useSharing()
  const [message, setMessage] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const text = message.trim() ? { message } : {}
      return (await api.invitePeople({ id: page.id, emails: [...emails], ...text })).data
    },
  })
  useUnsent('Message of the invitation', message.trim() !== '' && data === undefined)
  if (data) return <Sent {...data} onDone={onDone} />
  return (
    <div className="grid gap-3">
      <TextArea
        label="Message"
        help="Optional. It stands in the mail above the link."
        rows={2}
        maxLength={MESSAGE_LENGTH}
        dir="auto"
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      {error && (
        <p role="alert" className="text-13 text-danger">
          {messageOf(error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={isPending} onClick={() => mutate()}>
          Send {count(emails.length, 'invitation')}
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function Sent({
  mailed,
  not_admitted: notAdmitted,
  mailed_before: mailedBefore,
  onDone,
}: Invited & { onDone(): void }) {
  return (
    <div className="grid justify-items-start gap-2 text-13 break-words">
      <p role="status">
        {mailed.length > 0 ? `${count(mailed.length, 'invitation')} sent.` : 'Nothing was sent.'}
      </p>
      {mailedBefore.length > 0 && (
        <p className="text-muted">Mailed often enough today: {mailedBefore.join(', ')}.</p>
      )}
      {notAdmitted.length > 0 && (
        <p className="text-danger">
          Not mailed, since they may not open the page: {notAdmitted.join(', ')}.
        </p>
      )}
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
