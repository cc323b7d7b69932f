import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import { api } from '../api.ts'
import { read } from '../queries.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

type Identity = Output<'listIdentities'>['data'][number]
const KEY = ['identities']

/** The providers that sign in to the account. Nothing where there is none. */
export function SingleSignOn() {
  const { data: identities = [] } = useQuery(read(KEY, () => api.listIdentities()))
  const [unlinking, setUnlinking] = useState<Identity | null>(null)
  const unlink = useAction(({ id }: Identity) => api.unlinkIdentity({ identity_id: id }), {
    said: 'Unlinked',
    refresh: [KEY],
  })
  if (identities.length === 0) return null
  const provider = unlinking?.provider
  return (
    <Section title="Single sign-on" about="Signs in to this account, beside the other ways.">
      <RowList>
        {identities.map((identity) => (
          <ListRow
            key={identity.id}
            name={identity.provider}
            hint={`Linked ${exactTime(identity.created_at)}`}
            about={
              <>
                {identity.email && <bdi>{identity.email}, </bdi>}
                last used <Time at={identity.last_used_at} />
              </>
            }
          >
            <Button
              onClick={() => setUnlinking(identity)}
              aria-label={`Unlink ${identity.provider}`}
            >
              Unlink
            </Button>
          </ListRow>
        ))}
      </RowList>
      {unlinking && (
        <Confirm
          title={`Unlink ${provider}?`}
          action={`Unlink ${provider}`}
          onConfirm={() => unlink.mutate(unlinking)}
          onClose={() => setUnlinking(null)}
        >
          <p>
            You sign in another way from then on. Continuing with {provider} links it again, if it
            names the address of this account.
          </p>
        </Confirm>
      )}
    </Section>
  )
}
