import { useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { useBoot } from '../../account.ts'
import { api, type Page } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, FormDialog, openDialog, useClose } from '../../ui/dialog.tsx'
import { Problem, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'
import { fromField } from '../share/dates.ts'
import { useMessage } from '../share/personal-link.tsx'
import { invitationsKey } from '../share/standing.ts'

const NO_MAIL =
  'Mail is not set up: copy their links from the list instead. A mail written here waits in the ' +
  'outbox of this server, for '

/** @param email of one approver; left out where all who are awaited are asked */
export function askApprovers(page: Page, whom: string, email?: string): void {
  openDialog(<AskDialog {...{ page, whom, email }} />)
}

function AskDialog({ page, whom, email }: { page: Page; whom: string; email: string | undefined }) {
  const close = useClose()
  const { message, field } = useMessage()
  const [day, setDay] = useState('')
  const { sends_mails: sendsMails } = useBoot()
  const request = useAction(
    () =>
      api.requestApprovals({
        id: page.id,
        message,
        due_at: fromField(`${day}T23:59`),
        ...(email && { emails: [email] }),
      }),
    {
      hasPlace: true,
      refresh: [['approvals', page.id], invitationsKey(page)],
      onDone({ data: { asked, not_admitted: notAdmitted } }) {
        const { length } = asked
        const toast = sendsMails
          ? `${count(length, 'approver')} asked by mail`
          : `${count(length, 'mail waits', 'mails wait')} in the outbox: this server sends none.`
        if (length > 0 || notAdmitted.length === 0) showToast(toast)
        if (notAdmitted.length === 0) close()
      },
    },
  )
  const notAdmitted = request.data?.data.not_admitted ?? []
  if (notAdmitted.length > 0) {
    return (
      <Dialog title="Not everybody was asked" actions={<Button onClick={close}>Close</Button>}>
        <p className="break-words">
          Those who may not open the page were not asked: {notAdmitted.join(', ')}. Let them in
          under Share, and ask again.
        </p>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Ask for a decision"
      action={sendsMails ? 'Send' : 'Put in the outbox'}
      cancel="Cancel"
      mutation={request}
      unsent={message || day ? 'your request' : null}
    >
      <p className="break-words">
        {sendsMails ? 'A mail with a personal link goes to ' : NO_MAIL}
        {whom}.
      </p>
      {field}
      <TextField
        type="date"
        label="Due"
        help={
          sendsMails
            ? 'Reminders go out three days and one day before.'
            : 'Approvers read it beside the page.'
        }
        min={new Date().toISOString().slice(0, 10)}
        value={day}
        onText={setDay}
      />
      <Problem error={request.error} className="" />
    </FormDialog>
  )
}
