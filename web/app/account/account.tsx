import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { deletion } from '../../../src/model/deletion.ts'
import { count, formatBytes, formatNumber } from '../../../src/model/numbers.ts'
import { exactTime } from '../../time-words.ts'
import { useAccount, useBoot } from '../account.ts'
import { type Account, api, messageOf, type Output, read } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { Button } from '../ui/button.tsx'
import { FormDialog, openDialog } from '../ui/dialog.tsx'
import { Note, TextField } from '../ui/field.tsx'
import { Facts, ListRow, RowList, Section, ShareBar } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { Switch } from '../ui/switch.tsx'
import { Time } from '../ui/time.tsx'
import { showError } from '../ui/toast.tsx'
import { useAction } from '../use-action.ts'
import { Brand } from './brand.tsx'
import { Connections, SingleSignOn } from './connections.tsx'
import { ForgetPerson } from './forget-person.tsx'
import { Transfer } from './transfer.tsx'
import { useUpdateAccount } from './update.ts'

export default function AccountScreen() {
  const account = useAccount()
  return (
    <Screen title="Account" action={<Button onClick={signOut}>Sign out</Button>}>
      <div className="grid max-w-2xl grid-cols-1 gap-12">
        <Profile account={account} />
        {!account.is_guest && <Brand account={account} />}
        {!account.is_guest && <Plan account={account} />}
        <Passkeys />
        <SingleSignOn />
        {!account.is_guest && <Connections />}
        <Sessions />
        {!account.is_guest && <Transfer />}
        {!account.is_guest && <ForgetPerson />}
        <DeleteAccount account={account} />
      </div>
    </Screen>
  )
}

function Profile({ account }: { account: Account }) {
  const { mutate } = useUpdateAccount()
  const { sends_mails: sendsMails } = useBoot()
  const [name, setName] = useState(account.name ?? '')

  function saveName(): void {
    const next = name.trim() || null
    if (next !== account.name) mutate({ name: next })
  }
  return (
    <Section
      title="You"
      about={
        account.is_guest &&
        'You open the pages that invite you. This server lets you publish none yourself.'
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Email"
          value={account.email}
          readOnly
          help={
            sendsMails
              ? 'You sign in with it, by a link that is mailed to it.'
              : 'This server sends no mail to it.'
          }
        />
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          autoComplete="name"
          help="Viewers see it on your pages and your replies."
          onText={setName}
          onBlur={saveName}
          onKeyDown={(event) => event.key === 'Enter' && saveName()}
        />
      </div>
      {!account.is_guest && (
        <Switch
          label="Mails about your pages"
          help={sendsMails ? MAILS : `${MAILS} Mail is not set up: nothing is sent until it is.`}
          isOn={account.page_mails}
          onChange={(isOn) => mutate({ page_mails: isOn })}
        />
      )}
    </Section>
  )
}

const MAILS = 'About views, responses, comments and decisions, as each page has it set. Off: none.'

type Session = Output<'listSessions'>['data'][number]
const KEY = ['sessions']

function Sessions() {
  const { data, error, refetch } = useQuery(read(KEY, () => api.listSessions()))
  const end = useAction(({ id }: Session) => api.endSession({ session_id: id }), {
    said: 'Signed out there',
    refresh: [KEY],
  })
  const endOthers = useAction(() => api.endOtherSessions(), {
    said: ({ data: { ended } }) => `${count(ended, 'browser')} signed out`,
    refresh: [KEY],
  })
  return (
    <Section title="Signed-in browsers">
      {data === undefined && <Pending error={error} onRetry={refetch} />}
      <RowList>
        {data?.map((session) => (
          <ListRow
            key={session.id}
            name={session.browser}
            hint={`Signed in ${exactTime(session.created_at)}`}
            about={
              session.is_current ? (
                'This browser'
              ) : (
                <Time words="Last used" at={session.last_used_at} />
              )
            }
          >
            <Button
              onClick={session.is_current ? signOut : () => end.mutate(session)}
              aria-label={`Sign out ${session.browser}`}
            >
              Sign out
            </Button>
          </ListRow>
        ))}
      </RowList>
      {data && data.length > 1 && (
        <div>
          <Button mutation={endOthers}>Sign out all other browsers</Button>
        </div>
      )}
    </Section>
  )
}

function Plan({ account }: { account: Account }) {
  const { plan_names: names } = useBoot()
  const { limits, usage, plan_name: name, plan_price: price } = account
  const facts: [string, string][] = [
    ['Pages', `${formatNumber(usage.pages)}, of which ${usage.published_pages} are live`],
    ['Responses', `${count(usage.responses, 'response')}, ${formatBytes(usage.response_bytes)}`],
    ['Largest page, PDF or image', formatBytes(limits.file_bytes)],
    [
      'Largest deck',
      `${formatBytes(limits.deck_bytes)}, ${count(limits.deck_files, 'HTML file')}, ` +
        `${count(limits.deck_assets, 'asset')} of ${formatBytes(limits.asset_bytes)}`,
    ],
    [
      'Responses a page',
      `${formatNumber(limits.responses_per_page)}, ${formatBytes(limits.response_bytes_per_page)}`,
    ],
    [
      'Expiry, view limit, view-only, approvals, full analytics',
      limits.link_controls ? 'Included' : `In ${names.pro} and ${names.team}`,
    ],
  ]
  return (
    <Section
      title={`Plan: ${name}${price === null ? '' : `, ${price}`}`}
      about={limits.link_controls ? undefined : 'The operator of this server sets the plan.'}
    >
      <Use of="Pages with all kept versions" used={usage.stored_bytes} most={limits.stored_bytes} />
      {usage.uploads > 0 && (
        <Use
          of={`${count(usage.uploads, 'upload')} that no page has yet`}
          used={usage.upload_bytes}
          most={limits.upload_bytes}
        />
      )}
      <Facts facts={facts} />
    </Section>
  )
}

function Use({ of: what, used, most }: { of: string; used: number; most: number }) {
  return (
    <div className="grid gap-1.5 pb-4">
      <p className="flex flex-wrap justify-between gap-x-6">
        <span className="text-muted">{what}</span>
        <span className="tabular-nums">
          {formatBytes(used)} of {formatBytes(most)}
        </span>
      </p>
      <ShareBar share={used / most} />
      {used >= most && (
        <Note>
          Nothing more fits. Delete pages that you no longer need, or ask for a larger plan.
        </Note>
      )}
    </div>
  )
}

function DeleteAccount({ account }: { account: Account }) {
  const open = () => openDialog(<DeleteDialog account={account} />)
  return (
    <Section
      title="Delete"
      about="Your pages close at once, and are deleted with their versions, responses and comments."
    >
      <div>
        <Button onClick={open}>Delete account</Button>
      </div>
    </Section>
  )
}

function DeleteDialog({ account }: { account: Account }) {
  const { email, usage } = account
  const [confirmation, setConfirmation] = useState('')
  const removal = useAction(() => api.deleteAccount({ email: confirmation }), {
    hasPlace: true,
    onDone: () => location.assign('/app'),
  })
  const { warning, ...words } = deletion('this account', usage)
  return (
    <FormDialog {...words} look="danger" cancel="Keep" mutation={removal}>
      <p>{warning} Export first what you want to keep.</p>
      <TextField
        label={`Type ${email} to confirm`}
        value={confirmation}
        type="email"
        autoComplete="off"
        required
        error={removal.error}
        onText={setConfirmation}
      />
    </FormDialog>
  )
}

/** Ends the session of this browser. The page that follows says so, and asks to sign in. */
async function signOut(): Promise<void> {
  try {
    await api.endSession({ session_id: 'current' })
    location.assign('/app?signed_out')
  } catch (err) {
    showError(messageOf(err))
  }
}
