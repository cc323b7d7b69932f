import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { Download, Send } from 'lucide-preact'
import type { ReactNode } from 'preact/compat'
import { Link } from 'wouter-preact'
import { count } from '../../../../src/model/numbers.ts'
import { useBoot } from '../../account.ts'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { readParts } from '../../queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PLAIN_CHIP } from '../../ui/chip.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Pending } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/tab-links.tsx'
import { NotOpened } from '../not-opened.tsx'
import { NoMailNote } from '../share/personal-link.tsx'
import { COLUMNS, canBeReminded, HEADINGS, PersonRow } from './person.tsx'
import { filterOf, remind } from './remind.tsx'

/** Who was sent the page or confirmed an address on it, and what became of that. */
export default function PeopleTab({ page }: { page: Page }) {
  const [show, setShow] = useSearchParam('show')
  const isUnopenedOnly = show === 'not-opened'
  const query = useInfiniteQuery(peopleQuery(page.id, isUnopenedOnly))
  const { data, error, refetch } = query
  const { sends_mails: sendsMails } = useBoot()
  const [first] = data?.pages ?? []
  if (first === undefined) return <Pending error={error} onRetry={refetch} rows={5} />
  const people = data!.pages.flatMap((part) => part.data.people)
  if (people.length === 0 && !isUnopenedOnly) return <Nobody page={page} />
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Total {...first.data} hasLinks={people.some(({ via }) => via === 'link')} />
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

interface TotalProps {
  views: number
  without_link: number
  hasLinks: boolean
}

function Total({ views, without_link: without, hasLinks }: TotalProps) {
  if (views === 0) return <p>Nobody has opened it yet.</p>
  return (
    <p className="tabular-nums">
      <span className="font-medium">Opened {count(views, 'time')}</span>
      {hasLinks && (
        <span className="text-muted">
          {' · '}
          {count(views - without, 'time')} with a person’s link · {count(without, 'time')} without
        </span>
      )}
    </p>
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
