import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../../../src/client/index.ts'
import { api } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { count } from '../../../ui/text.ts'
import { MailForm, MailReport } from '../mail-form.tsx'
import { useSharing } from '../sharing.ts'
import { useUnsent } from '../use-unsent.ts'

type Invited = Output<'invitePeople'>['data']

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
    <MailForm
      message={message}
      onMessage={setMessage}
      verb={`Send ${count(emails.length, 'invitation')}`}
      error={error}
      isSending={isPending}
      onSend={mutate}
      onCancel={onDone}
    />
  )
}

function Sent({
  mailed,
  not_admitted: notAdmitted,
  mailed_before: mailedBefore,
  onDone,
}: Invited & { onDone(): void }) {
  return (
    <MailReport
      text={mailed.length > 0 ? `${count(mailed.length, 'invitation')} sent.` : 'Nothing was sent.'}
      problem={
        notAdmitted.length > 0
          ? `Not mailed, since they may not open the page: ${notAdmitted.join(', ')}.`
          : null
      }
      onDone={onDone}
    >
      {mailedBefore.length > 0 && (
        <p className="text-muted">Mailed often enough today: {mailedBefore.join(', ')}.</p>
      )}
    </MailReport>
  )
}
