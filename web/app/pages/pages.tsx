import { Plus } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import { Screen } from '../frame/screen.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { type Filters, filtersIn, isNarrowed, queryOf } from './filters.ts'
import { FirstPage } from './first-page/first-page.tsx'
import { List } from './list.tsx'
import { NewKey, useNewKey } from './new-key.tsx'
import { useList } from './use-list.ts'

/** All pages of the account. */
export function PagesScreen() {
  const [filters, setFilters] = useFilters()
  const list = useList(filters)
  const { key, putAway } = useNewKey()
  const { pages, isPending, isError, error, isPlaceholderData, refetch } = list
  const isEmpty = !isPending && !isError && !isPlaceholderData && pages.length === 0
  if (isEmpty && !isNarrowed(filters)) {
    return <FirstPage action={<NewPage />} />
  }
  return (
    <Screen title="Pages" action={<NewPage />}>
      {key !== null && (
        <div className="mb-6 max-w-2xl">
          <NewKey apiKey={key} onStored={putAway} />
        </div>
      )}
      {!isPending && <List list={list} filters={filters} onFilters={setFilters} />}
      {isPending && <Pending error={error} onRetry={refetch} />}
      {isEmpty && (
        <Empty title="No page matches">
          <Button onClick={() => setFilters({})}>Show all pages</Button>
        </Empty>
      )}
    </Screen>
  )
}

function NewPage() {
  return (
    <Link href="/new" className={buttonClass('primary')} role="button">
      <Plus size={16} aria-hidden />
      New page
    </Link>
  )
}

/** The filters of the address. What is typed replaces the entry of the history. */
function useFilters(): [Filters, (filters: Filters, isTyping?: boolean) => void] {
  const query = useSearch()
  const [, navigate] = useLocation()
  return [
    filtersIn(query),
    (filters, isTyping = false) => {
      const next = queryOf(filters)
      navigate(next === '' ? '' : `?${next}`, { replace: isTyping })
    },
  ]
}
