import { queryOptions } from '@tanstack/preact-query'
import { api, type Input, type Output, type Page, queryClient, read, readAgain } from '../api.ts'
import { etagReader } from '../etag.ts'
import { useAction } from '../use-action.ts'

export type PageChange = Omit<Input<'updatePage'>, 'id'>

/**
 * Saves settings of a page as they are changed: shown at once, and taken back with a message where
 * the server refuses them. Quick changes are sent one after another, so that the last one wins.
 */
export function useSettings({ id }: Page) {
  const { queryKey } = pageQuery(id)
  return useAction(async (change: PageChange) => (await api.updatePage({ id, ...change })).data, {
    inOrder: ['settings', id],
    refresh: [queryKey, ['pages']],
    expect(change) {
      void queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (page) => page && ({ ...page, ...change } as Page))
      return () => queryClient.setQueryData(queryKey, before)
    },
  })
}

/** Changes a page, as of a list, in turn with its settings: publishing waits for it. */
export function inSettingsQueue(id: string, mutationFn: () => Promise<unknown>) {
  const mutationKey = ['settings', id]
  const onSettled = () => readAgain([pageQuery(id).queryKey])
  const options = { mutationKey, mutationFn, onSettled, scope: { id: mutationKey.join() } }
  return queryClient.getMutationCache().build(queryClient, options).execute(undefined)
}

const CHANGED = 'The draft has changed since it was shown here. Look at it and publish again.'

/** The content of the draft, by its hash where there is one file. */
export const contentOf = ({ sha256, updated_at }: Page) => sha256 ?? updated_at

export function usePublication(page: Page) {
  const { id } = page
  const refresh = [pageQuery(id).queryKey, ['pages'], versionsQuery(id).queryKey]
  /** Not another draft, which was saved since this one is shown. */
  async function publishShown() {
    const reader = etagReader()
    const { data: now } = await api.getPage({ id }, reader)
    // A setting that was saved just now is not rendered yet.
    const shownPage = queryClient.getQueryData(pageQuery(id).queryKey) ?? page
    if (contentOf(now) !== contentOf(shownPage)) throw new Error(CHANGED)
    return api.publishPage({ id }, { if_match: reader.etag! })
  }
  return {
    publish: useAction(publishShown, {
      // After the settings, which change `updated_at`.
      inOrder: ['settings', id],
      mutationKey: ['publish', id],
      said: 'Published',
      refresh,
    }),
    unpublish: useAction(() => api.unpublishPage({ id }), {
      said: 'Unpublished: its link shows nobody anything',
      refresh,
    }),
  }
}

/** A page with its settings. Views and counts change by themselves, so it is read again. */
export function pageQuery(id: string) {
  return read(['page', id], () => api.getPage({ id }), 15_000)
}

/** How much a page has of everything. By its key it is read again when lists are. */
export function countsQuery(id: string) {
  return read(['pages', id, 'counts'], () => api.countPage({ id }), 15_000)
}

/** The versions of a page, newest first, with the numbers of the draft and of what is live. */
export function versionsQuery(id: string) {
  const list = () => api.listVersions({ id, with_use: true })
  return queryOptions({ queryKey: ['versions', id], queryFn: list })
}

export type Changes = Output<'readChanges'>['data']

/** How two versions differ: by default the draft from what is live. @param state of both */
export function changesQuery(id: string, versions: { from?: number; to?: number }, state: string) {
  const key = ['changes', id, versions.from, versions.to, state]
  return read(key, () => api.readChanges({ id, ...versions }))
}

type ClosingTime = 'responses_closed_at' | 'poll_closes_at'

/** The end of something, which can be now or taken back. */
export function useClosing(page: Page, setting: ClosingTime) {
  const { mutate } = useSettings(page)
  const closesAt = page[setting]
  const set = (at: string | null, onSaved?: (newPage: Page) => void) =>
    mutate({ [setting]: at }, onSaved && { onSuccess: onSaved })
  return {
    closesAt,
    // A browser’s clock may be behind the server’s, which wrote `updated_at`.
    isClosed:
      closesAt !== null &&
      Date.parse(closesAt) <= Math.max(Date.now(), Date.parse(page.updated_at)),
    reopen: () => set(null),
    /** A browser’s clock may be ahead: then the server’s own time of the write is set. */
    close: () =>
      set(new Date().toISOString(), (newPage) => {
        if ((newPage[setting] ?? '') > newPage.updated_at) set(newPage.updated_at)
      }),
  }
}

/** The browser saves the content of the draft, or of a version, while it arrives. */
export function downloadContent({ id }: Page, version?: number): void {
  const query = version === undefined ? '' : `?version=${version}`
  location.assign(`/app/pages/${id}/download${query}`)
}
