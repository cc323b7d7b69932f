import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { count } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import { Confirm } from '../ui/confirm.tsx'
import { forEach } from './trash.ts'

/** Of more pages, what goes with them is not counted. */
const MAX_COUNTED = 100

interface DeleteForGoodProps {
  pages: readonly { id: string }[]
  onDone?(): void
  onClose(): void
}

/** Asks before pages are deleted for good, and names what goes with them. */
export default function DeleteForGood({ pages, onDone, onClose }: DeleteForGoodProps) {
  const client = useQueryClient()
  const ids = pages.map(({ id }) => id)
  const { data: counts } = useQuery({
    queryKey: ['counts', ...ids],
    queryFn: () => Promise.all(ids.map(async (id) => (await api.countPage({ id })).data)),
    enabled: ids.length <= MAX_COUNTED,
  })
  const sum = (name: 'versions' | 'responses' | 'comments' | 'decisions') =>
    (counts ?? []).reduce((total, each) => total + each[name], 0)
  const what = ids.length === 1 ? 'page' : count(ids.length, 'page')
  const goes = (['response', 'comment', 'decision', 'version'] as const)
    .filter((name) => sum(`${name}s`) > 0)
    .map((name) => count(sum(`${name}s`), name))
  const [most, ...rest] = goes
  return (
    <Confirm
      title={ids.length === 1 ? 'Delete this page for good?' : `Delete ${what} for good?`}
      action={`Delete ${what}${most === undefined ? '' : ` and ${most}`}`}
      onClose={onClose}
      onConfirm={() => {
        void forEach(client, pages, api.deletePage).then(onDone)
      }}
    >
      <p>
        {rest.length > 0 && `Also ${rest.join(', ')}. `}
        Nothing of it can be taken back.
      </p>
    </Confirm>
  )
}
