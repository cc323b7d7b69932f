import { useLocation } from 'wouter-preact'
import { NameDialog } from '../ui/name-dialog.tsx'
import { moveTo, pagesIn } from './actions.ts'

/** All pages of the folder go to one of the new name. */
export default function RenameFolder({ name, onClose }: { name: string; onClose(): void }) {
  const [, navigate] = useLocation()
  async function rename(to: string): Promise<void> {
    await moveTo(await pagesIn(name), to)
    navigate(`/?${new URLSearchParams({ folder: to })}`)
  }
  return (
    <NameDialog
      title="Rename the folder"
      action="Rename"
      before={name}
      maxLength={100}
      save={rename}
      onClose={onClose}
    />
  )
}
