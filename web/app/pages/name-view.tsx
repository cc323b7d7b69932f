import { useState } from 'preact/compat'
import { FormDialog } from '../ui/confirm.tsx'
import { TextField } from '../ui/field.tsx'
import { useAction } from '../use-action.ts'
import type { Filters } from './filters.ts'
import { saveView, useViews } from './views.ts'

interface NameViewProps {
  filters: Filters
  /** The name that it has; left out where it has none. */
  name?: string
  onClose(): void
}

export default function NameView({ filters, name: was, onClose }: NameViewProps) {
  const views = useViews()
  const [text, setText] = useState(was ?? '')
  const name = text.trim()
  const isTaken = name !== was && views.some((view) => view.name === name)
  const save = useAction((name: string) => saveView({ name, filters }, was), {
    said: was === undefined ? 'View saved' : 'View renamed',
    hasPlace: true,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={was === undefined ? 'Save this view' : 'Rename the view'}
      action={was === undefined ? 'Save' : 'Rename'}
      isSending={save.isPending}
      onSubmit={() => name !== '' && name !== was && !isTaken && save.mutate(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        maxLength={60}
        value={text}
        onText={setText}
        error={isTaken ? 'Another view has this name.' : save.error}
      />
    </FormDialog>
  )
}
