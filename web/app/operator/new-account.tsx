import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Input } from '../../../src/client/index.ts'
import { useBoot } from '../account.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Switch } from '../ui/switch.tsx'
import { showToast } from '../ui/toast.tsx'

type Plan = NonNullable<Input<'createAccount'>['plan']>

/** Makes an account, and invites its owner by mail. */
export function NewAccount({ onClose }: { onClose(): void }) {
  const client = useQueryClient()
  const { plan_names: planNames } = useBoot()
  const [email, setEmail] = useState('')
  const [plan, setPlan] = useState<Plan | ''>('')
  const [isMailed, setMailed] = useState(true)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.createAccount({ email, send_mail: isMailed, ...(plan !== '' && { plan }) }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      showToast(`${data.email} has an account`)
      onClose()
    },
  })
  return (
    <Dialog
      title="New account"
      onClose={onClose}
      actions={
        <Button look="primary" type="submit" form="new-account" disabled={isPending}>
          Make the account
        </Button>
      }
    >
      <form
        id="new-account"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <TextField
          label="Email"
          type="email"
          required
          autoComplete="off"
          value={email}
          error={error && messageOf(error)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Select
          label="Plan"
          value={plan}
          onChange={(event) => setPlan(event.target.value as Plan | '')}
        >
          <option value="">The server’s default</option>
          {Object.entries(planNames).map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </Select>
        <Switch
          label="Mail how to sign in"
          isOn={isMailed}
          onChange={setMailed}
          help="Without it, tell them to sign in with this address."
        />
      </form>
    </Dialog>
  )
}
