import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'wouter'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import { count } from '../ui/text.ts'

type Imported = Output<'importAccount'>['data']

const ABOUT =
  'Pages with all versions, settings, passwords and invited people, and what viewers said, in ' +
  'one zip. Another Handbill imports it. Keep it as you keep a password.'

/** Takes everything out as one file, and brings the pages of such a file in. */
export function Transfer() {
  const client = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (file: File) => (await api.importAccount(file)).data,
    onSettled: () => client.invalidateQueries({ queryKey: ['pages'] }),
  })
  return (
    <Section title="Your data" about={ABOUT}>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Download size={16} aria-hidden />}
          // The browser saves the file while it arrives; the dashboard stays as it is.
          onClick={() => location.assign('/app/account/export')}
        >
          Export everything
        </Button>
        <Button
          icon={<Upload size={16} aria-hidden />}
          disabled={isPending}
          onClick={() => picker.current?.click()}
        >
          {isPending ? 'Importing…' : 'Import an export'}
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
      <div role="status" className="grid gap-2">
        {error && <p className="text-danger">{messageOf(error)}</p>}
        {data && <Outcome imported={data} />}
      </div>
    </Section>
  )
}

/** What became of each page, where something did not come along. */
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
