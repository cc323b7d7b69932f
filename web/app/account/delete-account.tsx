import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '../api.ts'
import type { Account } from '../boot.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { count } from '../ui/text.ts'

/** Deletes the account, after its address was typed. */
export function DeleteAccount({ account }: { account: Account }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Section
      title="Delete"
      about="Your pages close at once, and are deleted with their versions, responses and comments."
    >
      <div>
        <Button onClick={() => setAsking(true)}>Delete account</Button>
      </div>
      {isAsking && <Ask account={account} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Ask({ account, onClose }: { account: Account; onClose(): void }) {
  const [email, setEmail] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.deleteAccount({ email }),
    onSuccess: () => location.assign('/app'),
  })
  const { pages, responses } = account.usage
  return (
    <Dialog
      title="Delete this account?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button look="danger" type="submit" form="delete-account" disabled={isPending}>
            Delete account and {count(pages, 'page')}
          </Button>
        </>
      }
    >
      <form
        id="delete-account"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p>
          {count(pages, 'page')} and {count(responses, 'response')} go with it. There is no undo:
          export first what you want to keep.
        </p>
        <TextField
          label={`Type ${account.email} to confirm`}
          value={email}
          type="email"
          autoComplete="off"
          required
          error={error && messageOf(error)}
          onChange={(event) => setEmail(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
