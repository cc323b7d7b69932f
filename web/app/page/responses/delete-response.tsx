import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { api, messageOf } from '../../api.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showError } from '../../ui/toast.tsx'

const KEY = 'delete-response'

/** Deletes responses: gone at once, and back with a message where the server refuses it. */
export function useDeletion(pageId: string) {
  const client = useQueryClient()
  const mutationKey = [KEY, pageId]
  const leaving = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as string,
  })
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (id: string) => api.deleteResponse({ id: pageId, response_id: id }),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['responses', pageId] }),
  })
  return { isLeaving: (id: string) => leaving.includes(id), remove: mutate }
}

interface DeleteResponseProps {
  sender: string
  onConfirm(): void
  onClose(): void
}

/** Asks by naming whose response goes. */
export function DeleteResponse({ sender, onConfirm, onClose }: DeleteResponseProps) {
  return (
    <Confirm
      title="Delete this response?"
      action="Delete response"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        What <bdi>{sender}</bdi> sent goes for good. The same person can then respond again.
      </p>
    </Confirm>
  )
}
