import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { Output } from '../../../src/client/index.ts'
import { api } from '../api.ts'
import { Facts } from '../ui/facts.tsx'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { count, formatBytes, formatNumber } from '../ui/text.ts'
import { Time } from '../ui/time.tsx'

type Health = Output<'getHealth'>['data']
type Storage = Output<'getStorage'>['data']

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const SENTENCES = {
  ok: 'Everything works.',
  warning: 'Everything works, but something needs your attention.',
  failing: 'Something does not work.',
}
const NAMES = {
  database: 'Database',
  files: 'Files',
  disk: 'Disk',
  backup: 'Backups',
  mail: 'Mail',
  address: 'Address',
}

/** The state of each part of the server, with what to do, and how much is stored. */
export function Health() {
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'health'],
    queryFn: async () => (await api.getHealth()).data,
    refetchInterval: 30_000,
  })
  const storage = useQuery({
    queryKey: ['operator', 'storage'],
    queryFn: async () => (await api.getStorage()).data,
  })
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={4} />
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-12">
      <Section
        title={SENTENCES[data.state]}
        about={
          <>
            Version {data.version} on {ENGINES[data.engine]}, started <Time at={data.started_at} />
          </>
        }
      >
        <ul className="border-t border-line">
          {data.parts.map((part) => (
            <Part key={part.name} part={part} />
          ))}
        </ul>
      </Section>
      {storage.data && <Stored storage={storage.data} />}
    </div>
  )
}

const MARKS = {
  ok: { Icon: CircleCheck, word: 'Works', tone: 'text-muted' },
  warning: { Icon: TriangleAlert, word: 'Needs attention', tone: 'text-ink' },
  failing: { Icon: CircleX, word: 'Does not work', tone: 'text-danger' },
}

function Part({ part }: { part: Health['parts'][number] }) {
  const { Icon, word, tone } = MARKS[part.state]
  return (
    <li className="flex gap-3 border-b border-line py-3">
      <Icon size={18} aria-label={word} className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <h3 className="font-medium">{NAMES[part.name]}</h3>
        <p className="text-13 break-words text-muted">{part.message}</p>
        {part.cure && <p className="text-13 break-words">{part.cure}</p>}
      </div>
    </li>
  )
}

function Stored({ storage }: { storage: Storage }) {
  const { pages, published_pages: live, taken_down_pages: takenDown } = storage
  const facts: [string, string][] = [
    ['Accounts', `${formatNumber(storage.accounts)}, ${count(storage.guests, 'guest')}`],
    ['Pages', `${formatNumber(pages)}, ${formatNumber(live)} live, ${takenDown} taken down`],
    ['Files', `${count(storage.files, 'file')}, ${formatBytes(storage.file_bytes)}`],
    [
      'Responses',
      `${count(storage.responses, 'response')}, ${formatBytes(storage.response_bytes)}`,
    ],
    ['Database on disk', formatBytes(storage.database_bytes)],
  ]
  return (
    <Section title="Stored">
      <Facts facts={facts} />
    </Section>
  )
}
