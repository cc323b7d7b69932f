import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { findLeftOut } from '../../../src/client/content/left-out.ts'
import type { LocalContent } from '../../../src/client/content/local-content.ts'
import { isMarkdownName } from '../../../src/model/markdown/source.ts'
import { api, type Page } from '../api.ts'
import { etagReader, isOvertaken } from '../etag.ts'
import { AUDIENCES, kindOf, nameOf } from '../page/words.ts'
import { useAction } from '../use-action.ts'
import { addUpdated } from './jobs.ts'
import { replaceContent, type Sending } from './publish.ts'
import { readSource } from './read-source.ts'
import { useSending } from './sending.tsx'
import type { Question } from './stores.ts'

/** The page as it is when it is asked about, and what was dropped. */
async function lookAt({ pageId: id, sources }: Question) {
  const reader = etagReader()
  const [{ data: page }, versions, local] = await Promise.all([
    api.getPage({ id }, reader),
    api.listVersions({ id, with_use: true }),
    sources.length === 1 ? readSource(sources[0]!) : null,
  ])
  const draftNo = versions.data.find((version) => version.is_draft)!.version_no
  const { length: number } = sources
  const problem =
    local === null
      ? `“${nameOf(page)}” is one page, and these are ${number}. Drop one alone to replace it.`
      : whyNot(page, local, sources[0]!.name)
  return { page, etag: reader.etag, draftNo, local, problem }
}

type Look = Awaited<ReturnType<typeof lookAt>>

/** Makes what was dropped the draft. @returns it, compared with what is live or was the draft */
async function makeDraft({ page: before, etag: ifMatch, draftNo, local }: Look, sending: Sending) {
  const { id } = before
  const answer = await replaceContent(id, local!, { ifMatch, ...sending })
  const reader = etagReader()
  const { data: page } = await api.getPage({ id }, reader)
  const from = before.is_published ? {} : { from: draftNo }
  const isOurs = page.updated_at === answer.data.updated_at
  return {
    page,
    /** Null where another write came since. */
    etag: isOurs ? reader.etag : null,
    changes: (await api.readChanges({ id, ...from })).data,
    warnings: answer.warnings,
    leftOut: (await findLeftOut(local!)).lines,
  }
}

export type NewDraft = Awaited<ReturnType<typeof makeDraft>>

/** Replaces the content of a page by what was dropped: a draft first, which is then published. */
export function useReplacement(question: Question) {
  const { pageId: id, sources } = question
  const [draft, setDraft] = useState<NewDraft | null>(null)
  const look = useQuery({
    queryKey: ['dropped', question.id],
    queryFn: () => lookAt(question),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  const refresh = [['page', id], ['pages'], ['versions', id]]
  const update = useSending(makeDraft, { hasPlace: true, onDone: setDraft, refresh })
  const publish = useAction(
    async () => {
      const { etag, changes } = draft!
      const { page, warnings } = await api.publishPage({ id }, { if_match: etag! })
      addUpdated(sources[0]!, { data: page, warnings }, changes.from_version_no)
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

type Kind = ReturnType<typeof kindOf>

/** For each kind of page, what it is and what replaces it. A page keeps its kind. */
const KINDS: Record<Kind, { takes: LocalContent['kind']; is: string; replacedBy: string }> = {
  page: { takes: 'html', is: 'one HTML document', replacedBy: 'one HTML or Markdown file' },
  deck: { takes: 'deck', is: 'a deck of several files', replacedBy: 'its whole folder or a zip' },
  pdf: { takes: 'file', is: 'a PDF', replacedBy: 'a PDF or an image' },
  image: { takes: 'file', is: 'an image', replacedBy: 'an image or a PDF' },
}

/** Why content cannot replace that of a page, and what could; null where it can. */
function whyNot(page: Page, local: LocalContent, name: string): string | null {
  if (page.trashed_at !== null) return `“${nameOf(page)}” is in the trash: take it back first.`
  const { takes, is, replacedBy } = KINDS[kindOf(page)]
  if (takes === local.kind) return null
  const what = `“${nameOf(page)}” is ${is}, and ${name} is ${whatIs(local, name)}.`
  return `${what} Drop ${replacedBy} to replace it.`
}

function whatIs(local: LocalContent, name: string): string {
  if (local.kind === 'html') return isMarkdownName(name) ? 'a Markdown file' : 'one HTML document'
  if (local.kind === 'file') return /\.pdf$/i.test(local.name) ? 'a PDF' : 'an image'
  return /\.[a-z0-9]+$/i.test(name) && !/\.zip$/i.test(name) ? 'a file of another type' : 'a folder'
}

/** Whether everybody who has the link sees the page. */
export function isPublic(page: Page): boolean {
  const isServed = page.is_published && page.closed_by === null && page.trashed_at === null
  return isServed && page.access === 'link'
}

/** For whom the page is published, as the button says it. */
export function audienceOf({ access, allowed_emails }: Pick<Page, 'access' | 'allowed_emails'>) {
  const { length: people } = allowed_emails
  if (access !== 'people') return AUDIENCES[access]
  if (people === 0) return 'the people you invite'
  return people === 1 ? 'the person invited' : `the ${people} people invited`
}
