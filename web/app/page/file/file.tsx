import { Upload } from 'lucide-preact'
import { useState } from 'preact/compat'
import { FILE_EXTENSIONS } from '../../../../src/model/file-types.ts'
import { formatBytes } from '../../../../src/model/numbers.ts'
import type { Page } from '../../api.ts'
import { takeDropped } from '../../publishing/dropped.ts'
import { FileButton } from '../../publishing/source-buttons.tsx'
import { groupFiles } from '../../publishing/sources.ts'
import { PrimaryButton } from '../../ui/button.tsx'
import { ContentFrame } from '../preview/content-frame.tsx'
import { preferredWidth } from '../preview/preview.tsx'
import { usePublication } from '../use-page.ts'
import { isLive, publicationOf } from '../words.ts'

const TYPES = FILE_EXTENSIONS.map((extension) => `.${extension}`).join()

/** The file of a PDF or image page: another one is asked about like one that is dropped here. */
export default function FileTab({ page }: { page: Page }) {
  const { publish } = usePublication(page)
  const [width] = useState(preferredWidth)
  const take = (files: File[]) =>
    files.length > 0 && void takeDropped(groupFiles(files), { pageId: page.id })
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
          <FileButton label="Replace file" icon={Upload} accept={TYPES} isSingle onFiles={take} />
          <PrimaryButton mutation={publish} disabled={isLive(page) || publish.isPending}>
            Publish
          </PrimaryButton>
        </div>
      </div>
      <div className="h-[max(30rem,calc(100dvh-20rem))]">
        <ContentFrame page={page} width={width} />
      </div>
      <p className="text-12 text-muted">
        Drop a PDF or an image here to replace the file. Visitors see it once you publish.
      </p>
    </div>
  )
}
