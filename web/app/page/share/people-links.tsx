import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import type { Output } from '../../../../src/client/index.ts'
import { count } from '../../../../src/model/numbers.ts'
import { peopleIn } from '../../../../src/model/people-text.ts'
import { useBoot } from '../../account.ts'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { read } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Note, Problem, TextArea } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../use-action.ts'
import { NoMailNote } from './personal-link.tsx'
import { Section } from './section.tsx'
import { useSharing, useUnsent } from './sharing.ts'

type Link = Output<'listLinks'>['data'][number]
type Made = Output<'createLinks'>['data']

const SHOWN = 1000
const OFTEN_MS = 15_000
const MESSAGE_LENGTH = 2000
const REASONS: Record<Made['not_mailed'][number]['reason'], string> = {
  no_mail_server: 'no mail server',
  not_published: 'the page is not published',
  not_admitted: 'may not open the page',
  unsubscribed: 'wants no more of your mails',
  mailed_before: 'mailed often today',
}

/** Links that each name whom they were given to. */
export function PeopleLinks() {
  const { page } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const key = ['links', page.id]
  const [people, setPeople] = useState('')
  const [message, setMessage] = useState('')
  const named = peopleIn(people)
  const hasAddress = named.some(({ email }) => email !== null)
  const send = async () => {
    const text = message.trim() === '' ? null : message
    const { data } = await api.createLinks({ id: page.id, csv: people, message: text })
    setPeople('')
    setMessage('')
    return data
  }
  const sending = useAction(send, { hasPlace: true, refresh: [key] })
  useUnsent('Send to people', people.trim() !== '')
  const willMail = sendsMails && hasAddress && page.is_published
  return (
    <Section title="Send to people" note="A link for each, so you see who opened it">
      <NoMailNote>copy each link from the list below.</NoMailNote>
      <div className="grid gap-3">
        <TextArea
          label="People"
          help="One in a line: a name, an address, or both. The page’s access stays as it is."
          placeholder={'Ann (Acme) <ann@example.com>\nBen'}
          rows={3}
          dir="auto"
          value={people}
          onText={setPeople}
        />
        {willMail && (
          <TextArea
            label="Message to them"
            help="Optional. It stands in the mail above the link."
            rows={2}
            maxLength={MESSAGE_LENGTH}
            dir="auto"
            value={message}
            onText={setMessage}
          />
        )}
        <Problem error={sending.error} />
        <div>
          <Button
            disabled={named.length === 0 || sending.isPending}
            onClick={() => sending.mutate()}
          >
            {willMail ? 'Send links' : 'Make links'}
          </Button>
        </div>
        {sending.data && <Report {...sending.data} />}
      </div>
      <LinkList page={page} queryKey={key} />
    </Section>
  )
}

function Report({ links, mailed, not_mailed: notMailed }: Made) {
  const failed = notMailed.filter(({ reason }) => reason !== 'no_mail_server')
  return (
    <div className="grid gap-1 text-13 break-words">
      <p role="status">
        {count(links.length, 'link')} made
        {mailed.length > 0 && `, ${count(mailed.length, 'mail')} on the way`}.
      </p>
      {failed.map(({ email, reason }) => (
        <p key={email} className="text-danger">
          {email} was not mailed: {REASONS[reason]}.
        </p>
      ))}
    </div>
  )
}

function LinkList({ page, queryKey }: { page: Page; queryKey: readonly unknown[] }) {
  const list = useQuery(
    read(queryKey, () => api.listLinks({ id: page.id, limit: SHOWN }), OFTEN_MS),
  )
  const change = useAction(
    ({ id, state }: Link) => {
      const next = state === 'off' ? ('active' as const) : ('off' as const)
      return api.updateLink({ id: page.id, link_id: id, state: next })
    },
    { hasPlace: true, refresh: [queryKey] },
  )
  const links = list.data ?? []
  if (links.length === 0) return <Problem error={list.error} />
  return (
    <div>
      <ul aria-label="Links for people" className="max-h-80 overflow-y-auto border-y border-line">
        {links.map((link) => (
          <li
            key={link.id}
            className="flex flex-wrap items-center gap-x-3 border-b border-line py-1.5 last:border-0"
          >
            <span className="min-w-0 flex-1 basis-48">
              <span className="block truncate" dir="auto">
                {link.label}
              </span>
              <Note>
                <Opened {...link} />
              </Note>
            </span>
            {link.state === 'active' && (
              <CopyButton
                look="quiet"
                isIcon
                text={link.url}
                label={`Copy link of ${link.label}`}
              />
            )}
            {(link.state === 'active' || link.state === 'off') && (
              <Button look="quiet" className="text-13" onClick={() => change.mutate(link)}>
                {link.state === 'off' ? 'Switch on' : 'Switch off'}
                <span className="sr-only"> the link of {link.label}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={change.error} />
    </div>
  )
}

const ENDED = { off: 'Off', expired: 'Expired', used_up: 'Used up', active: null } as const

function Opened({ state, opens, last_opened_at: last, sent_at: sent }: Link) {
  const ended = ENDED[state]
  const unopened = sent === null ? 'Not opened yet' : 'Mailed, not opened yet'
  return (
    <span>
      {ended !== null && `${ended} · `}
      {last === null ? unopened : 'Opened '}
      {last !== null && <Time at={last} />}
      {opens > 0 && ` · ${count(opens, 'view')}`}
    </span>
  )
}
