import { useQuery } from '@tanstack/preact-query'
import { Download } from 'lucide-preact'
import { useState } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import { useAccount } from '../account.ts'
import { api, type Input, type Output, read } from '../api.ts'
import { download } from '../download.ts'
import { scrollInto } from '../hooks.ts'
import { AccentField } from '../ui/accent-field.tsx'
import { Button, SubmitButton } from '../ui/button.tsx'
import { Form } from '../ui/dialog.tsx'
import { Note, Problem, Select, TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { useAction } from '../use-action.ts'
import { type MailServer, readMailServer, writeMailServer } from './mail-server.ts'

type Settings = Output<'getSettings'>['data']
const KEY = ['operator', 'settings']

export function SettingsPart() {
  const { data, error, refetch } = useQuery(read(KEY, () => api.getSettings()))
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={6} />
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-12">
      <Look settings={data} />
      <Mail settings={data} />
      <SignUp settings={data} />
      <Retention settings={data} />
      <Backups />
    </div>
  )
}

function useChange(hasPlace = false) {
  return useAction((change: Input<'changeSettings'>) => api.changeSettings(change), {
    hasPlace,
    said: 'Saved',
    refresh: [KEY, ['operator', 'health']],
  })
}

/** Under a field that cannot be changed here. */
function lockNote(settings: Settings, name: string): string | undefined {
  const variable = settings.locked[name]
  return variable && `Set by ${variable} where the server is started, so it is locked here.`
}

const SECURITY = { smtp: 'STARTTLS, if it offers that', smtps: 'TLS from the start' }
const PORTS: Record<string, string> = { smtp: '587', smtps: '465' }

function Mail({ settings }: { settings: Settings }) {
  const [server, setServer] = useState(() => readMailServer(settings.smtp_url))
  const [from, setFrom] = useState(settings.mail_from)
  const change = useChange(true)
  const lock = lockNote(settings, 'smtp_url')
  const fromLock = lockNote(settings, 'mail_from')
  const put = (part: Partial<MailServer>) => setServer({ ...server, ...part })
  const input = {
    ...(!lock && server.host !== '' && { smtp_url: writeMailServer(server) }),
    ...(!fromLock && from.trim() !== settings.mail_from && { mail_from: from.trim() || null }),
  }
  const text = (name: 'host' | 'port' | 'user' | 'password') => ({
    value: server[name],
    disabled: Boolean(lock),
    autoComplete: 'off',
    onText: (value: string) => put({ [name]: value }),
  })
  return (
    <Section
      title="Mail"
      about={
        settings.smtp_url === null
          ? 'No mail server is set, so nobody gets mails: they wait in the outbox for you to read.'
          : 'Sign-in links, invitations and notifications go out through this server.'
      }
    >
      <Form
        className="grid gap-4"
        onSubmit={() => change.mutate(server.host === '' ? { ...input, smtp_url: null } : input)}
      >
        <div className="grid items-start gap-4 sm:grid-cols-[1fr_6rem]">
          <TextField
            label="Mail server"
            placeholder="mail.example.com"
            spellcheck={false}
            autoCapitalize="off"
            help={lock}
            {...text('host')}
          />
          <TextField label="Port" inputMode="numeric" maxLength={5} {...text('port')} />
        </div>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField label="User name" spellcheck={false} {...text('user')} />
          <TextField
            label="Mail password"
            type="password"
            {...text('password')}
            autoComplete="new-password"
            help={
              settings.smtp_has_password && !lock ? 'One is stored. Leave it empty to keep it.' : ''
            }
          />
          <Select
            label="Encryption"
            value={server.protocol}
            disabled={Boolean(lock)}
            options={SECURITY}
            onText={(protocol) =>
              put({
                protocol,
                ...(server.port === PORTS[server.protocol] && { port: PORTS[protocol]! }),
              })
            }
          />
          <TextField
            label="Sender"
            value={from}
            disabled={Boolean(fromLock)}
            help={fromLock ?? 'Whom people see, such as Handbill <pages@example.com>.'}
            onText={setFrom}
          />
        </div>
        <Problem error={change.error} />
        {!(lock && fromLock) && (
          <div>
            <SubmitButton disabled={change.isPending}>Save mail settings</SubmitButton>
          </div>
        )}
      </Form>
      <TestMail
        input={{ ...input, mail_from: input.mail_from ?? undefined }}
        isReady={server.host !== ''}
      />
    </Section>
  )
}

interface TestProps {
  /** What is typed and not saved yet. */
  input: Omit<Input<'testMail'>, 'to'>
  isReady: boolean
}

function TestMail({ input, isReady }: TestProps) {
  const [to, setTo] = useState(useAccount().email)
  const { mutate, isPending, data, error } = useAction(
    async () => (await api.testMail({ ...input, to })).data,
    { hasPlace: true },
  )
  return (
    <Form className="grid gap-2" onSubmit={() => mutate()}>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1">
          <TextField label="Send a test to" type="email" required value={to} onText={setTo} />
        </div>
        <SubmitButton look="plain" disabled={!isReady || isPending}>
          {isPending ? 'Sending…' : 'Send a test mail'}
        </SubmitButton>
      </div>
      <div role="status" className="text-13">
        {error && <Problem error={error} />}
        {data && (
          <div key={data.answer} ref={scrollInto}>
            <p className={data.is_taken ? '' : 'text-danger'}>
              {data.server}{' '}
              {data.is_taken ? 'took the mail. It answered:' : 'did not take the mail:'}
            </p>
            <p className="mt-1 rounded-control bg-sunk px-3 py-2 font-mono break-words">
              {data.answer}
            </p>
          </div>
        )}
      </div>
    </Form>
  )
}

const SIGNUP = {
  closed: 'Nobody: operators make accounts',
  invite: 'People who are invited to a page',
  open: 'Anyone',
}

function SignUp({ settings }: { settings: Settings }) {
  const { mutate, isPending } = useChange()
  const lock = lockNote(settings, 'signup')
  return (
    <Section title="Sign-up">
      <Select
        label="Who may make an account"
        value={settings.signup}
        disabled={Boolean(lock) || isPending}
        options={SIGNUP}
        help={lock ?? 'People who are invited to a page can always open it as guests.'}
        onText={(signup) => mutate({ signup: signup as Settings['signup'] })}
      />
    </Section>
  )
}

const MONTHS = [1, 3, 6, 13, 24, 36, 60, 120]

function Retention({ settings }: { settings: Settings }) {
  const { mutate, isPending } = useChange()
  const lock = lockNote(settings, 'people_retention_months')
  const months = settings.people_retention_months
  const choices = [...new Set([...MONTHS, months])].sort((a, b) => a - b)
  return (
    <Section title="Who opened pages">
      <Select
        label="Names and addresses are kept for"
        value={String(months)}
        disabled={Boolean(lock) || isPending}
        options={Object.fromEntries(choices.map((each) => [each, count(each, 'month')]))}
        help={
          lock ??
          'Of those who opened a named link or confirmed an address. The numbers of views stay.'
        }
        onText={(value) => mutate({ people_retention_months: Number(value) })}
      />
    </Section>
  )
}

function Look({ settings }: { settings: Settings }) {
  const [name, setName] = useState(settings.name)
  const { mutate } = useChange()
  const lock = lockNote(settings, 'name')
  const accentLock = lockNote(settings, 'accent')
  const saveName = () => name.trim() !== settings.name && mutate({ name: name.trim() || null })
  return (
    <Section title="Name and colour">
      <TextField
        label="Name of the server"
        value={name}
        maxLength={40}
        disabled={Boolean(lock)}
        help={lock ?? 'On the pages of this server and in its mails. Empty: Handbill.'}
        onText={setName}
        onBlur={saveName}
        onKeyDown={(event) => event.key === 'Enter' && saveName()}
      />
      <AccentField
        value={settings.accent}
        isDisabled={Boolean(accentLock)}
        help={accentLock ?? 'Of the app, of mails, and of pages whose owner chose no other.'}
        onChange={(accent) => {
          document.documentElement.dataset.accent = accent!
          mutate({ accent })
        }}
      />
    </Section>
  )
}

function Backups() {
  return (
    <Section
      title="Backups"
      about={
        <>
          All accounts, pages and files of this server in one archive, made while it runs. It
          restores into an empty place with handbill backup restore.
        </>
      }
    >
      <div>
        <Button icon={Download} onClick={() => download('/app/operator/backup')}>
          Download a backup
        </Button>
      </div>
      <Note>
        Keep it as you keep a password: it holds the addresses of people, and the server’s key
        unless SECRET_KEY is set. With BACKUP_URL the server makes one each day.
      </Note>
    </Section>
  )
}
