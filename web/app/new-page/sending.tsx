import type { Progress } from '../publishing/publish.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes } from '../ui/text.ts'

/** How much of the content has been sent. */
export function Sending({ progress, onCancel }: { progress: Progress | null; onCancel(): void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label="Sending"
        className="h-1 min-w-40 flex-1 accent-accent"
        {...(progress && { value: progress.sentBytes, max: progress.totalBytes })}
      />
      <span role="status" className="text-13 text-muted">
        {progress && progress.sentBytes < progress.totalBytes
          ? `${formatBytes(progress.sentBytes)} of ${formatBytes(progress.totalBytes)}`
          : 'Publishing'}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}
