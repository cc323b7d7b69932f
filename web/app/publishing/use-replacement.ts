import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { findLeftOut } from '../../../src/client/content/left-out.ts'
import { useAccount } from '../account.ts'
import { api } from '../api.ts'
import type { Page } from '../boot.ts'
import { etagReader, isOvertaken } from '../etag.ts'
import type { Changes } from '../page/use-page.ts'
import { useAction } from '../use-action.ts'
import { addUpdated } from './jobs.ts'
import { type Published, replaceContent } from './publish.ts'
import { readSource } from './read-source.ts'
import { useSending } from './sending.tsx'
import type { Question } from './stores.ts'

/** The new draft of a page, and how it differs from what is live, or from the draft before. */
export interface NewDraft {
  page: Page
  /** Of the page with this draft; null where another write came since. */
  etag: string | null
  changes: Changes
  warnings: Published['warnings']
  leftOut: string[]
}

/** The page as it is when it is asked about, and what was dropped. */
async function lookAt({ pageId: id, sources }: Question) {
  const reader = etagReader()
  const [{ data: page }, versions, local] = await Promise.all([
    api.getPage({ id }, reader),
    api.listVersions({ id, with_use: true }),
    sources.length === 1 ? readSource(sources[0]!) : null,
  ])
  const draftNo = versions.data.find((version) => version.is_draft)!.version_no
  return { page, etag: reader.etag, draftNo, local }
}

type Seen = Awaited<ReturnType<typeof lookAt>>

/** Replaces the content of a page by what was dropped: a draft first, which is then published. */
export function useReplacement(question: Question) {
  const { pageId: id, sources } = question
  const account = useAccount()
  const [draft, setDraft] = useState<NewDraft | null>(null)
  const look = useQuery({
    queryKey: ['dropped', question.id],
    queryFn: () => lookAt(question),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  const refresh = [['page', id], ['pages'], ['versions', id]]
  const update = useSending(
    async ({ page: before, etag: ifMatch, draftNo, local }: Seen, sending): Promise<NewDraft> => {
      const written = await replaceContent(id, local!, { account, ifMatch, ...sending })
      const reader = etagReader()
      const { data: page } = await api.getPage({ id }, reader)
      const from = before.is_published ? {} : { from: draftNo }
      const isOurs = page.updated_at === written.data.updated_at
      return {
        page,
        etag: isOurs ? reader.etag : null,
        changes: (await api.readChanges({ id, ...from })).data,
        warnings: written.warnings,
        leftOut: (await findLeftOut(local!)).lines,
      }
    },
    { hasPlace: true, onDone: setDraft, refresh },
  )
  const publish = useAction(
    async () => {
      const { page, etag, changes } = draft!
      const { data, open_to, warnings } = await api.publishPage({ id }, { if_match: etag! })
      const made = { data: { ...page, ...data, open_to }, warnings }
      addUpdated(sources[0]!, made, changes.from_version_no)
    },
    { hasPlace: true, refresh },
  )
  const undo = useAction(
    () => api.restoreVersion({ id, version_no: look.data!.draftNo }, { if_match: draft!.etag! }),
    { hasPlace: true, said: 'The draft is as it was before', refresh },
  )
  const error = update.error ?? publish.error ?? undo.error
  return {
    look,
    draft,
    update,
    publish,
    undo,
    error,
    isOvertaken: isOvertaken(error) || draft?.etag === null,
    /** Asks again, about the page as it is now. */
    async lookAgain() {
      await look.refetch()
      for (const action of [update, publish, undo]) action.reset()
      setDraft(null)
    },
  }
}
