import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/compat'
import { ApiError, api, messageOf, type Page, queryClient, signedOut } from '../../api.ts'
import { useStore } from '../../store.ts'
import { showError } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'
import type { DraftWarning } from '../edit/draft-state.ts'
import { pageQuery } from '../use-page.ts'
import { type Change, createSaver, type Saver, withChanges } from './saver.ts'

export type Sharing = ReturnType<typeof useSaver>
export const SharingContext = createContext<Sharing | null>(null)

export function useSharing(): Sharing {
  return useContext(SharingContext)!
}

/** Saves the settings of a page, also after the dialog has been left. */
export function useSaver(page: Page) {
  const { id } = page
  const { queryKey } = pageQuery(id)
  /** What the answer to the last change warns of. */
  const [warnings, setWarnings] = useState<DraftWarning[]>([])
  const { mutateAsync: queue } = useAction((run: () => Promise<void>) => run(), {
    inOrder: ['settings', id],
    mutationKey: ['sharing', id],
  })
  const [{ saver, drafts }] = useState(() => ({
    /** The fields of the dialog that may have something typed in them. */
    drafts: new Set<Draft>(),
    saver: createSaver({
      queue,
      async send(change) {
        const { data, warnings } = await api.updatePage({ id, ...change })
        setWarnings(warnings)
        return data
      },
      read: async () => (await api.getPage({ id })).data,
      onSaved(newPage) {
        // A read that began before has the page as it was.
        void queryClient.cancelQueries({ queryKey })
        queryClient.setQueryData(queryKey, newPage)
        void queryClient.invalidateQueries({ queryKey: ['pages'] })
      },
    }),
  }))
  const state = useStore(saver)
  useSignInAgain(saver)
  useEffect(() => () => sayWhatFails(saver), [saver])
  // The cache has a saved page before the query notifies its observers: without this, a change
  // would disappear for a moment.
  const saved = queryClient.getQueryData(queryKey) ?? page
  return {
    page: withChanges(saved, state.pending),
    saved,
    warnings,
    state,
    saver,
    drafts,
    save: (field: string, values: Change['values'], done?: () => void) =>
      saver.save({ field, values, done }),
    /** Saves all that can be saved. @returns the names of the fields that are stuck */
    commitAll: () => [...drafts].filter(({ commit }) => commit()).map(({ label }) => label),
  }
}

/** Asks to sign in when the session has ended, and saves what waits after that. */
function useSignInAgain(saver: Saver): void {
  const { status, error } = useStore(saver)
  useEffect(() => {
    if (status !== 'stopped' || !(error instanceof ApiError)) return
    if (error.code === 'signed_out') {
      signedOut.set(true)
      return signedOut.subscribe(() => signedOut.get() || saver.resume())
    }
    addEventListener('online', saver.resume)
    return () => removeEventListener('online', saver.resume)
  }, [saver, status, error])
}

/** Once the dialog is gone, only a message can say that a change was not saved. */
function sayWhatFails(saver: Saver): void {
  const before = saver.get().refusals
  const unsubscribe = saver.subscribe(() => {
    const { status, error, refusals, pending } = saver.get()
    for (const [field, message] of refusals) {
      if (before.get(field) !== message) showError(`Not saved: ${message}`)
    }
    if (status === 'stopped') showError(`Not saved: ${messageOf(error)}`)
    if (status === 'stopped' || pending.length === 0) unsubscribe()
  })
}

/** What is typed in a field and is not saved yet. */
interface Draft {
  label: string
  commit: Commit
}

/** Saves what is typed where it can be saved. @returns whether it is stuck */
type Commit = () => boolean

/** The dialog commits a field before it closes, as the field does itself before it goes. */
export function useCommit(label: string, commit: Commit): void {
  const { drafts } = useSharing()
  const latest = useEffectEvent(commit)
  useEffect(() => {
    const draft = { label, commit: latest }
    drafts.add(draft)
    return () => {
      drafts.delete(draft)
      latest()
    }
  }, [drafts, label])
}

/** Keeps the dialog from closing over what is typed and only a button sends. */
export function useUnsent(label: string, isUnsent: boolean): void {
  useCommit(label, () => isUnsent)
}

const PAUSE_MS = 1_200

/** What the text of a field means: values to save, what is wrong with it, or nothing new. */
type Parsed = { values: Change['values'] } | { problem: string } | null

interface DraftOptions {
  field: string
  label: string
  pageText: string
  parse(text: string): Parsed
  /** A half-typed password shuts people out: it is saved by Enter or on leaving the field. */
  waitsForBlur?: boolean
}

/** A text field that is saved on Enter, on leaving it and after a pause, where it is valid. */
export function useDraft({ field, label, pageText, parse, waitsForBlur = false }: DraftOptions) {
  const { saver, state, save } = useSharing()
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const refusal = state.refusals.get(field)
  const isPending = state.pending.some((change) => change.field === field)
  const lastText = useRef<string | null>(null)
  const input = useRef<string | null>(null)
  input.current = text

  function commit(): boolean {
    const current = input.current
    if (current === null) return false
    if (current === lastText.current) return saver.get().refusals.has(field)
    const result = parse(current)
    if (result === null) reset()
    else if ('values' in result) {
      lastText.current = current
      setProblem(null)
      save(field, result.values)
    } else setProblem(result.problem)
    return result !== null && 'problem' in result
  }

  function reset(): void {
    input.current = null
    lastText.current = null
    setText(null)
    setProblem(null)
    saver.clearRefusal(field)
  }

  useCommit(label, commit)
  const commitLatest = useEffectEvent(commit)
  useEffect(() => {
    if (text === null || waitsForBlur) return
    const timer = setTimeout(commitLatest, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, waitsForBlur])
  // Before the next key: an effect that Enter overtakes would take its text for one that is saved.
  useLayoutEffect(() => {
    if (lastText.current === null || isPending || refusal !== undefined) return
    if (text === lastText.current) setText(null)
    lastText.current = null
  }, [isPending, refusal, text])

  return {
    reset,
    props: {
      label,
      value: text ?? pageText,
      error: problem ?? refusal,
      onText(next: string) {
        input.current = next
        setText(next)
        setProblem(null)
      },
      onBlur: () => void commit(),
      onKeyDown(event: KeyboardEvent) {
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        commit()
      },
    },
  }
}

/** @param none what is wrong with no text; left out where it may be empty */
export function useText(
  field: 'og_title' | 'og_description' | 'poll_question',
  label: string,
  { max, none }: { max: number; none?: string },
) {
  const pageText = useSharing().page[field] ?? ''
  return useDraft({
    field,
    label,
    pageText,
    parse(text) {
      const value = text.normalize('NFC').replace(/\s+/g, ' ').trim()
      if (value === pageText) return null
      if (value === '' && none) return { problem: none }
      if ([...value].length > max) return { problem: `At most ${max} characters.` }
      return { values: { [field]: value || null } }
    },
  })
}
