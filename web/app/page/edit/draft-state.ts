import type { Output } from '../../../../src/client/index.ts'
import { createStore } from '../../store.ts'
import { showToast } from '../../ui/toast.tsx'
import { type Draft, isSameDraft, mergeDrafts, withAssetText, withText } from './draft.ts'
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

export type DraftState = ReturnType<typeof createDraftState>

/** The draft in this tab: what is typed into it, which the browser keeps until it is saved. */
export function createDraftState(draft: Draft, unsaved: UnsavedStore) {
  const store = createStore<EditState>(firstState(draft, unsaved))
  const change = (part: Partial<EditState>) => store.set({ ...store.get(), ...part })
  /** Makes a change that was not typed into the editor, which then shows it. */
  const show = (part: Partial<EditState>) => change({ ...part, revision: store.get().revision + 1 })

  const isDirty = () => !isSameDraft(store.get().base, store.get().work)

  /** @param isLeft whether the tab goes: the next one goes on with it */
  function keep(isLeft = false): void {
    if (!isDirty()) {
      unsaved.clear()
      return
    }
    const { base, work, conflict } = store.get()
    const isKept = unsaved.keep({
      at: new Date().toISOString(),
      // What nobody has decided is a conflict again.
      base: conflict === null ? fingerprint(base) : '',
      draft: work,
      isLeft,
    })
    if (isKept !== store.get().isKept) change({ isKept })
  }

  return {
    ...store,
    change,
    isDirty,
    keep,
    /** Changes the draft other than in the editor. */
    edit: (work: Draft) => show({ work, problem: null }),
    editTyped(path: string, text: string): void {
      change({ work: withText(store.get().work, path, text), problem: null })
    },
    loadText(path: string, text: string): void {
      const { base, work } = store.get()
      change({ base: withAssetText(base, path, text), work: withAssetText(work, path, text) })
    },
    /** Takes over what the server has; as a conflict where something typed might be lost. */
    takeOver(theirs: Draft): 'same' | 'taken' | 'conflict' {
      const { base, work } = store.get()
      if (isSameDraft(base, theirs)) return 'same'
      const { draft, conflicts } = mergeDrafts(base, work, theirs)
      if (conflicts.length > 0 && !isSameDraft(work, theirs)) {
        change({ conflict: theirs })
        return 'conflict'
      }
      show({ base: theirs, work: draft, conflict: null })
      keep()
      showToast('The draft was changed elsewhere. You see it as it is now.')
      return 'taken'
    },
    /** Ends the conflict with this draft, which builds on theirs. */
    resolve(work: Draft): void {
      const { conflict } = store.get()
      if (conflict === null) return
      show({ base: conflict, work, conflict: null })
      keep()
    },
    discard(): void {
      show({ work: store.get().base, revivedFrom: null, problem: null })
      keep()
    },
    takeElsewhere(): void {
      const { base, elsewhere } = store.get()
      if (elsewhere === null) return
      show({ ...revived(elsewhere, base), elsewhere: null })
      unsaved.ofOthers()?.drop()
      keep()
    },
    dropElsewhere(): void {
      unsaved.ofOthers()?.drop()
      change({ elsewhere: null })
    },
  }
}

/** Restores what this tab left unsaved. */
function firstState(base: Draft, unsaved: UnsavedStore): EditState {
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
  const own = unsaved.own()
  if (own === null) {
    const other = unsaved.ofOthers()?.unsaved
    return { ...state, elsewhere: other && !isSameDraft(other.draft, base) ? other : null }
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
