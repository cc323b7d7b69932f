import { Download, Upload } from 'lucide-preact'
import { count } from '../../../src/model/numbers.ts'
import { messageOf, type Output } from '../api.ts'
import { download } from '../download.ts'
import { importArchive } from '../publishing/publish.ts'
import { isSent, SendingLine, useSending } from '../publishing/sending.tsx'
import { FileButton } from '../publishing/source-buttons.tsx'
import { Button } from '../ui/button.tsx'
import { TextLink } from '../ui/link.tsx'
import { Section } from '../ui/section.tsx'

const ABOUT =
  'Pages with all versions, settings, passwords and invited people, and what viewers said, in ' +
  'one zip. Another Handbill imports it, if its disk has the space. Keep it as you keep a password.'
const GOES_ON = 'Importing. It goes on if you leave, and each page appears when it is whole.'

export function Transfer() {
  const { mutate, isPending, data, error, progress, cancel } = useSending(importArchive, {
    hasPlace: true,
    refresh: [['pages']],
  })
  const isOver = isSent(progress)
  return (
    <Section title="Your data" about={ABOUT}>
      <div className="flex flex-wrap gap-2">
        <Button icon={Download} onClick={() => download('/app/account/export')}>
          Export everything
        </Button>
        <FileButton
          label="Import an export"
          name="Export to import"
          icon={Upload}
          accept=".zip,application/zip"
          isSingle
          isDisabled={isPending}
          onFiles={([file]) => file && mutate(file)}
        />
      </div>
      {isPending && (
        <SendingLine
          label="Importing"
          progress={isOver ? null : progress}
          words={isOver ? GOES_ON : ''}
          onCancel={isOver ? null : cancel}
        />
      )}
      <div role="status" className="grid gap-2">
        {error && <p className="text-danger">{messageOf(error)}</p>}
        {data && <Outcome result={data} />}
      </div>
    </Section>
  )
}

function Outcome({ result }: { result: Output<'importAccount'>['data'] }) {
  const { pages, imported, skipped, failed } = result
  const exceptions = pages.filter(({ status, left_out: leftOut }) => {
    return status !== 'imported' || leftOut.length > 0
  })
  return (
    <>
      <p>
        {count(imported, 'page')} imported
        {skipped > 0 && `, ${skipped} skipped`}
        {failed > 0 && `, ${failed} failed`}.
      </p>
      {exceptions.length > 0 && (
        <ul className="max-h-64 overflow-y-auto border-t border-line text-13">
          {exceptions.map((page) => (
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
                  <TextLink href={`/pages/${page.id}`}>Open</TextLink>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
