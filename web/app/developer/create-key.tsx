import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'

interface CreateKeyProps {
  newKey: string | null
  onCreated(key: string): void
}

/** Makes a key, and shows it once. */
export function CreateKey({ newKey, onCreated }: CreateKeyProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: async () => (await api.createKey({ name: name.trim() || null })).data,
    onSuccess: ({ key }) => {
      setName('')
      onCreated(key)
      return client.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  return (
    <>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <div className="min-w-48 flex-1">
          <TextField
            label="Key name"
            placeholder="What uses it, such as laptop"
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            error={create.error && messageOf(create.error)}
          />
        </div>
        <Button type="submit" look="primary" disabled={create.isPending}>
          Create key
        </Button>
      </form>
      {newKey !== null && <NewKey apiKey={newKey} />}
    </>
  )
}

/** A key that was just made: nothing shows it again. */
export function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <div className="rounded-card border border-accent bg-raised p-4">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-60 flex-1">
          <TextField
            label="API key"
            help="Store it now. It is shown this once."
            readOnly
            value={apiKey}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13!"
            onFocus={(event) => event.target.select()}
          />
        </div>
        <div className="mb-6">
          <CopyButton text={apiKey} label="Copy key" />
        </div>
      </div>
    </div>
  )
}
