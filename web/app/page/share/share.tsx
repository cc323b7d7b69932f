import type { Page } from '../../boot.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** The sharing dialog: who may open the page, until when, and what they may say. */
export default function ShareDialog({ page, onClose }: { page: Page; onClose(): void }) {
  return (
    <Dialog title="Share" onClose={onClose} isWide>
      {page.url}
    </Dialog>
  )
}
