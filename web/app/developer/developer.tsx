import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Connect } from '../connect/connect.tsx'
import { Screen } from '../frame/screen.tsx'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyList } from './key-list.tsx'

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
