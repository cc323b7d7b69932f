import { useQuery } from '@tanstack/preact-query'
import { useAccount, useBoot } from '../account.ts'
import { api, messageOf, queryClient, read } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { type Filters, filtersIn, queryOf } from './filters.ts'

export interface View {
  name: string
  filters: Filters
}

export function useFolders() {
  const { folders, account } = useBoot()
  const { data } = useQuery({
    ...read(['pages', 'folders'], () => api.listFolders()),
    ...(folders !== null && { initialData: folders, initialDataUpdatedAt: performance.timeOrigin }),
    enabled: !account.is_guest,
  })
  return data ?? []
}

/** The filters that have a name. What the list knows no longer is left out of them. */
export function useViews(): View[] {
  const { saved_filters: all } = useAccount()
  return all.map(({ name, filters }) => ({ name, filters: filtersIn(queryOf(filters as Filters)) }))
}

/** @returns whether the list is as the view has it */
export function isShown(view: View, filters: Filters): boolean {
  return queryOf(view.filters) === queryOf(filters)
}

/**
 * Stores filters under a name, for every browser of the account.
 *
 * @param was the name that they had, which goes
 */
export function saveView({ name, filters }: View, was?: string) {
  const old = was === undefined ? [] : [{ name: was, filters: null }]
  return change([...old, { name, filters }])
}

export async function removeView(view: View): Promise<void> {
  try {
    await change([{ name: view.name, filters: null }])
    showToast('View deleted', { undo: () => void saveView(view).catch(tell) })
  } catch (err) {
    tell(err)
  }
}

const tell = (err: unknown) => showError(messageOf(err))

async function change(views: { name: string; filters: Filters | null }[]): Promise<void> {
  const { data } = await api.updateAccount({ saved_filters: views })
  queryClient.setQueryData(['account'], data)
}
