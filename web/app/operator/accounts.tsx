import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Input, Output } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Switch } from '../ui/switch.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { List, SearchField, usePagesOf } from './list.tsx'

type Listed = Output<'listAccounts'>['data'][number]
type Plan = Listed['plan']

/** All accounts, with their plans: to make some operators, and to suspend some. */
export function Accounts() {
  const { search, setSearch, query, items } = usePagesOf('accounts', (input) =>
    api.listAccounts(input),
  )
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Listed | null>(null)
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-60 flex-1 sm:max-w-80">
          <SearchField label="Search accounts" search={search} onSearch={setSearch} />
        </div>
        <Button
          look="primary"
          icon={<Plus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          New account
        </Button>
      </div>
      <List label="Accounts" items={items} query={query} none="No account has this name.">
        {(account) => <AccountRow account={account} onSuspend={() => setAsked(account)} />}
      </List>
      {isAdding && <NewAccount onClose={() => setAdding(false)} />}
      {asked && <Suspend account={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function AccountRow({ account, onSuspend }: { account: Listed; onSuspend(): void }) {
  const me = useAccount()
  const { plan_names: planNames } = useBoot()
  const change = useChangeAccount()
  const { email, name, plan, is_operator: isOperator, is_guest: isGuest } = account
  const providers = account.sign_in_providers
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-medium">
          <bdi>{name ?? email}</bdi>
        </p>
        <p className="truncate text-13 text-muted">
          {name && <>{email}, </>}
          since <Time at={account.created_at} />
          {providers.length > 0 && <>, signs in with {providers.join(' and ')}</>}
        </p>
        {account.suspended_at && (
          <p className="text-13 text-danger">
            Suspended <Time at={account.suspended_at} />
          </p>
        )}
      </div>
      <p className="text-13 text-muted tabular-nums">
        {isGuest
          ? 'Guest'
          : `${count(account.pages, 'page')}, ${formatBytes(account.stored_bytes)}`}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={`Plan of ${email}`}
          isLabelHidden
          value={isGuest ? '' : plan}
          onChange={({ target }) =>
            change.mutate({ account_id: account.id, plan: target.value as Plan })
          }
        >
          {isGuest && <option value="">Guest</option>}
          {Object.entries(planNames).map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </Select>
        <Button
          disabled={isGuest || account.id === me.id}
          aria-pressed={isOperator}
          aria-label={`Operator: ${email}`}
          className={isOperator ? 'border-ink!' : 'text-muted!'}
          onClick={() => change.mutate({ account_id: account.id, is_operator: !isOperator })}
        >
          Operator
        </Button>
        <SuspensionButton account={account} onSuspend={onSuspend} />
      </div>
    </div>
  )
}

function SuspensionButton({ account, onSuspend }: { account: Listed; onSuspend(): void }) {
  const me = useAccount()
  const end = useEndSuspension()
  const { id, email, suspended_at: suspendedAt } = account
  if (suspendedAt !== null) {
    return (
      <Button
        aria-label={`Undo suspension: ${email}`}
        disabled={end.isPending}
        onClick={() => end.mutate(account)}
      >
        Undo suspension
      </Button>
    )
  }
  return (
    <Button aria-label={`Suspend: ${email}`} disabled={id === me.id} onClick={onSuspend}>
      Suspend
    </Button>
  )
}

function useChangeAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: Input<'changeAccount'>) => api.changeAccount(change),
    onSuccess: ({ data }, { plan }) =>
      showToast(
        plan === undefined
          ? `${data.email} is ${data.is_operator ? 'an operator now' : 'no operator any more'}`
          : `${data.email} has the plan ${data.plan_name}`,
      ),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator', 'accounts'] }),
  })
}

/** Makes an account, and invites its owner by mail. */
function NewAccount({ onClose }: { onClose(): void }) {
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

/** Asks before an account is suspended, and names what stops. */
function Suspend({ account, onClose }: { account: Listed; onClose(): void }) {
  const client = useQueryClient()
  const { id, email, is_guest: isGuest, published_pages: live } = account
  const pages = live === 0 ? 'its pages' : `its ${count(live, 'live page')}`
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.suspendAccount({ account_id: id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['operator'] })
      showToast(`${email} is suspended`)
      onClose()
    },
    onError: (err) => showError(messageOf(err)),
  })
  return (
    <Dialog
      title="Suspend this account?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button look="danger" disabled={isPending} onClick={() => mutate()}>
            Suspend account
          </Button>
        </>
      }
    >
      <p className="mb-3 break-words">
        From now on, for <b className="font-medium">{email}</b>:
      </p>
      <ul className="mb-3 grid list-disc gap-1 pl-5">
        {!isGuest && (
          <li>Visitors of {pages} meet a notice, and nobody can answer or comment there.</li>
        )}
        <li>Its sessions end, and nobody can sign in to it.</li>
        {!isGuest && (
          <li>API keys and upload links are refused. Exports, imports and its mails stop.</li>
        )}
      </ul>
      <p>Nothing is deleted: undo it here, and everything is as it was. Its owner is mailed.</p>
    </Dialog>
  )
}

/** Ends a suspension, for the button in the list. */
function useEndSuspension() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Listed) => api.endSuspension({ account_id: id }),
    onSuccess: ({ data }) => showToast(`${data.email} is not suspended any more`),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator'] }),
  })
}
