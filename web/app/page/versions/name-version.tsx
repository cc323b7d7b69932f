import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { versionsQuery } from '../queries.ts'
import type { Version } from './version.ts'

interface NameVersionProps {
  page: Page
  version: Version
  onClose(): void
}

/** Names a version, which is then kept for ever; an empty name clears it. */
export function NameVersion({ page, version, onClose }: NameVersionProps) {
  const client = useQueryClient()
  const { queryKey } = versionsQuery(page.id)
  const [text, setText] = useState(version.label ?? '')
  const naming = useMutation({
    mutationFn: (label: string | null) =>
      api.nameVersion({ id: page.id, version_no: version.version_no, label }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const save = () => naming.mutate(text.trim() === '' ? null : text.trim())
  return (
    <Dialog
      title={`Name version ${version.version_no}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={naming.isPending} onClick={save}>
            Save name
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label="Name"
          value={text}
          maxLength={200}
          dir="auto"
          placeholder="As sent to Ann"
          help="A named version is kept for ever. Without a name, it is kept among the newest 50."
          error={naming.isError ? messageOf(naming.error) : null}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
