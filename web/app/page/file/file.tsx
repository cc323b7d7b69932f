import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ContentProblem } from '../../../../src/client/content/local-content.ts'
import { formatBytes } from '../../../../src/model/numbers.ts'
import { useAccount } from '../../account.ts'
import { messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { dropTarget } from '../../publishing/drop-zone.tsx'
import { type Progress, replaceContent } from '../../publishing/publish.ts'
import { readSource } from '../../publishing/read-source.ts'
import { FileButton } from '../../publishing/source-buttons.tsx'
import { groupFiles, type Source } from '../../publishing/sources.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ContentFrame } from '../preview/content-frame.tsx'
import { preferredWidth } from '../preview/preview.tsx'
import { pageQuery, usePublication } from '../use-page.ts'

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
            icon={Upload}
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

/** A new file for a page, on its way or refused. */
interface Replacement {
  name: string
  isSending: boolean
  progress: Progress | null
  /** Why it was refused, and whether another attempt could succeed. */
  problem: { message: string; canRetry: boolean } | null
}

/** Makes a file the draft of a PDF or image page: sent with progress, stopped and tried again. */
function useReplacement(page: Page) {
  const account = useAccount()
  const client = useQueryClient()
  const stop = useRef(new AbortController())
  const [progress, setProgress] = useState<Progress | null>(null)
  const { mutate, reset, variables, isPending, error } = useMutation({
    mutationFn: async (sources: readonly Source[]) => {
      const { signal } = stop.current
      const local = await readSource(onlyFile(sources))
      if (local.kind !== 'file') throw notAFile(nameOf(sources))
      const options = { account, signal, onProgress: setProgress }
      return (await replaceContent(page.id, local, options)).data
    },
    onSuccess: (saved, sources) => {
      client.setQueryData(pageQuery(page.id).queryKey, saved)
      showToast(`${nameOf(sources)} is the draft. The file before is among the versions.`)
      reset()
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['pages'] }),
        client.invalidateQueries({ queryKey: ['versions', page.id] }),
      ]),
  })
  function start(sources: readonly Source[]): void {
    stop.current.abort()
    stop.current = new AbortController()
    setProgress(null)
    mutate(sources)
  }
  function cancel(): void {
    stop.current.abort(new DOMException('Cancelled', 'AbortError'))
    reset()
  }
  const replacement: Replacement | null =
    variables === undefined
      ? null
      : {
          name: nameOf(variables),
          isSending: isPending,
          progress,
          problem: error && {
            message: messageOf(error),
            canRetry: !(error instanceof ContentProblem),
          },
        }
  return { replacement, start, cancel, retry: () => variables && start(variables) }
}

function onlyFile(sources: readonly Source[]): Source {
  const [source, ...others] = sources
  if (source === undefined || others.length > 0 || source.isFolder) {
    throw new ContentProblem('A page of this kind has one file: choose one PDF or image.')
  }
  return source
}

function notAFile(name: string): ContentProblem {
  return new ContentProblem(
    `${name} is no PDF or image, and this page is one: publish it as a page of its own.`,
  )
}

function nameOf(sources: readonly Source[]): string {
  return sources[0]?.name ?? 'The file'
}
