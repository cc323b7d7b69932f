import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Input } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import type { Page } from '../boot.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { pageQuery } from './queries.ts'

export type PageChange = Omit<Input<'updatePage'>, 'id'>

/** The page of a screen. The screen above has read it. */
export function usePage(id: string): Page {
  return useSuspenseQuery(pageQuery(id)).data
}

/**
 * Saves settings of a page as they are changed: shown at once, and taken back with a message where
 * the server refuses them.
 */
export function useSettings(page: Page) {
  const client = useQueryClient()
  const { queryKey } = pageQuery(page.id)
  return useMutation({
    mutationFn: async (change: PageChange) =>
      (await api.updatePage({ id: page.id, ...change })).data,
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before) client.setQueryData(queryKey, { ...before, ...change } as Page)
      return { before }
    },
    onError: (err, _, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before)
      showError(messageOf(err))
    },
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved)
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
