import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useUnsentForm } from '../../ui/leave-notice.tsx'
import { count } from '../../ui/text.ts'
import { showError, showToast } from '../../ui/toast.tsx'
import { endOf } from './standing.ts'

const MAX_MESSAGE = 2000

interface AskDialogProps {
  page: Page
  /** Null: everybody who is awaited. */
  email: string | null
  waiting: number
  onClose(): void
}

/** Asks approvers by mail, with words and a day. */
export function AskDialog({ page, email, waiting, onClose }: AskDialogProps) {
  const client = useQueryClient()
  const form = useId()
  const [message, setMessage] = useState('')
  const [day, setDay] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const about = { message: message.trim() || null, due_at: endOf(day) }
      return (
        await api.requestApprovals({ id: page.id, ...about, ...(email && { emails: [email] }) })
      ).data
    },
    onSuccess({ asked, not_admitted: left }) {
      if (asked.length > 0) showToast(`${count(asked.length, 'approver')} asked by mail`)
      if (left.length > 0) {
        showError(`Not asked, because they may not open the page: ${left.join(', ')}`)
      }
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals', page.id] }),
  })
  const isTyped = message.trim() !== '' || day !== ''
  const { close, question } = useUnsentForm({ unsent: isTyped ? 'your request' : null, onClose })
  return (
    <Dialog
      title="Ask for a decision"
      onClose={close}
      actions={
        question || (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={form} look="primary" disabled={isPending}>
              Send
            </Button>
          </>
        )
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="break-words">
          A mail with the link goes to{' '}
          {email ?? `${count(waiting, 'approver')} whose decision is missing`}.
        </p>
        <TextArea
          label="Message"
          help="Stands in the mail. May be left empty."
          rows={4}
          dir="auto"
          maxLength={MAX_MESSAGE}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <TextField
          type="date"
          label="Due"
          help="Reminders go out three days and one day before."
          min={new Date().toISOString().slice(0, 10)}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
        {error && (
          <p role="alert" className="text-danger">
            {messageOf(error)}
          </p>
        )}
      </form>
    </Dialog>
  )
}
