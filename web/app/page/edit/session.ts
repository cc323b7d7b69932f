import type { QueryClient } from '@tanstack/preact-query'
import { ApiError, type Output } from '../../../../src/client/index.ts'
import { api, messageOf, signedOut } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { etagReader, isOvertaken } from '../../etag.ts'
import { createStore } from '../../store.ts'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../use-page.ts'
import {
  afterSave,
  assetsDiffer,
  type Draft,
  draftOf,
  isSameDraft,
  mergeDrafts,
  withAssetText,
  withSavedPaths,
  withText,
} from './draft.ts'
import { contentOf, editsBetween } from './save-content.ts'
import { fingerprint, type Unsaved, type UnsavedStore } from './unsaved.ts'

export type DraftWarning = Output<'updatePage'>['warnings'][number]

export interface EditState {
  /** The draft as the server has it, as it was last read or saved. */
  base: Draft
  /** The draft with what was typed. */
  work: Draft
  /** Counts changes of `work` that were not typed into the editor, which then shows them. */
  revision: number
  busy: 'save' | 'publish' | 'autosave' | null
  problem: string | null
  warnings: DraftWarning[]
  /** The draft on the server, which another tab, person or program has changed meanwhile. */
  conflict: Draft | null
  /** Whether both texts are shown, to decide. */
  isComparing: boolean
  /** When what is shown was typed, where it comes from an earlier visit. */
  revivedFrom: string | null
  /** Unsaved text of another tab, open or closed. */
  elsewhere: Unsaved | null
  /** Whether the browser has space to keep what is typed. */
  isKept: boolean
}

export type EditSession = ReturnType<typeof createEditSession>

interface ReadDraft {
  draft: Draft
  etag: string | null
}

const MAX_ATTEMPTS = 4
/** Where the server cannot be reached, it is tried again. */
const RETRY_MS = 5000

export async function readDraft(id: string): Promise<ReadDraft> {
  const tag = etagReader()
  const { data } = await api.readHtml({ id, full: true }, tag)
  return { draft: draftOf(data), etag: tag.etag }
}

interface SessionSettings {
  page: Page
  read: ReadDraft
  unsaved: UnsavedStore
  client: QueryClient
}

/** The editing of one page's draft in this tab: what is typed, saved, and changed elsewhere. */
export function createEditSession({ page, read, unsaved, client }: SessionSettings) {
  const { id } = page
  const store = createStore<EditState>(firstState(read.draft, unsaved))
  // The ETag of the page while its draft is `base`; null if it is unknown.
  let etag = read.etag
  let seenAt: string | null = page.updated_at

  let isAutosaved = false
  let running: Promise<unknown> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  const set = (change: Partial<EditState>) => store.set({ ...store.get(), ...change })

  const isDirty = () => !isSameDraft(store.get().base, store.get().work)

  /** @param isLeft whether the tab goes: the next one goes on with it */
  function keep(isLeft = false): void {
    const { base: since, work, conflict } = store.get()
    if (!isDirty()) {
      unsaved.clear()
      return
    }
    const at = new Date().toISOString()
    // What nobody has decided is a conflict again.
    const base = conflict === null ? fingerprint(since) : ''
    const isKept = unsaved.keep({ at, base, draft: work, isLeft })
    if (isKept !== store.get().isKept) set({ isKept })
  }

  /** Takes over what the server has; as a conflict where something typed might be lost. */
  function takeOver({ draft: theirs, etag: found }: ReadDraft): 'same' | 'taken' | 'conflict' {
    const { base, work, revision } = store.get()
    etag = found
    if (isSameDraft(base, theirs)) return 'same'
    const { draft, conflicts } = mergeDrafts(base, work, theirs)
    if (conflicts.length > 0 && !isSameDraft(work, theirs)) {
      set({ conflict: theirs })
      return 'conflict'
    }
    set({ base: theirs, work: draft, revision: revision + 1, conflict: null })
    keep()
    showToast('The draft was changed elsewhere. You see it as it is now.')
    return 'taken'
  }

  /** Writes with the ETag of the draft that was read, and reads again where it has changed. */
  async function write<T extends object>(
    send: (ifMatch: string) => Promise<T>,
  ): Promise<T | 'conflict' | 'taken'> {
    for (let attempt = 1; ; attempt += 1) {
      const found = etag === null ? takeOver(await readDraft(id)) : 'same'
      if (found !== 'same') return found
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
    client.setQueryData(pageQuery(id).queryKey, current.data)
    seenAt = current.data.updated_at
    if (updatedAt === null || seenAt === updatedAt) etag = tag.etag
    void client.invalidateQueries({ queryKey: ['pages'] })
    void client.invalidateQueries({ queryKey: ['versions', id] })
  }

  /** Sends edits where they are known, and whole files else. */
  async function send(before: Draft, work: Draft, autosave: boolean) {
    const edits = editsBetween(before, work)
    if (edits !== null) {
      try {
        return await write((if_match) => api.editHtml({ id, ...edits, autosave }, { if_match }))
      } catch (err) {
        // The file is not what it was read as: it is written whole.
        if (!(err instanceof ApiError && err.status === 422)) throw err
      }
    }
    const content = await contentOf(id, before, work)
    return write((if_match) => api.updatePage({ id, ...content, autosave }, { if_match }))
  }

  async function saveDraft(autosave = false): Promise<boolean> {
    const { base: before, work } = store.get()
    // What was saved by itself becomes a version that stays.
    if (isSameDraft(before, work) && (autosave || !isAutosaved)) return true
    const saved = await send(before, work, autosave)
    // Changes of other files were merged, so the result is saved again.
    if (saved === 'taken') return saveDraft(autosave)
    if (saved === 'conflict') return false
    const { data, warnings } = saved
    isAutosaved = autosave
    const since = withSavedPaths(store.get().work, work)
    const base = withSavedPaths(work, work)
    set({ base, work: since, warnings, revivedFrom: null, conflict: null })
    keep()
    await follow(data.updated_at)
    if (assetsDiffer(before, work)) await readAssets(work)
    return true
  }

  /** New assets have their hashes from the server now, if the draft is still the one saved. */
  async function readAssets(saved: Draft): Promise<void> {
    const read = await readDraft(id).catch(() => null)
    if (read === null || read.etag !== etag) return
    set(afterSave(saved, store.get().work, read.draft))
    keep()
  }

  type Busy = NonNullable<EditState['busy']>

  async function during(busy: Busy, run: () => Promise<boolean>): Promise<boolean> {
    if (store.get().busy === 'autosave') await running
    if (store.get().busy !== null) return false
    set({ busy })
    const done = attempt(run)
    running = done
    const isDone = await done
    set({
      busy: null,
      isComparing: !isDone && busy !== 'autosave' && store.get().conflict !== null,
    })
    return isDone
  }

  async function attempt(run: () => Promise<boolean>): Promise<boolean> {
    try {
      const isDone = await run()
      set({ problem: null })
      return isDone
    } catch (err) {
      const code = err instanceof ApiError ? err.code : null
      if (code === 'signed_out') signedOut.set(true)
      if (code === 'unreachable') {
        // One at a time: each pause of typing tries as well.
        clearTimeout(retry)
        retry = setTimeout(() => void autosave(), RETRY_MS)
      }
      set({ problem: messageOf(err) })
      return false
    }
  }

  /** Saves where nobody has to decide first. */
  async function autosave(): Promise<void> {
    const { busy, conflict } = store.get()
    if (busy === null && conflict === null && isDirty()) {
      await during('autosave', () => saveDraft(true))
    }
  }

  return {
    ...store,
    isDirty,
    keep,
    /** Changes the draft. The editor is shown the change, unless it was made there. */
    edit(work: Draft): void {
      set({ work, problem: null, revision: store.get().revision + 1 })
    },
    /** Takes over what was typed into the editor. */
    editTyped(path: string, text: string): void {
      const { work } = store.get()
      set({ work: withText(work, path, text), problem: null })
    },
    loadText(path: string, text: string): void {
      const { base, work } = store.get()
      set({ base: withAssetText(base, path, text), work: withAssetText(work, path, text) })
    },
    save: () => during('save', () => saveDraft()),
    autosave,
    compare: (isComparing: boolean) => set({ isComparing }),
    publish: () =>
      during('publish', async () => {
        if (!(await saveDraft())) return false
        const written = await write((ifMatch) => api.publishPage({ id }, { if_match: ifMatch }))
        if (written === 'conflict' || written === 'taken') return false
        await follow(null)
        showToast('Published')
        return true
      }),
    /** Reads the draft where the page has changed since it was read. */
    async checkForChanges({ updated_at: updatedAt }: Page): Promise<void> {
      const { busy, conflict } = store.get()
      if (updatedAt === seenAt || busy !== null || conflict !== null) return
      seenAt = updatedAt
      const current = await readDraft(id).catch(() => null)
      if (current !== null && store.get().busy === null) takeOver(current)
    },
    /** Ends the conflict with this draft, which builds on theirs. */
    resolve(work: Draft): void {
      const { conflict, revision } = store.get()
      if (conflict === null) return
      set({ base: conflict, work, conflict: null, revision: revision + 1 })
      keep()
    },
    discard(): void {
      const { base, revision } = store.get()
      set({ work: base, revision: revision + 1, revivedFrom: null, problem: null })
      keep()
    },
    takeElsewhere(): void {
      const { base, elsewhere, revision } = store.get()
      if (elsewhere === null) return
      set({ ...revived(elsewhere, base), revision: revision + 1, elsewhere: null })
      unsaved.ofOthers()?.drop()
      keep()
    },
    dropElsewhere(): void {
      unsaved.ofOthers()?.drop()
      set({ elsewhere: null })
    },
  }
}

/** Restores what this tab left unsaved. */
function firstState(base: Draft, unsaved: UnsavedStore): EditState {
  const own = unsaved.own()
  const state: EditState = {
    base,
    work: base,
    revision: 0,
    busy: null,
    problem: null,
    warnings: [],
    conflict: null,
    isComparing: false,
    revivedFrom: null,
    elsewhere: null,
    isKept: true,
  }
  if (own === null) {
    const elsewhere = unsaved.ofOthers()?.unsaved ?? null
    return {
      ...state,
      elsewhere: elsewhere && isSameDraft(elsewhere.draft, base) ? null : elsewhere,
    }
  }
  if (!isSameDraft(own.draft, base)) return { ...state, ...revived(own, base) }
  unsaved.clear()
  return state
}

/** What was kept, as a conflict where the draft has changed since. */
function revived({ draft, at, base: since }: Unsaved, base: Draft) {
  const conflict = since === fingerprint(base) ? null : base
  return { work: draft, revivedFrom: at, conflict, isComparing: true }
}
