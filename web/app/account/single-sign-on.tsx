import { useQuery } from '@tanstack/preact-query'
import { api } from '../api.ts'
import { read } from '../queries.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

const KEY = ['identities']

/** The providers that sign in to the account. Nothing where there is none. */
export function SingleSignOn() {
  const { data: identities = [] } = useQuery(read(KEY, () => api.listIdentities()))
  const unlink = useAction((id: string) => api.unlinkIdentity({ identity_id: id }), {
    said: 'Unlinked',
    refresh: [KEY],
  })
  if (identities.length === 0) return null
  return (
    <Section title="Single sign-on" about="Signs in to this account, beside the other ways.">
      <RowList>
        {identities.map(({ provider, ...identity }) => (
          <ListRow
            key={identity.id}
            name={provider}
            hint={`Linked ${exactTime(identity.created_at)}`}
            about={
              <>
                {identity.email && <bdi>{identity.email}, </bdi>}
                last used <Time at={identity.last_used_at} />
              </>
            }
          >
            <ConfirmButton
              label="Unlink"
              name={`Unlink ${provider}`}
              title={`Unlink ${provider}?`}
              action={`Unlink ${provider}`}
              onConfirm={() => unlink.mutate(identity.id)}
            >
              <p>
                You sign in another way from then on. Continuing with {provider} links it again, if
                it names the address of this account.
              </p>
            </ConfirmButton>
          </ListRow>
        ))}
      </RowList>
    </Section>
  )
}
