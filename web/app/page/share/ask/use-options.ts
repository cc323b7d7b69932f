import { useEffect, useRef, useState } from 'react'
import { useSharing } from '../sharing.ts'
import { filledOptions, problemOf } from './options.ts'

const FIELD = 'poll_options'

/**
 * The rows of the options: saved as a whole when a row is left, moved or removed. Rows that are no
 * options of a poll yet stay as they are typed.
 */
export function useOptions() {
  const { page, saver, state, drafts, save } = useSharing()
  const [typed, setTyped] = useState<string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const stored = page.poll_options
  const rows = typed ?? stored
  const refusal = state.refusals.get(FIELD)

  /** @returns whether the rows are stuck */
  function commit(next: string[]): boolean {
    const options = filledOptions(next)
    const found = problemOf(next)
    setProblem(found)
    if (found !== null) return true
    if (JSON.stringify(options) !== JSON.stringify(stored)) {
      save(FIELD, { poll_options: options })
    }
    // An empty row is for the option that is typed next.
    setTyped(options.length < next.length ? next : null)
    return false
  }
  const latest = useRef({ commit, typed })
  useEffect(() => {
    latest.current = { commit, typed }
  })
  useEffect(() => {
    const commitTyped = () => {
      const { commit: commitRows, typed: last } = latest.current
      return last !== null && commitRows(last)
    }
    const remove = drafts.add({ label: 'Options', commit: commitTyped })
    return () => {
      remove()
      commitTyped()
    }
  }, [drafts])
  return {
    rows,
    error: problem ?? refusal,
    onChange(next: string[], isDone: boolean) {
      setTyped(next)
      setProblem(null)
      saver.clearRefusal(FIELD)
      if (isDone) commit(next)
    },
    onBlur: () => void (typed !== null && commit(typed)),
  }
}
