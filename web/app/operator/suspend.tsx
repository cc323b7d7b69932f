import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { count } from '../ui/text.ts'
import { showError, showToast } from '../ui/toast.tsx'

type Listed = Output<'listAccounts'>['data'][number]

/** Asks before an account is suspended, and names what stops. */
export function Suspend({ account, onClose }: { account: Listed; onClose(): void }) {
  const client = useQueryClient()
  const { id, email, is_guest: isGuest, published_pages: live } = account
  const pages = live === 0 ? 'its pages' : `its ${count(live, 'live page')}`
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.suspendAccount({ account_id: id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['operator'] })
      showToast(`${email} is suspended`)
      onClose()
    },
    onError: (err) => showError(messageOf(err)),
  })
  return (
    <Dialog
      title="Suspend this account?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button look="danger" disabled={isPending} onClick={() => mutate()}>
            Suspend account
          </Button>
        </>
      }
    >
      <p className="mb-3 break-words">
        From now on, for <b className="font-medium">{email}</b>:
      </p>
      <ul className="mb-3 grid list-disc gap-1 pl-5">
        {!isGuest && (
          <li>Visitors of {pages} meet a notice, and nobody can answer or comment there.</li>
        )}
        <li>Its sessions end, and nobody can sign in to it.</li>
        {!isGuest && (
          <li>API keys and upload links are refused. Exports, imports and its mails stop.</li>
        )}
      </ul>
      <p>Nothing is deleted: undo it here, and everything is as it was. Its owner is mailed.</p>
    </Dialog>
  )
}

/** Ends a suspension, for the button in the list. */
export function useEndSuspension() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Listed) => api.endSuspension({ account_id: id }),
    onSuccess: ({ data }) => showToast(`${data.email} is not suspended any more`),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator'] }),
  })
}
