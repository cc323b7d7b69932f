import { type ReactNode, useRef } from 'preact/compat'
import { messageOf } from '../api.ts'
import { Button } from './button.tsx'

/** A placeholder for content that is loading: shown after 150 ms. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-3 py-2">
      {[...Array(rows).keys()].map((row) => (
        <div key={row} className="skeleton h-10" />
      ))}
    </div>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 py-8">
      <p>{messageOf(error)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

interface PendingProps {
  error: unknown
  onRetry(): void
  rows?: number
}

/** Shown instead of data that is not loaded: a placeholder, or an error message. */
export function Pending({ error, onRetry, ...shape }: PendingProps) {
  // What is read again by itself has no error meanwhile: the message stays until it is there.
  const last = useRef(error)
  last.current = error || last.current
  function retry(): void {
    last.current = null
    onRetry()
  }
  return last.current ? <Failure error={last.current} onRetry={retry} /> : <Skeleton {...shape} />
}

/** An empty list, with what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid max-w-lg justify-items-start gap-3 py-12">
      <h2 className="font-serif text-21 font-medium">{title}</h2>
      {children}
    </div>
  )
}
