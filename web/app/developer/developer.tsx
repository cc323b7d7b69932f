import { useQuery } from '@tanstack/preact-query'
import { type ReactNode, Suspense, useId, useState } from 'preact/compat'
import type { Input } from '../../../src/client/index.ts'
import { limitsInWords, SCOPES, type Scope } from '../../../src/model/account.ts'
import { deletion } from '../../../src/model/deletion.ts'
import { api, type Output, queryClient, read } from '../api.ts'
import { Connect, NewKey } from '../connect/connect.tsx'
import { Screen } from '../frame/screen.tsx'
import { SubmitButton } from '../ui/button.tsx'
import { ConfirmButton, Form } from '../ui/dialog.tsx'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { Pending, Skeleton } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

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

type FormLimits = typeof NO_LIMITS

const NO_LIMITS = {
  scopes: [...SCOPES],
  /** The links or ids of pages, each in a line of its own; empty: all pages. */
  pages: '',
  /** Days until it ends; empty: never. */
  days: '',
  isConfirmedOnly: false,
}

const DAY_MS = 86_400_000
const DAYS = { '': 'Never', 7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' }
const MAY: Record<Scope, [title: string, about: string]> = {
  'pages:read': ['Read pages', 'Their content, settings and versions, passwords included.'],
  'pages:write': ['Make and change pages', 'Publish, edit, invite, reply, delete.'],
  'feedback:read': ['Read feedback', 'Responses, comments, decisions, votes and analytics.'],
}

function limitsFor({ scopes, pages, days, isConfirmedOnly }: FormLimits) {
  const names = pages.split(/[\s,]+/).filter((name) => name !== '')
  return {
    scopes,
    page_ids: names.length === 0 ? null : names,
    expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    confirmed_only: isConfirmedOnly,
  } satisfies Input<'createKey'>
}

interface LimitFieldsProps {
  limits: FormLimits
  onChange(limits: FormLimits): void
}

/** What a new key may do, folded away: most keys have no limits. */
function LimitFields({ limits, onChange }: LimitFieldsProps) {
  const { scopes, pages, days, isConfirmedOnly } = limits
  const change = (part: Partial<FormLimits>) => onChange({ ...limits, ...part })
  return (
    <details className="basis-full pt-1">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        Limit what it may do
      </summary>
      <div className="grid gap-4 pt-3 sm:grid-cols-2">
        <fieldset className="grid content-start gap-2">
          <legend className="pb-1 text-13 font-medium">It may</legend>
          {SCOPES.map((scope) => (
            <Box
              key={scope}
              title={MAY[scope][0]}
              isTicked={scopes.includes(scope)}
              onTick={(isOn) =>
                change({ scopes: SCOPES.filter((s) => (s === scope ? isOn : scopes.includes(s))) })
              }
            >
              {MAY[scope][1]}
            </Box>
          ))}
          <Box
            title="Only feedback of confirmed people"
            isTicked={isConfirmedOnly}
            onTick={(isOn) => change({ isConfirmedOnly: isOn })}
          >
            For agents that act on what viewers say. Words of people who confirmed no address do not
            reach it.
          </Box>
        </fieldset>
        <div className="grid content-start gap-4">
          <TextArea
            label="Only these pages"
            placeholder="All pages"
            help="Their links, one in a line."
            rows={3}
            maxLength={20_000}
            value={pages}
            onText={(text) => change({ pages: text })}
          />
          <Select
            label="It ends"
            options={DAYS}
            value={days}
            onText={(text) => change({ days: text })}
          />
        </div>
      </div>
    </details>
  )
}

interface BoxProps {
  title: string
  isTicked: boolean
  onTick(isTicked: boolean): void
  children: ReactNode
}

function Box({ title, isTicked, onTick, children }: BoxProps) {
  const id = useId()
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        checked={isTicked}
        aria-describedby={id}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0"
      />
      <span>
        {title}
        <span id={id} className="block text-13 text-muted">
          {children}
        </span>
      </span>
    </label>
  )
}
