import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Section } from '../ui/section.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'

type Identity = Output<'listIdentities'>['data'][number]
const KEY = ['identities']

/** The providers that sign in to the account. Nothing where there is none. */
export function SingleSignOn() {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.listIdentities()).data,
  })
  const [unlinking, setUnlinking] = useState<Identity | null>(null)
  const unlink = useUnlink()
  if (data === undefined || data.length === 0) return null
  const provider = unlinking?.provider
  return (
    <Section title="Single sign-on" about="Signs in to this account, beside the link of a mail.">
      <ul className="border-t border-line">
        {data.map((identity) => (
          <IdentityRow
            key={identity.id}
            identity={identity}
            onUnlink={() => setUnlinking(identity)}
          />
        ))}
      </ul>
      {unlinking && (
        <Confirm
          title={`Unlink ${provider}?`}
          action={`Unlink ${provider}`}
          onConfirm={() => unlink.mutate(unlinking)}
          onClose={() => setUnlinking(null)}
        >
          <p>
            You sign in by the link of a mail from then on. Continuing with {provider} links it
            again, if it names the address of this account.
          </p>
        </Confirm>
      )}
    </Section>
  )
}

function IdentityRow({ identity, onUnlink }: { identity: Identity; onUnlink(): void }) {
  const { provider, email } = identity
  return (
    <li className="flex items-center justify-between gap-4 border-b border-line py-2.5">
      <div className="min-w-0">
        <p className="font-medium break-words" dir="auto">
          {provider}
        </p>
        <p
          className="text-13 break-words text-muted"
          title={`Linked ${exactTime(identity.created_at)}`}
        >
          {email && <bdi>{email}, </bdi>}
          last used <Time at={identity.last_used_at} />
        </p>
      </div>
      <Button onClick={onUnlink} aria-label={`Unlink ${provider}`}>
        Unlink
      </Button>
    </li>
  )
}

function useUnlink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Identity) => api.unlinkIdentity({ identity_id: id }),
    onSuccess: () => showToast('Unlinked'),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}
