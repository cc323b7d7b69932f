import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'

type Key = Output<'listKeys'>['data'][number]

/** The API keys of the account, each with a button to revoke it. */
export function KeyList({ keys }: { keys: Key[] }) {
  const [revoking, setRevoking] = useState<Key | null>(null)
  const revoke = useRevoke()
  if (keys.length === 0) return <p className="text-muted">There are no keys yet.</p>
  return (
    <>
      <ul className="border-t border-line">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-4 border-b border-line py-2.5">
            <div className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[1fr_auto]">
              <p className="truncate font-medium" dir="auto">
                {key.name ?? 'Without a name'}
              </p>
              <p className="text-13 text-muted sm:row-span-2 sm:text-right">
                {key.last_used_at === null ? (
                  'Never used'
                ) : (
                  <>
                    Used <Time at={key.last_used_at} />
                  </>
                )}
              </p>
              <p className="text-13 text-muted">
                <code>{key.hint}</code>, made <Time at={key.created_at} />
              </p>
            </div>
            <Button onClick={() => setRevoking(key)} aria-label={`Revoke ${key.name ?? key.hint}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoking && (
        <Confirm
          title="Revoke this key?"
          action={`Revoke ${revoking.name ?? revoking.hint}`}
          onConfirm={() => revoke.mutate(revoking)}
          onClose={() => setRevoking(null)}
        >
          <p>Programs that use it are refused from now on. It cannot be given back.</p>
        </Confirm>
      )}
    </>
  )
}

function useRevoke() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Key) => api.revokeKey({ key_id: id }),
    onMutate: ({ id }) => {
      const before = client.getQueryData<Key[]>(['keys'])
      client.setQueryData<Key[]>(['keys'], (keys) => keys?.filter((key) => key.id !== id))
      return { before }
    },
    onSuccess: () => showToast('Key revoked'),
    onError: (err, _, context) => {
      client.setQueryData(['keys'], context?.before)
      showError(messageOf(err))
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['keys'] }),
  })
}
