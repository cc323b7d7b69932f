import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../../../src/client/index.ts'
import { api, messageOf } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { count } from '../../../ui/text.ts'
import { fromField, ownZone } from '../dates.ts'
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
  useUnsent('Message to approvers', message !== '' && data === undefined)
  if (data) return <Asked {...data} onDone={onDone} />
  return (
    <div className="grid gap-3">
      <TextArea
        label="Message"
        help="Optional. It stands in the mail above the link."
        rows={2}
        maxLength={2000}
        dir="auto"
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      <TextField
        label="Due"
        type="datetime-local"
        help={`Optional, in ${ownZone()}. Reminders go out three days and one day before.`}
        value={due}
        onChange={({ target }) => setDue(target.value)}
      />
      {error && (
        <p role="alert" className="text-13 text-danger">
          {messageOf(error)}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" disabled={isPending} onClick={() => mutate()}>
          Send to {count(waiting, 'approver')}
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

interface AskedProps {
  asked: { email: string }[]
  not_admitted: string[]
  onDone(): void
}

function Asked({ asked, not_admitted: notAdmitted, onDone }: AskedProps) {
  return (
    <div className="grid justify-items-start gap-2 text-13">
      <p role="status">
        {asked.length > 0
          ? `Asked: ${asked.map(({ email }) => email).join(', ')}.`
          : 'Nobody was asked.'}
      </p>
      {notAdmitted.length > 0 && (
        <p className="text-danger">
          Not asked, since they may not open the page: {notAdmitted.join(', ')}.
        </p>
      )}
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
