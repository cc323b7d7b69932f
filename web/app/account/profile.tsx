import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Input } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import type { Account } from '../boot.ts'
import { TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { Switch } from '../ui/switch.tsx'
import { showError, showToast } from '../ui/toast.tsx'

/** Who the account is, and which mails it gets. */
export function Profile({ account }: { account: Account }) {
  const { mutate } = useUpdateAccount()
  const [name, setName] = useState(account.name ?? '')

  function saveName(): void {
    const given = name.trim() || null
    if (given !== account.name) mutate({ name: given })
  }
  return (
    <Section
      title="You"
      about={
        account.is_guest
          ? 'You open the pages that invite you. This server lets you publish none yourself.'
          : undefined
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Email"
          value={account.email}
          readOnly
          help="You sign in with it, by a link that is mailed to it."
        />
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          autoComplete="name"
          help="Viewers see it on your pages and your replies."
          onChange={(event) => setName(event.target.value)}
          onBlur={saveName}
          onKeyDown={(event) => event.key === 'Enter' && saveName()}
        />
      </div>
      {!account.is_guest && (
        <Switch
          label="Mails about your pages"
          help="About views, responses, comments and decisions, as each page has it set. Off: none."
          isOn={account.page_mails}
          onChange={(isOn) => mutate({ page_mails: isOn })}
        />
      )}
    </Section>
  )
}

function useUpdateAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: Input<'updateAccount'>) => (await api.updateAccount(change)).data,
    onMutate: (change) => {
      const before = client.getQueryData<Account>(['account'])
      client.setQueryData(['account'], { ...before, ...change })
      return { before }
    },
    onSuccess: (account) => {
      client.setQueryData(['account'], account)
      showToast('Saved')
    },
    onError: (err, _, context) => {
      client.setQueryData(['account'], context?.before)
      showError(messageOf(err))
    },
  })
}
