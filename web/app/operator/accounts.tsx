import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Input, Output } from '../../../src/client/index.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { count, formatBytes } from '../ui/text.ts'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { List } from './list.tsx'
import { NewAccount } from './new-account.tsx'
import { SearchField } from './search-field.tsx'
import { Suspend, useEndSuspension } from './suspend.tsx'
import { usePagesOf } from './use-pages-of.ts'

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
