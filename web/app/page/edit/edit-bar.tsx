import { Search } from 'lucide-react'
import type { Page } from '../../boot.ts'
import { MODIFIER } from '../../frame/rail.tsx'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { EditSession, EditState } from './session.ts'

interface EditBarProps {
  page: Page
  session: EditSession
  /** Opens the search over all files; null where there is one file. */
  onFind: (() => void) | null
}

/** Says what is unsaved, saved and published, and has the buttons to save and publish. */
export function EditBar({ page, session, onFind }: EditBarProps) {
  const state = useStore(session)
  const isDirty = session.isDirty()
  const canPublish = isDirty || !page.is_published || page.has_unpublished_changes
  async function save(): Promise<void> {
    if (await session.save()) showToast('Draft saved')
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p role="status" className="text-13 text-muted">
        {statusOf(state, { isDirty, page })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {onFind && (
          <Button look="quiet" icon={<Search size={16} aria-hidden />} onClick={onFind}>
            Find in all files
          </Button>
        )}
        <Button
          disabled={!isDirty || state.busy !== null}
          title={`${MODIFIER} S`}
          onClick={() => void save()}
        >
          Save draft
        </Button>
        <Button
          look="primary"
          disabled={!canPublish || state.busy !== null}
          onClick={() => void session.publish()}
        >
          Publish
        </Button>
      </div>
    </div>
  )
}

function statusOf(
  { busy, conflict, isKept }: EditState,
  { isDirty, page }: { isDirty: boolean; page: Page },
): string {
  if (busy === 'save') return 'Saving…'
  if (busy === 'publish') return 'Publishing…'
  if (conflict !== null) return 'Not saved: the draft was changed elsewhere'
  if (isDirty) {
    return isKept
      ? 'Unsaved changes, kept in this browser'
      : 'Unsaved changes, too large for this browser to keep: save often'
  }
  if (!page.is_published) return 'Saved, not published'
  return page.has_unpublished_changes ? 'Saved, not published yet' : 'Saved and published'
}
