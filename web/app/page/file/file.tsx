import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Page } from '../../boot.ts'
import { dropTarget } from '../../publishing/drop-zone.tsx'
import { FileButton } from '../../publishing/file-button.tsx'
import { groupFiles } from '../../publishing/sources.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/text.ts'
import { ContentFrame } from '../preview/content-frame.tsx'
import { preferredWidth } from '../preview/preview.tsx'
import { usePublication } from '../use-page.ts'
import { type Replacement, useReplacement } from './use-replacement.ts'

const ACCEPTED = '.pdf,.png,.jpg,.jpeg,.webp,.gif'

/** The file of a PDF or image page: another one becomes the draft, and is published from here. */
export default function FileTab({ page }: { page: Page }) {
  const { replacement, start, cancel, retry } = useReplacement(page)
  const { publish } = usePublication(page)
  const [width] = useState(preferredWidth)
  const take = useRef(start)
  useEffect(() => {
    take.current = start
  })
  useEffect(() => {
    dropTarget.set((sources) => take.current(sources))
    return () => dropTarget.set(null)
  }, [])
  const isSending = replacement?.isSending === true
  const canPublish = !page.is_published || page.has_unpublished_changes
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 text-13 text-muted">
          <p className="break-words" dir="auto">
            {page.file!.name}, {formatBytes(page.file!.size_bytes)}
          </p>
          <p role="status">{statusOf(page)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <FileButton
            label="Replace file"
            icon={<Upload size={16} aria-hidden />}
            accept={ACCEPTED}
            isSingle
            isDisabled={isSending}
            onFiles={(files) => files.length > 0 && start(groupFiles(files))}
          />
          <Button
            look="primary"
            disabled={!canPublish || isSending || publish.isPending}
            onClick={() => publish.mutate()}
          >
            Publish
          </Button>
        </div>
      </div>
      {replacement && <Sent replacement={replacement} onCancel={cancel} onRetry={retry} />}
      <div className="h-[max(30rem,calc(100dvh-20rem))]">
        <ContentFrame page={page} version="draft" title="The draft" width={width} />
      </div>
      <p className="text-12 text-muted">
        Drop a PDF or an image here to replace the file. Visitors see it once you publish.
      </p>
    </div>
  )
}

interface SentProps {
  replacement: Replacement
  onCancel(): void
  onRetry(): void
}

/** The progress of the new file, or why it was refused. */
function Sent({ replacement: { name, progress, problem }, onCancel, onRetry }: SentProps) {
  if (problem !== null) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-control bg-raised px-4 py-2"
      >
        <p className="min-w-0 break-words text-danger" dir="auto">
          {problem.message} The draft is as it was.
        </p>
        <div className="flex gap-2">
          {problem.canRetry && <Button onClick={onRetry}>Try again</Button>}
          <Button look="quiet" onClick={onCancel}>
            Hide this
          </Button>
        </div>
      </div>
    )
  }
  const isSent = progress === null || progress.sentBytes >= progress.totalBytes
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label={`Sending ${name}`}
        className="h-1 min-w-40 flex-1 accent-accent"
        {...(progress && { value: progress.sentBytes, max: progress.totalBytes })}
      />
      <span role="status" className="text-13 text-muted">
        {isSent
          ? 'Saving the draft'
          : `${formatBytes(progress.sentBytes)} of ${formatBytes(progress.totalBytes)}`}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

function statusOf({ is_published: isPublished, has_unpublished_changes: hasChanges }: Page) {
  if (!isPublished) return 'Saved, not published'
  return hasChanges ? 'Saved, not published yet' : 'Saved and published'
}
