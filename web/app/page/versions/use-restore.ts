import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { showError, showToast } from '../../ui/toast.tsx'
import { pageQuery, versionsQuery } from '../queries.ts'

interface Restored {
  no: number
  /** Whether visitors see it as well. */
  publish: boolean
}

/** Restores a version as the draft, and offers to undo it: the replaced draft is a version, too. */
export function useRestore(page: Page) {
  const client = useQueryClient()
  const { id } = page
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: pageQuery(id).queryKey }),
      client.invalidateQueries({ queryKey: versionsQuery(id).queryKey }),
      client.invalidateQueries({ queryKey: ['pages'] }),
    ])
  const restore = useMutation({
    async mutationFn({ no, publish }: Restored) {
      const before = await api.listVersions({ id, with_use: true })
      await api.restoreVersion({ id, version_no: no, publish })
      return before
    },
    onSuccess({ data: versions }, { no, publish }) {
      const draft = versions.find((one) => one.is_draft)?.version_no ?? null
      const live = versions.find((one) => one.is_live)?.version_no ?? null
      const text = publish ? `Version ${no} is live` : `Version ${no} is the draft now`
      const before = publish ? live : draft
      // A page that was not published, or whose version is no longer kept, has none to go back to.
      if (before === null) showToast(text)
      else showToast(text, { undo: () => undo.mutate({ draft, live, publish }) })
    },
    onError: (err) => showError(messageOf(err)),
    onSettled: refresh,
  })
  const undo = useMutation({
    async mutationFn({
      draft,
      live,
      publish,
    }: {
      draft: number | null
      live: number | null
      publish: boolean
    }) {
      if (publish && live !== null)
        await api.restoreVersion({ id, version_no: live, publish: true })
      if (draft !== null && !(publish && draft === live)) {
        await api.restoreVersion({ id, version_no: draft })
      }
    },
    onSuccess: () => showToast('Taken back'),
    onError: (err) => showError(messageOf(err)),
    onSettled: refresh,
  })
  return restore
}
