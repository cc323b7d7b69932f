import type { QueryKey } from '@tanstack/preact-query'
import { type ComponentProps, useState } from 'preact/compat'
import { useAction } from '../use-action.ts'
import { FormDialog, useClose } from './dialog.tsx'
import { TextField } from './field.tsx'

type Dialog = ComponentProps<typeof FormDialog>
type Field = Partial<Omit<ComponentProps<typeof TextField>, keyof Dialog>>

interface NameDialogProps extends Pick<Dialog, 'title' | 'action' | 'cancel'>, Field {
  /** The name that there is now; left out where there is none. */
  before?: string
  said?: string
  refresh?: readonly QueryKey[]
  /** @param name without spaces around it, and another one than before */
  save(name: string): Promise<unknown>
}

/** Asks for a name. All other properties are those of its field. */
export function NameDialog({ before, refresh = [], said, save, ...props }: NameDialogProps) {
  const { title, action, cancel, ...field } = props
  const close = useClose()
  const [text, setText] = useState(before ?? '')
  const name = text.trim()
  const saving = useAction(() => save(name), { hasPlace: true, said, refresh, onDone: close })
  return (
    <FormDialog
      {...{ title, action, cancel }}
      isSending={saving.isPending}
      onSubmit={() => (name === before ? close() : saving.mutate())}
    >
      <TextField
        label="Name"
        value={text}
        required
        pattern=".*\S.*"
        error={saving.error}
        // Not while it is sent: its error would have no place.
        onText={(next) => [setText(next), saving.isError && saving.reset()]}
        {...field}
      />
    </FormDialog>
  )
}
