import { useRef, useState } from 'preact/compat'
import { formatBytes } from '../../../src/model/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/field.tsx'
import { useAction } from '../use-action.ts'
import type { Progress, Sending } from './publish.ts'

/** An action that sends much: its progress is known, and it can be stopped. */
export function useSending<Result, Input>(
  send: (input: Input, sending: Sending) => Promise<Result>,
  options: Parameters<typeof useAction<Result, Input>>[1],
) {
  const stop = useRef(new AbortController())
  const [progress, setProgress] = useState<Progress | null>(null)
  const action = useAction((input: Input) => {
    stop.current.abort()
    stop.current = new AbortController()
    setProgress(null)
    return send(input, { signal: stop.current.signal, onProgress: setProgress })
  }, options)
  return {
    ...action,
    error: action.error?.name === 'AbortError' ? null : action.error,
    progress,
    cancel() {
      stop.current.abort(new DOMException('Cancelled', 'AbortError'))
      action.reset()
    },
  }
}

export function isSent(progress: Progress | null): boolean {
  return progress !== null && progress.sentBytes >= progress.totalBytes
}

/** `2 MB of 5 MB` */
export function progressText({ sentBytes, totalBytes }: Progress): string {
  return `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`
}

interface ProgressBarProps {
  label: string
  progress: Progress | null
  className?: string
}

export function ProgressBar({ label, progress, className = '' }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      className={`h-1 accent-accent ${className}`}
      {...(progress && { value: progress.sentBytes, max: progress.totalBytes })}
    />
  )
}

interface SendingLineProps extends ProgressBarProps {
  /** What happens before anything has been sent, and once all of it has. */
  words: string
  onCancel: (() => void) | null
}

/** How much has been sent, and a button to stop it. */
export function SendingLine({ label, progress, words, onCancel }: SendingLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <ProgressBar label={label} progress={progress} className="min-w-40 flex-1" />
      <Note role="status">{progress && !isSent(progress) ? progressText(progress) : words}</Note>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  )
}
