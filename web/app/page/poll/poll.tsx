import { useInfiniteQuery } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { count, formatNumber } from '../../../../src/model/numbers.ts'
import { api, type Output, type Page, readParts } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { ShareBar, Table } from '../../ui/section.tsx'
import { ShowMore, type ShowMoreProps } from '../../ui/show-more.tsx'
import { Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { TurnedOff } from '../turned-off.tsx'
import { useClosing } from '../use-page.ts'

export default function PollTab({ page }: { page: Page }) {
  const readPart = async (offset: number) => (await api.getPoll({ id: page.id, offset })).data
  const query = useInfiniteQuery(readParts(['poll', page.id], readPart, 10_000))
  const { data, error, refetch } = query
  const poll = data?.pages[0]
  if (poll === undefined) return <Pending error={error} onRetry={refetch} rows={4} />
  if (poll.options.length === 0 || poll.question === null) {
    return (
      <TurnedOff page={page} title="There is no poll">
        <p>Ask one question with 2 to 12 answers. People vote beside the page.</p>
      </TurnedOff>
    )
  }
  const voters = data?.pages.flatMap((part) => part.voters ?? []) ?? []
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-8">
      <section aria-labelledby="question" className="grid grid-cols-1 gap-5">
        <h2 id="question" dir="auto" className="font-serif text-21 font-medium break-words">
          {poll.question}
        </h2>
        <Options poll={poll} />
        <State page={page} poll={poll} />
      </section>
      <Voters voters={poll.voters === null ? null : voters} query={query} />
    </div>
  )
}

function Options({ poll }: { poll: Poll }) {
  const most = Math.max(...poll.options.map(({ votes }) => votes))
  return (
    <ul aria-label="Results" className="grid grid-cols-1 gap-4">
      {poll.options.map(({ text, votes, share }) => (
        <li key={text} className="grid grid-cols-1 gap-1.5">
          <p className="flex justify-between gap-4">
            <bdi className={`min-w-0 break-words ${votes && votes === most ? 'font-medium' : ''}`}>
              {text}
            </bdi>
            <span className="shrink-0 tabular-nums">
              {count(votes, 'vote')}{' '}
              <span className="inline-block w-11 text-right text-muted">
                {Math.round(share * 100)}%
              </span>
            </span>
          </p>
          <ShareBar share={share} className="h-2" />
        </li>
      ))}
    </ul>
  )
}

const SEEN_BY = {
  public: 'everyone sees the results',
  vote: 'those who voted see the results',
  owner: 'only you see the results',
  closed: 'everyone sees the results once it is closed',
}

function State({ page, poll }: { page: Page; poll: Poll }) {
  const { total_votes: total, collecting } = poll
  const { closesAt, isClosed, close, reopen } = useClosing(page, 'poll_closes_at')
  const invited = page.access === 'people' ? page.allowed_emails.length : null
  const setting = `/pages/${page.id}/share#ask-viewers`
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
      <Note>
        <span className="text-15 text-ink tabular-nums">{count(total, 'vote')}</span>
        {invited !== null && ` of ${formatNumber(invited)} invited`}
        {' · '}
        {!collecting && 'Off: viewers do not see it'}
        {collecting && closesAt === null && 'No closing date'}
        {collecting && <Time words={isClosed ? 'Closed' : 'Closes'} at={closesAt} />}
        {' · '}
        <Link href={setting} className="hover:text-ink hover:underline">
          {SEEN_BY[page.poll_results]}
        </Link>
      </Note>
      {collecting && (
        <Button onClick={isClosed ? reopen : close}>
          {isClosed ? 'Reopen poll' : 'Close poll'}
        </Button>
      )}
    </div>
  )
}

/** @param voters null where votes are secret */
function Voters({ voters, query }: Pick<Poll, 'voters'> & Pick<ShowMoreProps, 'query'>) {
  if (voters === null) {
    return <Note>Votes are secret: nobody learns who voted for what, not even you.</Note>
  }
  if (voters.length === 0) return null
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-medium">Voters</h2>
      <Table
        label="Voters"
        columns={['Address', 'Vote', 'When']}
        rows={voters.map(({ email, name, option, voted_at: at }) => [
          email,
          <>
            <span className="block break-words">{email}</span>
            <bdi className="block break-words text-muted">{name}</bdi>
          </>,
          <bdi key="vote" className="break-words">
            {option}
          </bdi>,
          <Time key="when" at={at} />,
        ])}
      />
      <ShowMore query={query} label="Show earlier votes" />
    </section>
  )
}

type Poll = Output<'getPoll'>['data']
