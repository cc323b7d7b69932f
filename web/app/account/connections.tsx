import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import { SCOPE_WORDS } from '../../../src/model/account.ts'
import { api } from '../api.ts'
import { read } from '../queries.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { exactTime, Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

type Connection = Output<'listConnections'>['data'][number]
const KEY = ['connections']

/** The apps that may act for the account. Nothing where there is none. */
export function Connections() {
  const { data = [] } = useQuery(read(KEY, () => api.listConnections(), 30_000))
  const [ending, setEnding] = useState<Connection | null>(null)
  const end = useAction(({ id }: Connection) => api.endConnection({ connection_id: id }), {
    said: 'Disconnected',
    refresh: [KEY],
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
                {app.last_used_at === null ? (
                  'never used'
                ) : (
                  <>
                    last used <Time at={app.last_used_at} />
                  </>
                )}
                {app.scopes.map((scope) => (
                  <span key={scope} className="block">
                    {SCOPE_WORDS[scope]}
                  </span>
                ))}
              </>
            }
          >
            <Button onClick={() => setEnding(app)} aria-label={`Disconnect ${nameOf(app)}`}>
              Disconnect
            </Button>
          </ListRow>
        ))}
      </RowList>
      {ending && (
        <Confirm
          title={`Disconnect ${nameOf(ending)}?`}
          action="Disconnect"
          onConfirm={() => end.mutate(ending)}
          onClose={() => setEnding(null)}
        >
          <p>It is refused from now on, and webhooks that it made end. It can ask again.</p>
        </Confirm>
      )}
    </Section>
  )
}

function nameOf({ name, host }: Connection): string {
  return name ?? host ?? 'An app without a name'
}
