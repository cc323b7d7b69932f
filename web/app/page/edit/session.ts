import { ApiError, api, messageOf, type Page, queryClient, signedOut } from '../../api.ts'
import { etagReader, isOvertaken } from '../../etag.ts'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../use-page.ts'
import { afterSave, assetsDiffer, type Draft, draftOf, isSameDraft, withNewPaths } from './draft.ts'
import { createDraftState, type DraftState, type EditState } from './draft-state.ts'
import { contentOf, editsBetween } from './save-content.ts'
import { createUnsavedStore } from './unsaved.ts'

export type EditSession = ReturnType<typeof createEditSession>

const MAX_ATTEMPTS = 4
/** Where the server cannot be reached, it is tried again. */
const RETRY_MS = 5000

interface ReadDraft {
  draft: Draft
  /** The ETag that the page has with it; null if it is unknown. */
  etag: string | null
}

export async function readDraft(id: string): Promise<ReadDraft> {
  const tag = etagReader()
  const { data } = await api.readHtml({ id, full: true }, tag)
  return { draft: draftOf(data), etag: tag.etag }
}

/** The editing of one page's draft in this tab: what is typed, saved, and changed elsewhere. */
export function createEditSession(page: Page, read: ReadDraft) {
  const draft = createDraftState(read.draft, createUnsavedStore(page.id))
  const writer = createDraftWriter(draft, page, read)
  let running: Promise<unknown> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined

  async function attempt(write: () => Promise<boolean>): Promise<boolean> {
    try {
      const isDone = await write()
      draft.change({ problem: null })
      return isDone
    } catch (err) {
      const code = err instanceof ApiError ? err.code : null
      if (code === 'signed_out') signedOut.set(true)
      if (code === 'unreachable') {
        // One at a time: each pause of typing tries as well.
        clearTimeout(retry)
        retry = setTimeout(() => void autosave(), RETRY_MS)
      }
      draft.change({ problem: messageOf(err) })
      return false
    }
  }

  async function during(busy: EditState['busy'], write: () => Promise<boolean>): Promise<boolean> {
    if (draft.get().busy === 'autosave') await running
    if (draft.get().busy !== null) return false
    draft.change({ busy })
    const attempting = attempt(write)
    running = attempting
    const isDone = await attempting
    const isComparing = !isDone && busy !== 'autosave' && draft.get().conflict !== null
    draft.change({ busy: null, isComparing })
    return isDone
  }

  /** Saves where nobody has to decide first. */
  async function autosave(): Promise<void> {
    const { busy, conflict } = draft.get()
    if (busy === null && conflict === null && draft.isDirty()) {
      await during('autosave', () => writer.save(true))
    }
  }

  return {
    ...draft,
    autosave,
    save: () => during('save', writer.save),
    publish: () => during('publish', writer.publish),
    checkForChanges: writer.checkForChanges,
    compare: (isComparing: boolean) => draft.change({ isComparing }),
  }
}

/** Writes the draft with the ETag that it was read with, and takes over what others wrote. */
function createDraftWriter(draft: DraftState, page: Page, read: ReadDraft) {
  const { id } = page
  // While the draft of the page is `base`.
  let { etag } = read
  let seenAt = page.updated_at
  let isAutosaved = false

  function takeOver(current: ReadDraft) {
    etag = current.etag
    return draft.takeOver(current.draft)
  }

  /** Reads again where the draft has changed meanwhile. */
  const write: Write = async (send) => {
    for (let attempt = 1; ; attempt += 1) {
      const state = etag === null ? takeOver(await readDraft(id)) : 'same'
      if (state !== 'same') return state
      try {
        return await send(etag!)
      } catch (err) {
        if (!isOvertaken(err) || attempt === MAX_ATTEMPTS) throw err
        etag = null
      }
    }
  }

  /** After a write of ours: its ETag, if nobody else has written since. */
  async function follow(updatedAt: string | null): Promise<void> {
    etag = null
    const tag = etagReader()
    const current = await api.getPage({ id }, tag).catch(() => null)
    if (current === null) return
    queryClient.setQueryData(pageQuery(id).queryKey, current.data)
    seenAt = current.data.updated_at
    if (updatedAt === null || seenAt === updatedAt) etag = tag.etag
    void queryClient.invalidateQueries({ queryKey: ['pages'] })
    void queryClient.invalidateQueries({ queryKey: ['versions', id] })
  }

  async function save(autosave = false): Promise<boolean> {
    const { base, work } = draft.get()
    // What was saved by itself becomes a version that stays.
    if (isSameDraft(base, work) && (autosave || !isAutosaved)) return true
    const answer = await sendDraft({ id, base, work, autosave }, write)
    // Changes of other files were merged, so the result is saved again.
    if (answer === 'taken') return save(autosave)
    if (answer === 'conflict') return false
    isAutosaved = autosave
    draft.change({
      base: withNewPaths(work, work),
      work: withNewPaths(draft.get().work, work),
      warnings: answer.warnings,
      revivedFrom: null,
      conflict: null,
    })
    draft.keep()
    await follow(answer.data.updated_at)
    if (assetsDiffer(base, work)) await readAssets(work)
    return true
  }

  /** New assets have their hashes from the server now, if the draft is still the one saved. */
  async function readAssets(work: Draft): Promise<void> {
    const current = await readDraft(id).catch(() => null)
    if (current === null || current.etag !== etag) return
    draft.change(afterSave(work, draft.get().work, current.draft))
    draft.keep()
  }

  return {
    save,
    async publish(): Promise<boolean> {
      if (!(await save())) return false
      const answer = await write((if_match) => api.publishPage({ id }, { if_match }))
      if (typeof answer === 'string') return false
      await follow(null)
      showToast('Published')
      return true
    },
    /** Reads the draft where the page has changed since it was read. */
    async checkForChanges({ updated_at: updatedAt }: Page): Promise<void> {
      const { busy, conflict } = draft.get()
      if (updatedAt === seenAt || busy !== null || conflict !== null) return
      seenAt = updatedAt
      const current = await readDraft(id).catch(() => null)
      if (current !== null && draft.get().busy === null) takeOver(current)
    },
  }
}

/** Calls an operation with the ETag of the draft; where that has changed, it may be taken over. */
type Write = <T extends object>(
  send: (ifMatch: string) => Promise<T>,
) => Promise<T | 'conflict' | 'taken'>

interface Sending {
  id: string
  base: Draft
  work: Draft
  autosave: boolean
}

/** Sends edits where they are known, and whole files else. */
async function sendDraft({ id, base, work, autosave }: Sending, write: Write) {
  const edits = editsBetween(base, work)
  if (edits !== null) {
    try {
      return await write((if_match) => api.editHtml({ id, ...edits, autosave }, { if_match }))
    } catch (err) {
      // The file is not what it was read as: it is written whole.
      if (!(err instanceof ApiError && err.status === 422)) throw err
    }
  }
  const content = await contentOf(id, base, work)
  return write((if_match) => api.updatePage({ id, ...content, autosave }, { if_match }))
}
