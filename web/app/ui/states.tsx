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

interface FailureProps {
  error: unknown
  onRetry?: () => void
  /** Whether the screen has nothing else, so that it needs a heading. */
  isScreen?: boolean
}

export function Failure({ error, onRetry, isScreen }: FailureProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 py-8">
      {isScreen && <h1 className="font-serif text-28 font-medium">This cannot be shown now</h1>}
      <p>{messageOf(error)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

interface PendingProps extends FailureProps {
  onRetry(): void
  rows?: number
}

/** Shown instead of data that is not loaded: a placeholder, or an error message. */
export function Pending({ error, onRetry, rows, ...place }: PendingProps) {
  // What is read again by itself has no error meanwhile: the message stays until it is there.
  const last = useRef(error)
  last.current = error || last.current
  function retry(): void {
    last.current = null
    onRetry()
  }
  if (!last.current) return <Skeleton {...(rows && { rows })} />
  return <Failure error={last.current} onRetry={retry} {...place} />
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
