import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { useBoot } from '../account.ts'
import { api } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { StateMark } from '../page/state-mark.tsx'
import { accessInShort, nameOf, shownLink, stateOf } from '../page/words.ts'
import { useStore } from '../store.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { formatNumber } from '../ui/text.ts'
import { Time } from '../ui/time.tsx'
import { leaving } from './delete.ts'

/** All pages of the account. */
export function PagesScreen() {
  const boot = useBoot()
  const { data, error, refetch } = useQuery({
    queryKey: ['pages', 'list'],
    queryFn: () => api.listPages({}),
    ...(boot.pages && { initialData: boot.pages }),
    refetchInterval: 10_000,
  })
  const hidden = useStore(leaving)
  return (
    <Screen
      title="Pages"
      action={
        <Link href="/new" className={buttonClass('primary')} role="button">
          <Plus size={16} aria-hidden />
          New page
        </Link>
      }
    >
      {data === undefined && (error ? <Failure error={error} onRetry={refetch} /> : <Skeleton />)}
      {data?.data.length === 0 && <Empty title="Nothing published yet" />}
      <ul>
        {data?.data
          .filter(({ id }) => !hidden.has(id))
          .map((page) => (
            <li key={page.id} className="border-b border-line">
              <Link href={`/pages/${page.id}`} className="grid gap-1 py-3 hover:bg-sunk">
                <span className="font-medium">{nameOf(page)}</span>
                <span className="font-mono text-13 text-muted">{shownLink(page.url)}</span>
                <span className="flex gap-4 text-13 text-muted">
                  <StateMark state={stateOf(page)} />
                  {accessInShort(page)}
                  <span>{formatNumber(page.views)}</span>
                  <Time at={page.updated_at} />
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </Screen>
  )
}
