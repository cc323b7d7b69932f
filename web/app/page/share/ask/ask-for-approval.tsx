import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../../../src/client/index.ts'
import { api } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { count } from '../../../ui/text.ts'
import { fromField, ownZone } from '../dates.ts'
import { MailForm, MailReport } from '../mail-form.tsx'
import { useSharing } from '../sharing.ts'
import { useUnsent } from '../use-unsent.ts'

type Approvals = Output<'getApprovals'>['data']

/** Asks those who have not decided, by mail, with a message and a day. */
export function AskForApproval({ approvals }: { approvals: Approvals }) {
  const { page } = useSharing()
  const [isOpen, setOpen] = useState(false)
  const { waiting } = approvals.counts
  if (!page.is_published) {
    return <p className="text-13 text-muted">Publish the page to ask for approval.</p>
  }
  if (waiting === 0) return <p className="text-13 text-muted">Everyone has decided.</p>
  if (isOpen) return <AskForm waiting={waiting} onDone={() => setOpen(false)} />
  return (
    <Button className="justify-self-start" onClick={() => setOpen(true)}>
      Ask {count(waiting, 'approver')} by email
    </Button>
  )
}

function AskForm({ waiting, onDone }: { waiting: number; onDone(): void }) {
  const { page } = useSharing()
  const client = useQueryClient()
  const [message, setMessage] = useState('')
  const [due, setDue] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () =>
      (
        await api.requestApprovals({
          id: page.id,
          ...(message.trim() && { message }),
          ...(due && { due_at: fromField(due) }),
        })
      ).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['approvals', page.id] }),
  })
  useUnsent('Request to approvers', (message !== '' || due !== '') && data === undefined)
  if (data) return <Asked {...data} onDone={onDone} />
  return (
    <MailForm
      message={message}
      onMessage={setMessage}
      verb={`Send to ${count(waiting, 'approver')}`}
      error={error}
      isSending={isPending}
      onSend={mutate}
      onCancel={onDone}
    >
      <TextField
        label="Due"
        type="datetime-local"
        help={`Optional, in ${ownZone()}. Reminders go out three days and one day before.`}
        value={due}
        onChange={({ target }) => setDue(target.value)}
      />
    </MailForm>
  )
}

interface AskedProps {
  asked: { email: string }[]
  not_admitted: string[]
  onDone(): void
}

function Asked({ asked, not_admitted: notAdmitted, onDone }: AskedProps) {
  const emails = asked.map(({ email }) => email).join(', ')
  return (
    <MailReport
      text={emails === '' ? 'Nobody was asked.' : `Asked: ${emails}.`}
      problem={
        notAdmitted.length > 0
          ? `Not asked, since they may not open the page: ${notAdmitted.join(', ')}.`
          : null
      }
      onDone={onDone}
    />
  )
}
