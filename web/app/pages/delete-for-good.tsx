import { useQuery } from '@tanstack/preact-query'
import { deletion, type Losses } from '../../../src/model/deletion.ts'
import { mapConcurrently } from '../../../src/model/map-concurrently.ts'
import { count } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Pending } from '../ui/states.tsx'
import { AT_ONCE, forEach, type Named } from './actions.ts'

const COUNTED = ['responses', 'comments', 'decisions', 'votes', 'versions'] as const
type Counted = (typeof COUNTED)[number]

/** Asks before pages are deleted for good, once what goes with them is counted. */
export default function DeleteForGood({
  pages,
  onDone,
}: {
  pages: readonly Named[]
  onDone(): void
}) {
  const ids = pages.map(({ id }) => id)
  const { data, error, refetch } = useQuery({
    queryKey: ['counts', ...ids],
    queryFn: () => countAll(ids),
    // What came since is counted, too.
    staleTime: 0,
    gcTime: 0,
  })
  const words = deletion(ids.length === 1 ? 'this page' : count(ids.length, 'page'), data)
  const remove = () => void forEach(pages, ({ id }) => api.deletePage({ id })).then(onDone)
  return (
    <Confirm {...words} warning={data && words.warning} onConfirm={data && remove}>
      {data === undefined && <Pending error={error} onRetry={refetch} rows={1} />}
    </Confirm>
  )
}

async function countAll(ids: readonly string[]): Promise<Losses> {
  const counts = await mapConcurrently(ids, AT_ONCE, (id) => api.countPage({ id }))
  const sumOf = (name: Counted) => counts.reduce((sum, { data }) => sum + data[name], 0)
  return Object.fromEntries(COUNTED.map((name) => [name, sumOf(name)]))
}
