import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { Download, Send } from 'lucide-preact'
import { type ReactNode, useId } from 'preact/compat'
import { Link } from 'wouter-preact'
import { firstUpper } from '../../../../src/model/decision.ts'
import { count } from '../../../../src/model/numbers.ts'
import { useBoot } from '../../account.ts'
import { api, type Page, queryClient, readParts } from '../../api.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PLAIN_CHIP } from '../../ui/chip.tsx'
import { Note } from '../../ui/field.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Pending } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/tab-links.tsx'
import { Time } from '../../ui/time.tsx'
import { LINK_ENDS, LinkButtons, linksQuery } from '../links.tsx'
import { NotOpened } from '../not-opened.tsx'
import { NoMailNote } from '../share/personal-link.tsx'
import { filterOf, remind } from './remind.tsx'
import { doneInWords, NOT_MAILED, type Person, progressInWords, refusalInWords } from './words.ts'

/** Who was sent the page or confirmed an address on it, and what became of that. */
export default function PeopleTab({ page }: { page: Page }) {
  const [show, setShow] = useSearchParam('show')
  const isUnopenedOnly = show === 'not-opened'
  const query = useInfiniteQuery(peopleQuery(page.id, isUnopenedOnly))
  const { data, error, refetch } = query
  const { sends_mails: sendsMails } = useBoot()
  const [first] = data?.pages ?? []
  if (first === undefined) return <Pending error={error} onRetry={refetch} rows={5} />
  const { views, without_link: without } = first.data
  const withLink = count(views - without, 'time')
  const people = data!.pages.flatMap((part) => part.data.people)
  if (people.length === 0 && !isUnopenedOnly) return <Nobody page={page} />
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {views === 0 ? (
          <p>Nobody has opened it yet.</p>
        ) : (
          <p className="tabular-nums">
            <span className="font-medium">Opened {count(views, 'time')}</span>
            {people.some(({ via }) => via === 'link') && (
              <span className="text-muted">
                {' · '}
                {withLink} with a person’s link · {count(without, 'time')} without
              </span>
            )}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <a href={`/app/pages/${page.id}/people.csv`} download className={buttonClass('quiet')}>
            <Download size={16} />
            Download CSV
          </a>
          {sendsMails && people.some(canBeReminded) && (
            <Button onClick={() => remind(page, null)}>Remind all not opened</Button>
          )}
          <SendLink page={page} />
        </div>
      </div>
      <NoMailNote>copy the links from this list.</NoMailNote>
      <button
        type="button"
        aria-pressed={isUnopenedOnly}
        className={`${PLAIN_CHIP} justify-self-start aria-pressed:border-control aria-pressed:bg-sunk`}
        onClick={() => setShow(isUnopenedOnly ? '' : 'not-opened')}
      >
        Not opened yet
      </button>
      {people.length === 0 && <p className="py-6 text-muted">Every link has been opened.</p>}
      {people.length > 0 && (
        <PeopleTable>
          {people.map((person) => (
            <PersonRow key={person.link_id ?? person.who} page={page} person={person} />
          ))}
        </PeopleTable>
      )}
      <ShowMore query={query} label="Show more" />
      <div className="mt-6 empty:hidden">
        <NotOpened page={page} />
      </div>
    </div>
  )
}

function PeopleTable({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <table aria-label="People" className="block border-t border-line">
        <thead className="hidden border-b border-line py-1.5 text-left text-13 text-muted @min-[56.25rem]:block">
          <tr className={COLUMNS}>
            {HEADINGS.map((name) => (
              <th key={name} scope="col" className="font-normal">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="block">{children}</tbody>
      </table>
    </div>
  )
}

function SendLink({ page }: { page: Page }) {
  return (
    <Link href={`/pages/${page.id}/share#send-to-people`} className={buttonClass()}>
      <Send size={16} />
      Send to people
    </Link>
  )
}

function Nobody({ page }: { page: Page }) {
  return (
    <>
      <Empty title="Nobody has a link of their own yet">
        <p>
          Give each person a link, and see here who opened theirs, how far they came and what they
          answered. Who confirms an address on the page stands here, too.
        </p>
        <SendLink page={page} />
      </Empty>
      <NotOpened page={page} />
    </>
  )
}

/** Who has a link or confirmed an address, links first. They are read again by themselves. */
function peopleQuery(id: string, isUnopenedOnly: boolean) {
  const call = (offset: number) => api.listPeople({ id, offset, ...filterOf(isUnopenedOnly) })
  return {
    ...readParts(['people', id, isUnopenedOnly], call, 15_000),
    // The list stays while the filter’s is read.
    placeholderData: keepPreviousData,
  }
}

const COLUMNS =
  'grid gap-x-5 gap-y-1.5 ' + '@min-[56.25rem]:grid-cols-[1.3fr_0.9fr_1.4fr_0.8fr_1.2fr_11rem]'
const HEADINGS = ['Person', 'Sent', 'Opened', 'How far', 'Did']

interface RowProps {
  page: Page
  person: Person
}

/** One link, or one confirmed address: a row where there is space, else a card. */
function PersonRow({ page, person }: RowProps) {
  const { refusals, sent, via } = person
  const line = (words: string, look = '') => (
    <span key={words} className={`block ${look}`}>
      {words}
    </span>
  )
  const refused = refusals.map((refusal) => line(refusalInWords(refusal), 'text-danger'))
  const did = [...doneInWords(person).map((words) => line(words)), ...refused]
  return (
    <tr className={`border-b border-line py-3 text-13 ${COLUMNS}`}>
      <th scope="row" className="min-w-0 text-left font-normal">
        <Who {...person} />
      </th>
      <Cell name="Sent" value={(via === 'link' || sent !== null) && <Sent {...person} />} />
      <Cell name="Opened" value={<Opened {...person} />} />
      <Cell name="How far" value={progressInWords(person)} />
      <Cell name="Did" value={did.length > 0 && did} />
      <td className="-ml-2 flex flex-wrap items-start gap-1 @min-[56.25rem]:-my-1.5 @min-[56.25rem]:justify-end">
        {via === 'link' && <Actions page={page} person={person} />}
      </td>
    </tr>
  )
}

/** On a card each cell has its name before it, and empty ones are left out. */
function Cell({ name, value }: { name: string; value: ReactNode }) {
  return (
    <td
      className={`min-w-0 grid-cols-[5rem_minmax(0,1fr)] gap-2 break-words @min-[56.25rem]:block ${value ? 'grid' : 'hidden'}`}
    >
      <span aria-hidden className="text-muted @min-[56.25rem]:hidden">
        {name}
      </span>
      {value && <div>{value}</div>}
    </td>
  )
}

function Who({ who, via, email, state, addresses }: Person) {
  const end = state === null ? null : LINK_ENDS[state]
  const others = addresses.filter((address) => address !== email)
  return (
    <>
      <bdi className="block text-15 font-medium break-words">{who}</bdi>
      <Note>
        {[end, via === 'address' ? 'Confirmed address' : email].filter(Boolean).join(' · ')}
      </Note>
      {email !== null && addresses.includes(email) && <Note>Confirmed with this link</Note>}
      {others.map((address) => (
        <Note key={address}>
          Another address confirmed with it: <span className="text-ink">{address}</span>
        </Note>
      ))}
    </>
  )
}

function Sent({ sent, reminder }: Person) {
  return (
    <>
      {sent === null && <span className="text-muted">Not mailed</span>}
      {sent !== null && (
        <span className={sent.bounced_at === null ? '' : 'text-danger'}>
          {sent.bounced_at === null ? 'Mailed' : 'Refused by the mail server'}{' '}
          <Time at={sent.bounced_at ?? sent.at} />
        </span>
      )}
      {reminder !== null && reminder.count > 0 && (
        <Note>
          Reminded {count(reminder.count, 'time')}
          <Time words="," at={reminder.last_at} />
        </Note>
      )}
    </>
  )
}

/** A link says by whose link it was opened, and not by whom. */
function Opened({ who, via, links, opened }: Person) {
  const { views, first_at: first, last_at: last, devices } = opened
  if (first === null) {
    return (
      <>
        <span className="text-muted">Not opened yet</span>
        {views > 0 && <Note>{count(views, 'view')} by no browser, as mail scanners make</Note>}
      </>
    )
  }
  return (
    <>
      {via === 'link' && (
        <>
          Opened with <bdi>{who}</bdi>’s link
        </>
      )}
      {via === 'address' && (views > 0 ? 'Opened' : 'Took part, and opened it without the address')}
      <Note>
        {count(views, 'view')}, first <Time at={first} />
        {views > 1 && last !== first && <Time words=", last" at={last} />}
      </Note>
      {devices !== null && devices > 1 && (
        <span className="block font-medium">On {count(devices, 'device')}</span>
      )}
      {links.length > 0 && (
        <Note>
          With the link of <bdi>{links.map(({ label }) => label).join(', ')}</bdi>
        </Note>
      )}
    </>
  )
}

/** Whether it is worth while: what a reminder does not change is left out. */
function canBeReminded({ state, opened, reminder }: Person): boolean {
  const isOpened = opened.first_at !== null
  return state === 'active' && !isOpened && reminder !== null && reminder.not_now !== 'no_address'
}

/** Lines have no addresses of links: they are read when one is copied. */
async function readLinkUrl({ page, person }: RowProps): Promise<string> {
  const links = await queryClient.fetchQuery({ ...linksQuery(page.id), staleTime: 60_000 })
  const link = links.find(({ id }) => id === person.link_id)
  if (link === undefined) throw new Error('This link is gone.')
  return link.url
}

function Actions(props: RowProps) {
  const { page, person } = props
  const { sends_mails: sendsMails } = useBoot()
  const { who, reminder } = person
  const reason = useId()
  const notNow = reminder?.not_now ?? null
  return (
    <>
      <LinkButtons
        pageId={page.id}
        link={{ link_id: person.link_id!, state: person.state }}
        who={who}
        url={() => readLinkUrl(props)}
        className="px-2! text-13!"
      />
      {sendsMails && canBeReminded(person) && (
        <span className="grid @min-[56.25rem]:justify-items-end">
          <Button
            className="justify-self-start text-13! @min-[56.25rem]:justify-self-end"
            disabled={notNow !== null}
            aria-describedby={notNow === null ? undefined : reason}
            onClick={() => remind(page, person)}
          >
            Remind<span className="sr-only"> {who}</span>
          </Button>
          {notNow !== null && (
            <span id={reason} className="text-12 text-muted @min-[56.25rem]:text-right">
              {firstUpper(NOT_MAILED[notNow])}
            </span>
          )}
        </span>
      )}
    </>
  )
}
