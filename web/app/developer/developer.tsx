import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Connect } from '../connect/connect.tsx'
import { Screen } from '../frame/screen.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'

/** How programs connect: API keys, configuration to paste, and the reference. */
export default function DeveloperScreen() {
  const [newKey, setNewKey] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await api.listKeys()).data,
    // The time of a key's last use changes without an action here.
    refetchInterval: 30_000,
  })
  return (
    <Screen title="Developer">
      <div className="grid max-w-2xl grid-cols-1 gap-12">
        <Section
          title="API keys"
          about="A key acts for your account. Make one for each program, to revoke it alone."
        >
          <CreateKey newKey={newKey} onCreated={setNewKey} />
          {data === undefined ? (
            <Pending error={error} onRetry={refetch} rows={3} />
          ) : (
            <KeyList keys={data} />
          )}
        </Section>
        <Section
          title="Connect a program"
          about={
            newKey === null
              ? 'Put your key where sm_… stands. Making a key above fills it in.'
              : 'With the key that you have just made.'
          }
        >
          <Connect apiKey={newKey} />
        </Section>
        <Reference />
      </div>
    </Screen>
  )
}

const LINKS = [
  ['/docs/api', 'API reference', 'Every operation, with its parameters and errors'],
  ['/docs/mcp', 'Agents: MCP', 'The tools, and how each client is set up'],
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

interface CreateKeyProps {
  newKey: string | null
  onCreated(key: string): void
}

/** Makes a key, and shows it once. */
function CreateKey({ newKey, onCreated }: CreateKeyProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: async () => (await api.createKey({ name: name.trim() || null })).data,
    onSuccess: ({ key }) => {
      setName('')
      onCreated(key)
      return client.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  return (
    <>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <div className="min-w-48 flex-1">
          <TextField
            label="Key name"
            placeholder="What uses it, such as laptop"
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={create.error && messageOf(create.error)}
          />
        </div>
        <Button type="submit" look="primary" disabled={create.isPending}>
          Create key
        </Button>
      </form>
      {newKey !== null && <NewKey apiKey={newKey} />}
    </>
  )
}

/** A key that was just made: nothing shows it again. */
function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <div className="rounded-card border border-accent bg-raised p-4">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-60 flex-1">
          <TextField
            label="API key"
            help="Store it now. It is shown this once."
            readOnly
            value={apiKey}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13!"
            onFocus={(event) => event.target.select()}
          />
        </div>
        <div className="mb-6">
          <CopyButton text={apiKey} label="Copy key" />
        </div>
      </div>
    </div>
  )
}

type Key = Output<'listKeys'>['data'][number]

/** The API keys of the account, each with a button to revoke it. */
function KeyList({ keys }: { keys: Key[] }) {
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
