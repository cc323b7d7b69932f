import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Change } from './saver.ts'
import { useSharing } from './sharing.ts'

/** The pause in typing after which a field is saved. */
const PAUSE_MS = 1_200

/** What the text of a field means: values to save, what is wrong with it, or nothing new. */
export type Parsed = { values: Change['values'] } | { problem: string } | null

interface DraftOptions {
  field: string
  label: string
  /** The text of what is saved. */
  stored: string
  parse(text: string): Parsed
  /** A half-typed password shuts people out: it is saved by Enter or on leaving the field. */
  waitsForBlur?: boolean
}

/**
 * A text field that saves what is typed: on Enter, on leaving it, and after a pause. What cannot be
 * saved stays in the field.
 */
export function useDraft({ field, label, stored, parse, waitsForBlur = false }: DraftOptions) {
  const { saver, state, save } = useSharing()
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const refusal = state.refusals.get(field)
  const isPending = state.pending.some((change) => change.field === field)
  /** The text that was sent last. */
  const sent = useRef<string | null>(null)
  const typed = useRef<string | null>(null)
  typed.current = text

  /** @param isComplete whether to say what is wrong, and not just wait for more */
  function commit(isComplete = true): boolean {
    const current = typed.current
    if (current === null) return false
    if (current === sent.current) return saver.state().refusals.has(field)
    const parsed = parse(current)
    if (parsed === null) reset()
    else if ('values' in parsed) {
      sent.current = current
      setProblem(null)
      save(field, parsed.values)
    } else if (isComplete) setProblem(parsed.problem)
    return parsed !== null && 'problem' in parsed
  }
  function reset(): void {
    typed.current = null
    sent.current = null
    setText(null)
    setProblem(null)
    saver.clearRefusal(field)
  }
  const latest = useCommit(label, commit)
  useEffect(() => {
    if (text === null || waitsForBlur) return
    const timer = setTimeout(() => latest.current(false), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, waitsForBlur, latest])
  useEffect(() => {
    if (sent.current === null || isPending || refusal !== undefined) return
    if (text === sent.current) setText(null)
    sent.current = null
  }, [isPending, refusal, text])

  return {
    text: text ?? stored,
    error: problem ?? refusal,
    commit,
    reset,
    props: {
      value: text ?? stored,
      onChange({ target }: { target: { value: string } }) {
        typed.current = target.value
        setText(target.value)
        setProblem(null)
      },
      onBlur: () => void commit(),
      onKeyDown(event: KeyboardEvent) {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        commit()
      },
    },
  }
}

/** Saves what is typed where it can be saved. @returns whether it is stuck */
type Commit = (isComplete?: boolean) => boolean

/**
 * Registers a field with the dialog, which commits it before it closes. The field itself commits
 * when it goes. @returns the latest commit, for timers
 */
export function useCommit(label: string, commit: Commit): RefObject<Commit> {
  const { drafts } = useSharing()
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    const remove = drafts.add({ label, commit: () => latest.current() })
    return () => {
      remove()
      latest.current()
    }
  }, [drafts, label])
  return latest
}

/** Keeps the dialog from closing over what is typed and only a button sends. */
export function useUnsent(label: string, isUnsent: boolean): void {
  useCommit(label, () => isUnsent)
}
