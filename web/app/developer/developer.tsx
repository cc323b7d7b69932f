import { useQuery } from '@tanstack/preact-query'
import { Suspense, useState } from 'preact/compat'
import { limitsInWords } from '../../../src/model/account.ts'
import { deletion } from '../../../src/model/deletion.ts'
import { api, type Output, queryClient, read } from '../api.ts'
import { Connect, NewKey } from '../connect/connect.tsx'
import { Screen } from '../frame/screen.tsx'
import { SubmitButton } from '../ui/button.tsx'
import { ConfirmButton, Form } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { Pending, Skeleton } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'
import { LimitFields, limitsFor, NO_LIMITS } from './key-limits.tsx'

const Webhooks = lazy(() => import('./webhooks.tsx'))

const KEYS = ['keys']

export default function DeveloperScreen() {
  const [newKey, setNewKey] = useState<string | null>(null)
  // The time of a key's last use changes without an action here.
  const { data, error, refetch } = useQuery(read(KEYS, () => api.listKeys(), 30_000))
  return (
    <Screen title="Developer">
      <div className="grid max-w-2xl grid-cols-1 gap-12">
        <Section
          title="API keys"
          about="A key acts for your account. Make one for each program, to revoke it alone."
        >
          <CreateKey newKey={newKey} onCreated={setNewKey} />
          {data ? <KeyList keys={data} /> : <Pending error={error} onRetry={refetch} rows={3} />}
        </Section>
        <Section
          title="Connect a program"
          about={
            newKey === null
              ? 'By address, or with a key where sm_… stands. Making a key above fills it in.'
              : 'With the key that you have just made.'
          }
        >
          <Connect apiKey={newKey} />
        </Section>
        <Suspense fallback={<Skeleton rows={3} />}>
          <Webhooks />
        </Suspense>
        <Reference />
      </div>
    </Screen>
  )
}

const LINKS = [
  ['/docs/api', 'API reference', 'Every operation, with its parameters and errors'],
  ['/docs/mcp', 'Agents: MCP', 'The tools, and how each client is set up'],
  ['/docs/webhooks', 'Webhooks', 'What is sent, and how to verify it'],
  ['/docs/cli', 'Command line', 'Publish files and folders from a terminal'],
  ['/openapi.json', 'OpenAPI document', 'For generating a client'],
] as const

function Reference() {
  return (
    <Section title="Reference">
      <ul className="border-t border-line">
        {LINKS.map(([path, name, about]) => (
          <li key={path} className="border-b border-line">
            <a href={path} className="flex flex-wrap items-baseline gap-x-4 py-2.5 hover:bg-sunk">
              <span className="w-44 font-medium">{name}</span>
              <span className="text-muted">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function CreateKey({ newKey, onCreated }: { newKey: string | null; onCreated(key: string): void }) {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState(NO_LIMITS)
  function onDone(key: string): void {
    setName('')
    setLimits(NO_LIMITS)
    onCreated(key)
  }
  const create = useAction(
    async () => {
      const input = { name: name.trim() || null, ...limitsFor(limits) }
      return (await api.createKey(input)).data.key
    },
    { hasPlace: true, refresh: [KEYS], onDone },
  )
  return (
    <>
      <Form className="flex flex-wrap items-end gap-2" onSubmit={create.mutate}>
        <div className="min-w-40 flex-1">
          <TextField
            label="Key name"
            placeholder="What uses it, such as laptop"
            maxLength={100}
            autoComplete="off"
            value={name}
            onText={setName}
            error={create.error}
          />
        </div>
        <SubmitButton disabled={create.isPending}>Create key</SubmitButton>
        <LimitFields limits={limits} onChange={setLimits} />
      </Form>
      {newKey !== null && <NewKey apiKey={newKey} />}
    </>
  )
}

const isOver = (at: string) => Date.parse(at) <= Date.now()

type Key = Output<'listKeys'>['data'][number]

function KeyList({ keys }: { keys: Key[] }) {
  const revoke = useAction(({ id }: Key) => api.revokeKey({ key_id: id }), {
    said: 'Key revoked',
    refresh: [KEYS],
    expect({ id }) {
      queryClient.setQueryData<Key[]>(KEYS, (rows) => rows?.filter((key) => key.id !== id))
      return () => queryClient.setQueryData(KEYS, keys)
    },
  })
  if (keys.length === 0) return <p className="text-muted">There are no keys yet.</p>
  return (
    <RowList>
      {keys.map((key) => (
        <ListRow
          key={key.id}
          name={key.name ?? 'Without a name'}
          about={
            <>
              <code>{key.hint}</code>, made <Time at={key.created_at} />
              {limitsInWords(key).map((limit) => `, ${limit}`)}
              {key.expires_at !== null && (
                <Time words={isOver(key.expires_at) ? ', ended' : ', until'} at={key.expires_at} />
              )}
            </>
          }
          facts={<Time words="Used" none="Never used" at={key.last_used_at} />}
        >
          <ConfirmButton
            label="Revoke"
            name={`Revoke ${key.name ?? key.hint}`}
            {...deletion(key.name ?? key.hint, {}, 'Revoke')}
            onConfirm={() => revoke.mutate(key)}
          >
            <p>Programs that use it are refused from now on.</p>
          </ConfirmButton>
        </ListRow>
      ))}
    </RowList>
  )
}
