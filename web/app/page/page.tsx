import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../src/client/index.ts'
import { NotFound } from '../frame/not-found.tsx'
import { useTitle } from '../frame/screen.tsx'
import { Pending } from '../ui/states.tsx'
import { PageHeader } from './header.tsx'
import { pageQuery } from './queries.ts'
import { PageTab } from './tabs.tsx'
import { nameOf } from './words.ts'

/** A page: its header, and the tab of the address. */
export default function PageScreen({ id, tab }: { id: string; tab: string }) {
  const { data: page, error, refetch } = useQuery(pageQuery(id))
  useTitle(page ? nameOf(page) : 'Page')
  if (page === undefined) {
    if (error instanceof ApiError && error.status === 404) return <NotFound />
    return <Pending error={error} onRetry={refetch} rows={8} />
  }
  return (
    <>
      <PageHeader page={page} tab={tab} />
      <PageTab page={page} tab={tab} />
    </>
  )
}
