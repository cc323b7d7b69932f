import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-preact'
import { useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { count, formatBytes, formatNumber } from '../../../src/model/numbers.ts'
import { api, type Output, read, readParts } from '../api.ts'
import { NotFound, Screen } from '../frame/screen.tsx'
import { nameOf } from '../page/words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, FormDialog, openDialog, useClose } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { TextLink } from '../ui/link.tsx'
import { List, SearchableList } from '../ui/list.tsx'
import { Facts, ListRow, Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'
import { Accounts } from './accounts.tsx'
import { SettingsPart } from './settings.tsx'

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const SENTENCES = {
  ok: 'Everything works.',
  warning: 'Everything works, but something needs your attention.',
  failing: 'Something does not work.',
}
const NAMES = {
  database: 'Database',
  files: 'Files',
  disk: 'Disk',
  backup: 'Backups',
  mail: 'Mail',
  address: 'Address',
}

const MARKS = {
  ok: { Icon: CircleCheck, word: 'Works', tone: 'text-muted' },
  warning: { Icon: TriangleAlert, word: 'Needs attention', tone: 'text-ink' },
  failing: { Icon: CircleX, word: 'Does not work', tone: 'text-danger' },
}

/** Of mails about votes. */
const ERASED = 'an erased address'

const STATES = { waiting: 'Waiting', retrying: 'Tried again later', failed: 'Failed', sent: 'Sent' }

const PARTS = [
  { path: '', name: 'Health', view: Health },
  { path: 'accounts', name: 'Accounts', view: Accounts },
  { path: 'pages', name: 'Pages', view: AllPages },
  { path: 'outbox', name: 'Outbox', view: Outbox },
  { path: 'settings', name: 'Settings', view: SettingsPart },
]

export default function OperatorScreen({ part }: { part: string }) {
  const View = PARTS.find(({ path }) => path === part)?.view
  if (View === undefined) return <NotFound />
  return (
    <Screen title="Operator">
      <TabLinks
        label="Operator"
        className="mb-6"
        tabs={PARTS.map(({ path, name }) => ({
          name,
          href: path === '' ? '/admin' : `/admin/${path}`,
          isCurrent: path === part,
        }))}
      />
      <View />
    </Screen>
  )
}

type Health = Output<'getHealth'>['data']

function Health() {
  const health = read(['operator', 'health'], () => api.getHealth(), 30_000)
  const { data, error, refetch } = useQuery(health)
  const storage = useQuery(read(['operator', 'storage'], () => api.getStorage()))
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={4} />
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-12">
      <Section
        title={SENTENCES[data.state]}
        about={
          <Time
            words={`Version ${data.version} on ${ENGINES[data.engine]}, started`}
            at={data.started_at}
          />
        }
      >
        <ul className="border-t border-line">
          {data.parts.map((part) => (
            <HealthPart key={part.name} part={part} />
          ))}
        </ul>
      </Section>
      {storage.data && <Stored {...storage.data} />}
    </div>
  )
}

function HealthPart({ part }: { part: Health['parts'][number] }) {
  const { Icon, word, tone } = MARKS[part.state]
  return (
    <li className="flex gap-3 border-b border-line py-3">
      <Icon size={18} aria-label={word} className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <h3 className="font-medium">{NAMES[part.name]}</h3>
        <p className="text-13 break-words text-muted">{part.message}</p>
        {part.cure && <p className="text-13 break-words">{part.cure}</p>}
        {part.name === 'mail' && part.state !== 'ok' && (
          <Link href="/admin/settings" className="link text-13">
            Mail settings
          </Link>
        )}
      </div>
    </li>
  )
}

function Stored(storage: Output<'getStorage'>['data']) {
  const { pages, published_pages: live, taken_down_pages: takenDown } = storage
  const facts: [string, string][] = [
    ['Accounts', `${formatNumber(storage.accounts)}, ${count(storage.guests, 'guest')}`],
    ['Pages', `${formatNumber(pages)}, ${formatNumber(live)} live, ${takenDown} taken down`],
    ['Files', `${count(storage.files, 'file')}, ${formatBytes(storage.file_bytes)}`],
    [
      'Responses',
      `${count(storage.responses, 'response')}, ${formatBytes(storage.response_bytes)}`,
    ],
    ['Database on disk', formatBytes(storage.database_bytes)],
  ]
  return (
    <Section title="Stored">
      <Facts facts={facts} />
    </Section>
  )
}

type Mail = Output<'listMails'>['data'][number]

const MAILS = ['operator', 'mails']

function Outbox() {
  const mails = readParts(MAILS, (offset) => api.listMails({ offset }), 15_000)
  const query = useInfiniteQuery(mails)
  const sendsMails = query.data?.pages[0]?.sends_mails ?? true
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-4">
      {!sendsMails && (
        <p>
          No mail server is set, so nobody gets these mails. Read and pass them on here, or{' '}
          <TextLink href="/admin/settings">set one</TextLink>. A link in a mail acts for the person
          it is for.
        </p>
      )}
      <List label="Mails" query={query} none="No mail has been written yet.">
        {(mail) => (
          <MailItem
            mail={mail}
            facts={sendsMails || mail.state !== 'sent' ? STATES[mail.state] : 'Not sent'}
          />
        )}
      </List>
    </div>
  )
}

function MailItem({ mail, facts }: { mail: Mail; facts: string }) {
  const { id, to, subject, state, last_error: lastError } = mail
  const open = () => openDialog(<MailText id={id} />)
  const retry = useAction(() => api.retryMail({ mail_id: id }), {
    said: 'Being tried again',
    refresh: [MAILS],
  })
  return (
    <ListRow
      name={subject}
      about={<Time words={`To ${to ?? ERASED},`} at={mail.created_at} />}
      problem={state !== 'sent' && lastError}
      facts={facts}
    >
      {(state === 'failed' || state === 'retrying') && <Button mutation={retry}>Try again</Button>}
      <Button onClick={open} aria-label={`Read ${subject}, to ${to ?? ERASED}`}>
        Read
      </Button>
    </ListRow>
  )
}

function MailText({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...read(['operator', 'mail', id], () => api.readMail({ mail_id: id })),
    gcTime: 0,
  })
  return (
    <Dialog title={data?.subject ?? 'Mail'} isWide>
      {data === undefined && <Pending error={error} onRetry={refetch} rows={3} />}
      {data && (
        <>
          <p className="mb-3 text-13 text-muted">To {data.to ?? ERASED}</p>
          <p className="break-words whitespace-pre-wrap" dir="auto">
            {data.text ?? 'It was delivered, and its text was erased.'}
          </p>
        </>
      )}
    </Dialog>
  )
}

type Listed = Output<'listAllPages'>['data'][number]
const REFRESH = [['operator', 'pages']]

function AllPages() {
  return (
    <SearchableList
      name="pages"
      label="All pages"
      none="No page has this name."
      read={(input) => api.listAllPages(input)}
    >
      {(page) => <PageItem page={page} />}
    </SearchableList>
  )
}

function PageItem({ page }: { page: Listed }) {
  const { id, slug, url, owner, taken_down_at: takenDownAt } = page
  const giveBack = useAction(() => api.giveBackPage({ page_id: id }), {
    said: 'Given back: it opens as before',
    refresh: REFRESH,
  })
  const takeDown = () => openDialog(<TakeDown page={page} />)
  const name = nameOf(page)
  return (
    <ListRow
      name={<bdi>{name}</bdi>}
      about={
        <>
          <a href={url} target="_blank" rel="noopener noreferrer" className="hover:text-ink">
            /p/{slug}
          </a>
          , {owner}
        </>
      }
      problem={
        <>
          {page.is_account_suspended && <p>Not served: its account is suspended</p>}
          {takenDownAt && (
            <p dir="auto">
              Taken down <Time at={takenDownAt} />: {page.taken_down_reason}
            </p>
          )}
        </>
      }
      facts={`${count(page.views, 'view')}, ${formatBytes(page.size_bytes)}`}
    >
      {takenDownAt ? (
        <Button mutation={giveBack} aria-label={`Give back ${name}`}>
          Give back
        </Button>
      ) : (
        <Button onClick={takeDown} aria-label={`Take down ${name}`}>
          Take down
        </Button>
      )}
    </ListRow>
  )
}

function TakeDown({ page }: { page: Listed }) {
  const [reason, setReason] = useState('')
  const takedown = useAction(() => api.takeDownPage({ page_id: page.id, reason }), {
    hasPlace: true,
    said: 'Taken down',
    refresh: REFRESH,
    onDone: useClose(),
  })
  return (
    <FormDialog
      title="Take this page down?"
      action="Take page down"
      look="danger"
      cancel="Leave it up"
      mutation={takedown}
      unsent={reason.trim() === '' ? null : 'the reason'}
    >
      <p className="break-words">
        Visitors of <bdi>{nameOf(page)}</bdi> meet a notice at once. {page.owner} finds the reason
        in the app, and cannot open it again. Nothing is deleted.
      </p>
      <TextField
        label="Reason"
        required
        maxLength={500}
        value={reason}
        error={takedown.error}
        onText={setReason}
      />
    </FormDialog>
  )
}
