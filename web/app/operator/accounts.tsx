import { Plus } from 'lucide-preact'
import { useState } from 'preact/compat'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { useAccount, useBoot } from '../account.ts'
import { api, type Input, type Output } from '../api.ts'
import { NoMailNote } from '../page/share/personal-link.tsx'
import { Button, PrimaryButton } from '../ui/button.tsx'
import { ConfirmButton, FormDialog, openDialog, useClose } from '../ui/dialog.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { SearchableList } from '../ui/list.tsx'
import { ListRow } from '../ui/section.tsx'
import { Switch } from '../ui/switch.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

type Listed = Output<'listAccounts'>['data'][number]
type Plan = Listed['plan']
const ACCOUNTS = [['operator', 'accounts']]
const ALL = [['operator']]

export function Accounts() {
  const add = () => openDialog(<NewAccount />)
  return (
    <SearchableList
      name="accounts"
      label="Accounts"
      none="No account has this name."
      read={(input) => api.listAccounts(input)}
      action={
        <PrimaryButton icon={Plus} onClick={add}>
          New account
        </PrimaryButton>
      }
    >
      {(account) => <AccountItem account={account} />}
    </SearchableList>
  )
}

function AccountItem({ account }: { account: Listed }) {
  const isMe = account.id === useAccount().id
  const { plan_names: planNames } = useBoot()
  const { id, email, name, plan, is_operator: isOperator, is_guest: isGuest } = account
  const { suspended_at: suspendedAt, sign_in_providers: providers } = account
  const change = useAction((input: Input<'changeAccount'>) => api.changeAccount(input), {
    said: ({ data }, input) =>
      input.plan === undefined
        ? `${data.email} is ${data.is_operator ? 'an operator now' : 'no operator any more'}`
        : `${data.email} has the plan ${data.plan_name}`,
    refresh: ACCOUNTS,
  })
  const suspend = useAction(() => api.suspendAccount({ account_id: id }), {
    said: `${email} is suspended`,
    refresh: ALL,
  })
  const end = useAction(() => api.endSuspension({ account_id: id }), {
    said: ({ data }) => `${data.email} is not suspended any more`,
    refresh: ALL,
  })
  return (
    <ListRow
      name={<bdi>{name ?? email}</bdi>}
      about={
        <>
          {name && <>{email}, </>}
          since <Time at={account.created_at} />
          {providers.length > 0 && <>, signs in with {providers.join(' and ')}</>}
        </>
      }
      problem={suspendedAt && <Time words="Suspended" at={suspendedAt} />}
      facts={
        isGuest ? 'Guest' : `${count(account.pages, 'page')}, ${formatBytes(account.stored_bytes)}`
      }
    >
      <Select
        label={`Plan of ${email}`}
        isLabelHidden
        value={isGuest ? '' : plan}
        onText={(value) => change.mutate({ account_id: id, plan: value as Plan })}
        options={planNames}
      >
        {isGuest && <option value="">Guest</option>}
      </Select>
      <Button
        disabled={isGuest || isMe}
        aria-pressed={isOperator}
        aria-label={`Operator: ${email}`}
        className={isOperator ? 'border-ink!' : 'text-muted!'}
        onClick={() => change.mutate({ account_id: id, is_operator: !isOperator })}
      >
        Operator
      </Button>
      {suspendedAt === null ? (
        <ConfirmButton
          label="Suspend"
          name={`Suspend: ${email}`}
          isDisabled={isMe}
          title="Suspend this account?"
          action="Suspend account"
          keep="Leave it as it is"
          onConfirm={suspend.mutate}
        >
          <WhatStops account={account} />
        </ConfirmButton>
      ) : (
        <Button aria-label={`Undo suspension: ${email}`} mutation={end}>
          Undo suspension
        </Button>
      )}
    </ListRow>
  )
}

function NewAccount() {
  const { plan_names: planNames, sends_mails: sendsMails } = useBoot()
  const [email, setEmail] = useState('')
  const [plan, setPlan] = useState('')
  const [isMailed, setMailed] = useState(sendsMails)
  const creation = useAction(
    () =>
      api.createAccount({ email, send_mail: isMailed, ...(plan !== '' && { plan: plan as Plan }) }),
    {
      hasPlace: true,
      said: ({ data }) => `${data.email} has an account`,
      refresh: ACCOUNTS,
      onDone: useClose(),
    },
  )
  return (
    <FormDialog title="New account" action="Make the account" mutation={creation}>
      <TextField
        label="Email"
        type="email"
        required
        autoComplete="off"
        value={email}
        error={creation.error}
        onText={setEmail}
      />
      <Select label="Plan" value={plan} onText={setPlan} options={planNames}>
        <option value="">The server’s default</option>
      </Select>
      {sendsMails && (
        <Switch
          label="Mail how to sign in"
          isOn={isMailed}
          onChange={setMailed}
          help="Without it, tell them to sign in with this address."
        />
      )}
      <NoMailNote>
        give them the link that <code>handbill account sign-in EMAIL</code> prints.
      </NoMailNote>
    </FormDialog>
  )
}

function WhatStops({ account }: { account: Listed }) {
  const { sends_mails: sendsMails } = useBoot()
  const { email, is_guest: isGuest, published_pages: live } = account
  const pages = live === 0 ? 'its pages' : `its ${count(live, 'live page')}`
  return (
    <>
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
      <p>
        Nothing is deleted: undo it here, and everything is as it was.
        {sendsMails && ' Its owner is mailed.'}
      </p>
    </>
  )
}
