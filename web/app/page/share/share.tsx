import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { usePublication } from '../use-page.ts'
import { shownLink } from '../words.ts'
import { Access } from './access/access.tsx'
import { Ask } from './ask/ask.tsx'
import { useLeaving } from './leaving.tsx'
import { Closes } from './link/closes.tsx'
import { LinkPreview } from './link/link-preview.tsx'
import { Mails } from './link/mails.tsx'
import { SharingContext, useSaver } from './sharing.ts'
import { SaveStatus } from './status.tsx'

/** The sharing dialog: who may open the page, until when, and what they may say. */
export default function ShareDialog({ page, onClose }: { page: Page; onClose(): void }) {
  const sharing = useSaver(page)
  const { tryToLeave, notice } = useLeaving(sharing, onClose)
  return (
    <SharingContext value={sharing}>
      <Dialog
        title="Share"
        isWide
        isTall
        status={<SaveStatus />}
        actions={notice}
        onClose={tryToLeave}
      >
        <PageLink page={page} />
        <Access />
        <Closes />
        <Ask />
        <LinkPreview />
        <Mails />
      </Dialog>
    </SharingContext>
  )
}

function PageLink({ page }: { page: Page }) {
  const { publish } = usePublication(page)
  return (
    <div className="pb-5">
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunk py-1 pr-1 pl-3">
        <span className="min-w-0 flex-1 truncate font-mono text-13">{shownLink(page.url)}</span>
        <CopyButton text={page.url} label="Copy link" />
      </div>
      {!page.is_published && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-13 text-muted">
          A draft: the link opens for nobody until you publish it.
          <Button disabled={publish.isPending} onClick={() => publish.mutate()}>
            Publish now
          </Button>
        </p>
      )}
    </div>
  )
}
