import type { QueryClient } from '@tanstack/preact-query'
import { ApiError, type Input, type Output } from '../../../../src/client/index.ts'
import { api, messageOf, signedOut } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { etagReader, isOvertaken } from '../../etag.ts'
import { createStore } from '../../store.ts'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../use-page.ts'
import {
  type Asset,
  afterSave,
  assetsDiffer,
  type Draft,
  draftOf,
  isSameDraft,
  mergeDrafts,
  withAssetText,
  withSavedPaths,
} from './draft.ts'
import { fingerprint, type Unsaved, type UnsavedStore } from './unsaved.ts'

/** A request may have 4 MB, so larger files are uploaded first. */
const INLINE_BYTES = 256 * 1024
const INLINE_TOTAL_BYTES = 2 * 1024 * 1024

export type DraftWarning = Output<'updatePage'>['warnings'][number]

export interface EditState {
  /** The draft as the server has it, as it was last read or saved. */
  base: Draft
  /** The draft with what was typed. */
  work: Draft
  /** Counts changes of `work` that were not typed into the editor, which then shows them. */
  revision: number
  busy: 'save' | 'publish' | null
  problem: string | null
  warnings: DraftWarning[]
  /** The draft on the server, which another tab, person or program has changed meanwhile. */
  conflict: Draft | null
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

  const set = (change: Partial<EditState>) => store.set({ ...store.get(), ...change })
  const isDirty = () => !isSameDraft(store.get().base, store.get().work)

  function keep(): void {
    const { base, work } = store.get()
    if (!isDirty()) {
      unsaved.clear()
      return
    }
    const at = new Date().toISOString()
    const isKept = unsaved.keep({ at, base: fingerprint(base), draft: work })
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

  async function saveDraft(): Promise<boolean> {
    const { base: before, work } = store.get()
    if (isSameDraft(before, work)) return true
    const content = await contentOf(before, work)
    const saved = await write((ifMatch) =>
      api.updatePage({ id, ...content }, { if_match: ifMatch }),
    )
    // Changes of other files were merged, so the result is saved again.
    if (saved === 'taken') return saveDraft()
    if (saved === 'conflict') return false
    const { data, warnings } = saved
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

  async function during(busy: 'save' | 'publish', run: () => Promise<boolean>): Promise<boolean> {
    if (store.get().busy !== null) return false
    set({ busy, problem: null })
    try {
      return await run()
    } catch (err) {
      if (err instanceof ApiError && err.code === 'signed_out') signedOut.set(true)
      set({ problem: messageOf(err) })
      return false
    } finally {
      set({ busy: null })
    }
  }

  return {
    ...store,
    isDirty,
    keep,
    /** Changes the draft. @param isTyped whether the editor shows the change already */
    edit(work: Draft, isTyped = false): void {
      const { revision } = store.get()
      set({ work, problem: null, revision: isTyped ? revision : revision + 1 })
    },
    loadText(path: string, text: string): void {
      const { base, work } = store.get()
      set({ base: withAssetText(base, path, text), work: withAssetText(work, path, text) })
    },
    save: () => during('save', saveDraft),
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
      const { elsewhere, revision } = store.get()
      if (elsewhere === null) return
      set({ work: elsewhere.draft, revision: revision + 1, elsewhere: null })
      unsaved.ofOthers()?.drop()
      keep()
    },
    dropElsewhere(): void {
      unsaved.ofOthers()?.drop()
      set({ elsewhere: null })
    },
  }
}

/** Restores what this tab left unsaved; as a conflict where the draft has changed since. */
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
  if (isSameDraft(own.draft, base)) return state
  const isOnBase = own.base === fingerprint(base)
  return { ...state, work: own.draft, revivedFrom: own.at, conflict: isOnBase ? null : base }
}

type Content = Pick<Input<'updatePage'>, 'html' | 'html_upload' | 'files' | 'assets' | 'entry'>
type DeckPage = NonNullable<Content['files']>[number]
type SentAsset = NonNullable<Content['assets']>[number]

/**
 * The content of an update that makes `draft` the draft, in place of `base`. What has not changed
 * keeps its bytes, so the update must be of `base`: it is sent with its ETag.
 */
async function contentOf(base: Draft, draft: Draft): Promise<Content> {
  let inlineBytes = INLINE_TOTAL_BYTES
  /** A text that is sent with the request, or uploaded before it. */
  async function sent(text: string, most: number): Promise<{ html: string } | { upload: string }> {
    const { size } = new Blob([text])
    if (size > Math.min(inlineBytes, most)) return { upload: await upload(text) }
    inlineBytes -= size
    return { html: text }
  }
  if (draft.kind === 'single') {
    const content = await sent(draft.files[0]!.text, INLINE_TOTAL_BYTES)
    return 'upload' in content ? { html_upload: content.upload } : content
  }
  const stored = new Map(base.files.map(({ path, text }) => [path, text]))
  const files: DeckPage[] = []
  for (const { path, text } of draft.files) {
    const isKept = stored.get(path) === text
    files.push(isKept ? { path, keep: path } : { path, ...(await sent(text, INLINE_BYTES)) })
  }
  // Without `assets` the deck keeps those that it has.
  if (!assetsDiffer(base, draft)) return { files, entry: draft.entry }
  const assets = await Array.fromAsync(draft.assets, assetOf)
  return { files, assets, entry: draft.entry }
}

async function assetOf({ path, source, text, sourceText }: Asset): Promise<SentAsset> {
  if (text !== undefined && text !== sourceText) return { path, upload: await upload(text) }
  return 'upload' in source ? { path, upload: source.upload } : { path, keep: source.path }
}

async function upload(text: string): Promise<string> {
  return (await api.createUpload(new Blob([text]))).data.id
}
