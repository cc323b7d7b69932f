import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import type { Page } from '../boot.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { pageQuery } from './queries.ts'

export type PageChange = Omit<Input<'updatePage'>, 'id'>

/**
 * Saves settings of a page as they are changed: shown at once, and taken back with a message where
 * the server refuses them. Quick changes are sent one after another, so that the last one wins.
 */
export function useSettings(page: Page) {
  const client = useQueryClient()
  const { queryKey } = pageQuery(page.id)
  const mutationKey = ['settings', page.id]
  /** Shows a page with the changes that are on their way, except for one that has arrived. */
  function show(shown: Page, arrived?: PageChange): void {
    const waiting = client
      .getMutationCache()
      .findAll({ mutationKey, status: 'pending' })
      .map(({ state }) => state.variables as PageChange)
      .filter((change) => change !== arrived)
    client.setQueryData(queryKey, Object.assign({}, shown, ...waiting) as Page)
  }
  return useMutation({
    mutationKey,
    scope: { id: `settings ${page.id}` },
    mutationFn: async (change: PageChange) =>
      (await api.updatePage({ id: page.id, ...change })).data,
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey) ?? page
      show(before)
      const names = Object.keys(change) as (keyof PageChange & keyof Page)[]
      return { before: Object.fromEntries(names.map((name) => [name, before[name]])) }
    },
    onError: (err, change, context) => {
      const shown = client.getQueryData(queryKey) ?? page
      show({ ...shown, ...context?.before }, change)
      if (client.isMutating({ mutationKey }) === 1) void client.invalidateQueries({ queryKey })
      showError(messageOf(err))
    },
    onSuccess: (saved, change) => {
      show(saved, change)
      void client.invalidateQueries({ queryKey: ['pages'] })
    },
  })
}

/** Publishes the draft, or takes the page offline. */
export function usePublication(page: Page) {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: pageQuery(page.id).queryKey }),
      client.invalidateQueries({ queryKey: ['pages'] }),
      client.invalidateQueries({ queryKey: ['versions', page.id] }),
    ])
  const onError = (err: unknown) => showError(messageOf(err))
  const publish = useMutation({
    mutationFn: () => api.publishPage({ id: page.id }),
    onSuccess: () => showToast('Published'),
    onError,
    onSettled: refresh,
  })
  const unpublish = useMutation({
    mutationFn: () => api.unpublishPage({ id: page.id }),
    onSuccess: () => showToast('Unpublished: its link shows nobody anything'),
    onError,
    onSettled: refresh,
  })
  return { publish, unpublish }
}
