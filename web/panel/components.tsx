import { type ComponentProps, cloneElement, type VNode } from 'preact'
import { useState } from 'preact/hooks'
import { exactTime, relativeTime } from '../time-words.ts'

interface FieldProps {
  label: string
  /** Stands beside the label and only describes the field, which the label alone names. */
  hint?: string | null
  /** Its control. */
  children: VNode
}

let ids = 0

/** An id that no other element of the panel has: each tab is a tree of its own to Preact. */
export function useUniqueId(): string {
  return useState(() => `panel-${++ids}`)[0]
}

export function Field({ label, hint = null, children }: FieldProps) {
  const id = useUniqueId()
  const [labelId, hintId] = [`${id}-label`, `${id}-hint`]
  const names = hint !== null && { 'aria-labelledby': labelId, 'aria-describedby': hintId }
  return (
    <div className="field">
      <label htmlFor={id}>
        <span id={labelId}>{label}</span>
        {hint !== null && ' '}
        {hint !== null && <small id={hintId}>{hint}</small>}
      </label>
      {cloneElement(children, { id, ...names })}
    </div>
  )
}

/** What went wrong, which screen readers say at once. */
export function Alert({ children }: { children: string }) {
  return (
    <p className="error" role="alert">
      {children}
    </p>
  )
}

/** Something that the visitor does by a call: whether it is under way, and what went wrong. */
export function useCall(problemBefore = '') {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState(problemBefore)
  async function run(act: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setProblem('')
    await act().catch((err: Error) => setProblem(err.message))
    setBusy(false)
  }
  return { isBusy, problem, setProblem, run }
}

/** Sends the form that it is in. */
export function SubmitButton(props: ComponentProps<'button'>) {
  return <button type="submit" className="button" {...props} />
}

interface QuietButtonProps {
  onClick(): void
  isDisabled?: boolean
  children: string
}

/** A button that does something other than the main thing. */
export function QuietButton({ onClick, isDisabled = false, children }: QuietButtonProps) {
  return (
    <button
      type="button"
      className="button quiet"
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : onClick}
    >
      {children}
    </button>
  )
}

/** A line drawing in a box of 16 by 16, which screen readers skip. */
export function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** A time that stays true, with the exact one for those who hover over it. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, Date.now())}
    </time>
  )
}

const UPDATE_MS = 30_000

/**
 * Updates the times below an element while the document is visible. The text nodes stay, as they
 * belong to the components that show them.
 */
export function keepTimes(root: ParentNode): void {
  setInterval(() => {
    if (document.visibilityState !== 'visible') return
    for (const time of root.querySelectorAll('time')) {
      const text = relativeTime(time.dateTime, Date.now())
      const node = time.firstChild
      if (node !== null && node.nodeValue !== text) node.nodeValue = text
    }
  }, UPDATE_MS)
}
