import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Output } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { hasRecentSignIn, messageOf, noteError } from '../api.ts'
import { importArchive, type Progress } from '../publishing/publish.ts'
import { signInAgain } from '../sign-in-again.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import { showError } from '../ui/toast.tsx'

type Imported = Output<'importAccount'>['data']

const ABOUT =
  'Pages with all versions, settings, passwords and invited people, and what viewers said, in ' +
  'one zip. Another Handbill imports it, if its disk has the space. Keep it as you keep a password.'

/** Exports the account as one file, and imports the pages of such a file. */
export function Transfer() {
  const client = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const stop = useRef(new AbortController())
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (file: File) => {
      stop.current = new AbortController()
      setProgress(null)
      const { signal } = stop.current
      return importArchive(file, { signal, onProgress: setProgress })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['pages'] }),
  })
  return (
    <Section title="Your data" about={ABOUT}>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Download size={16} aria-hidden />} onClick={exportAll}>
          Export everything
        </Button>
        <Button
          icon={<Upload size={16} aria-hidden />}
          disabled={isPending}
          onClick={() => picker.current?.click()}
        >
          Import an export
        </Button>
        <input
          ref={picker}
          type="file"
          accept=".zip,application/zip"
          aria-label="Export to import"
          className="hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) mutate(file)
            target.value = ''
          }}
        />
      </div>
      {isPending && <Importing progress={progress} onCancel={() => stop.current.abort()} />}
      <div role="status" className="grid gap-2">
        {error && error.name !== 'AbortError' && <p className="text-danger">{messageOf(error)}</p>}
        {data && <Outcome imported={data} />}
      </div>
    </Section>
  )
}

/** The browser saves the file while it arrives; the dashboard stays as it is. */
async function exportAll(): Promise<void> {
  try {
    if (!((await hasRecentSignIn()) || (await signInAgain()))) return
    location.assign('/app/account/export')
  } catch (err) {
    noteError(err)
    showError(messageOf(err))
  }
}

/** How much has been sent, and what happens once that is all. */
function Importing({ progress, onCancel }: { progress: Progress | null; onCancel(): void }) {
  const isSent = progress !== null && progress.sentBytes >= progress.totalBytes
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label="Importing"
        className="h-1 min-w-40 flex-1 accent-accent"
        {...(!isSent && progress && { value: progress.sentBytes, max: progress.totalBytes })}
      />
      <span role="status" className="text-13 text-muted">
        {isSent
          ? 'Importing. It goes on if you leave, and each page appears when it is whole.'
          : progress && `${formatBytes(progress.sentBytes)} of ${formatBytes(progress.totalBytes)}`}
      </span>
      {!isSent && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  )
}

/** The result for each page of which something was not imported. */
function Outcome({ imported }: { imported: Imported }) {
  const { pages, skipped, failed } = imported
  const noted = pages.filter(({ status, left_out: leftOut }) => {
    return status !== 'imported' || leftOut.length > 0
  })
  return (
    <>
      <p>
        {count(imported.imported, 'page')} imported
        {skipped > 0 && `, ${skipped} skipped`}
        {failed > 0 && `, ${failed} failed`}.
      </p>
      {noted.length > 0 && (
        <ul className="max-h-64 overflow-y-auto border-t border-line text-13">
          {noted.map((page) => (
            <li key={page.from_slug} className="border-b border-line py-2">
              <bdi className="font-medium">{page.title ?? page.from_slug}</bdi>{' '}
              <span className="text-muted">
                {page.status === 'imported'
                  ? `came without: ${page.left_out.join(', ')}`
                  : (page.reason ?? page.status)}
              </span>
              {page.id && (
                <>
                  {' '}
                  <Link href={`/pages/${page.id}`} className="link">
                    Open
                  </Link>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
