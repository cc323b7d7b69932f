import { useQueryClient } from '@tanstack/preact-query'
import { Upload } from 'lucide-preact'
import { useEffect, useState } from 'preact/compat'
import { ContentProblem } from '../../../../src/client/content/local-content.ts'
import { formatBytes } from '../../../../src/model/numbers.ts'
import { useAccount } from '../../account.ts'
import { messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { useLatest } from '../../hooks.ts'
import { replaceContent } from '../../publishing/publish.ts'
import { readSource } from '../../publishing/read-source.ts'
import { SendingLine, useSending } from '../../publishing/sending.tsx'
import { FileButton } from '../../publishing/source-buttons.tsx'
import { groupFiles, type Source } from '../../publishing/sources.ts'
import { dropTarget } from '../../publishing/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/section.tsx'
import { ContentFrame } from '../preview/content-frame.tsx'
import { preferredWidth } from '../preview/preview.tsx'
import { pageQuery, usePublication } from '../use-page.ts'
import { isLive, publicationOf } from '../words.ts'

const ACCEPTED = '.pdf,.png,.jpg,.jpeg,.webp,.gif'

/** The file of a PDF or image page: another one becomes the draft, and is published from here. */
export default function FileTab({ page }: { page: Page }) {
  const sending = useReplacement(page)
  const { mutate, variables, error, isPending, progress, cancel } = sending
  const { publish } = usePublication(page)
  const [width] = useState(preferredWidth)
  const take = useLatest(mutate)
  useEffect(() => {
    dropTarget.set((sources) => take.current(sources))
    return () => dropTarget.set(null)
  }, [take])
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 text-13 text-muted">
          <p className="break-words" dir="auto">
            {page.file!.name}, {formatBytes(page.file!.size_bytes)}
          </p>
          <p role="status">{publicationOf(page)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <FileButton
            label="Replace file"
            icon={Upload}
            accept={ACCEPTED}
            isSingle
            isDisabled={isPending}
            onFiles={(files) => files.length > 0 && mutate(groupFiles(files))}
          />
          <Button
            look="primary"
            disabled={isLive(page) || isPending || publish.isPending}
            onClick={() => publish.mutate()}
          >
            Publish
          </Button>
        </div>
      </div>
      {variables && error && (
        <Notice
          isAlert
          actions={
            <>
              {!(error instanceof ContentProblem) && (
                <Button onClick={() => mutate(variables)}>Try again</Button>
              )}
              <Button look="quiet" onClick={cancel}>
                Hide this
              </Button>
            </>
          }
        >
          {messageOf(error)} The draft is as it was.
        </Notice>
      )}
      {variables && isPending && (
        <SendingLine
          label={`Sending ${nameOf(variables)}`}
          progress={progress}
          words="Saving the draft"
          onCancel={cancel}
        />
      )}
      <div className="h-[max(30rem,calc(100dvh-20rem))]">
        <ContentFrame page={page} version="draft" title="The draft" width={width} />
      </div>
      <p className="text-12 text-muted">
        Drop a PDF or an image here to replace the file. Visitors see it once you publish.
      </p>
    </div>
  )
}

/** Makes a file the draft of a PDF or image page. */
function useReplacement(page: Page) {
  const account = useAccount()
  const client = useQueryClient()
  return useSending(
    async (sources: readonly Source[], sending) => {
      const local = await readSource(onlyFile(sources))
      if (local.kind === 'file') {
        return (await replaceContent(page.id, local, { account, ...sending })).data
      }
      throw new ContentProblem(
        `${nameOf(sources)} is no PDF or image, and this page is one: ` +
          'publish it as a page of its own.',
      )
    },
    {
      hasPlace: true,
      said: (_, sources) =>
        `${nameOf(sources)} is the draft. The file before is among the versions.`,
      onDone: (saved) => void client.setQueryData(pageQuery(page.id).queryKey, saved),
      refresh: [['pages'], ['versions', page.id]],
    },
  )
}

function onlyFile(sources: readonly Source[]): Source {
  const [source, ...others] = sources
  if (source === undefined || others.length > 0 || source.isFolder) {
    throw new ContentProblem('A page of this kind has one file: choose one PDF or image.')
  }
  return source
}

function nameOf(sources: readonly Source[]): string {
  return sources[0]?.name ?? 'The file'
}
