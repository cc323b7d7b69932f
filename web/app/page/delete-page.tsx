import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Page } from '../boot.ts'
import { deleteWithUndo } from '../pages/delete.ts'
import { Confirm } from '../ui/confirm.tsx'
import { nameOf } from './words.ts'

/** Asks for confirmation, names what will be deleted, and leaves ten seconds to undo it. */
export function DeletePage({ page, onClose }: { page: Page; onClose(): void }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return (
    <Confirm
      title="Delete this page?"
      action="Delete page"
      onClose={onClose}
      onConfirm={() => {
        deleteWithUndo(client, [page])
        navigate('')
      }}
    >
      <p>
        “{nameOf(page)}” goes with its versions, responses and comments. Its link shows nothing any
        more.
      </p>
    </Confirm>
  )
}
