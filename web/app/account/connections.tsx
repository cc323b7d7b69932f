import { useQuery } from '@tanstack/preact-query'
import { SCOPE_WORDS } from '../../../src/model/account.ts'
import { exactTime } from '../../time-words.ts'
import { api, type Output, read } from '../api.ts'
import { ConfirmButton } from '../ui/dialog.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

type Connection = Output<'listConnections'>['data'][number]
const CONNECTIONS = ['connections']
const IDENTITIES = ['identities']

/** The apps that may act for the account. Nothing where there is none. */
export function Connections() {
  const { data = [] } = useQuery(read(CONNECTIONS, () => api.listConnections(), 30_000))
  const end = useAction(({ id }: Connection) => api.endConnection({ connection_id: id }), {
    said: 'Disconnected',
    refresh: [CONNECTIONS],
  })
  if (data.length === 0) return null
  return (
    <Section title="Connected apps" about="They act for your account until you disconnect them.">
      <RowList>
        {data.map((app) => (
          <ListRow
            key={app.id}
            name={nameOf(app)}
            hint={`Allowed ${exactTime(app.created_at)}`}
            about={
              <>
                {app.host === null ? 'It gave its name itself' : <bdi>{app.host}</bdi>},{' '}
                <Time words="last used" none="never used" at={app.last_used_at} />
                {app.scopes.map((scope) => (
                  <span key={scope} className="block">
                    {SCOPE_WORDS[scope]}
                  </span>
                ))}
              </>
            }
          >
            <ConfirmButton
              label="Disconnect"
              name={`Disconnect ${nameOf(app)}`}
              title={`Disconnect ${nameOf(app)}?`}
              action="Disconnect"
              onConfirm={() => end.mutate(app)}
            >
              <p>It is refused from now on, and webhooks that it made end. It can ask again.</p>
            </ConfirmButton>
          </ListRow>
        ))}
      </RowList>
    </Section>
  )
}

function nameOf({ name, host }: Connection): string {
  return name ?? host ?? 'An app without a name'
}

/** The providers that sign in to the account. Nothing where there is none. */
export function SingleSignOn() {
  const { data: identities = [] } = useQuery(read(IDENTITIES, () => api.listIdentities()))
  const unlink = useAction((id: string) => api.unlinkIdentity({ identity_id: id }), {
    said: 'Unlinked',
    refresh: [IDENTITIES],
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
                <Time words="last used" none="never used" at={identity.last_used_at} />
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
