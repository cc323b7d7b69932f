import { useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { FormDialog } from '../ui/confirm.tsx'
import { TextField } from '../ui/field.tsx'
import { moveTo, pagesIn } from './actions.ts'

/** All pages of the folder go to one of the new name. */
export default function RenameFolder({ name, onClose }: { name: string; onClose(): void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState(name)
  const to = text.trim()

  async function rename(): Promise<void> {
    onClose()
    await moveTo(await pagesIn(name), to)
    navigate(`/?${new URLSearchParams({ folder: to })}`)
  }
  return (
    <FormDialog
      title="Rename the folder"
      action="Rename"
      onSubmit={() => to !== '' && to !== name && void rename()}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} value={text} onText={setText} />
    </FormDialog>
  )
}
