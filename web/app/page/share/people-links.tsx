import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { peopleIn } from '../../../../src/model/people-text.ts'
import { useBoot } from '../../account.ts'
import { api, type Output } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Problem, TextArea } from '../../ui/field.tsx'
import { ListRow, RowList } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../use-action.ts'
import { LINK_ENDS, LinkButtons, linksQuery } from '../links.tsx'
import { NOT_MAILED } from '../people/words.ts'
import { NoMailNote, useMessage } from './personal-link.tsx'
import { Section } from './section.tsx'
import { useSharing, useUnsent } from './sharing.ts'

type Link = Output<'listLinks'>['data'][number]
type NewLinks = Output<'createLinks'>['data']

/** Links that each name whom they were given to. */
export function PeopleLinks() {
  const { page } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const [people, setPeople] = useState('')
  const { message, field, clear } = useMessage('Message to them')
  const recipients = peopleIn(people)
  const hasAddress = recipients.some(({ email }) => email !== null)
  const send = async () => {
    const { data } = await api.createLinks({ id: page.id, csv: people, message })
    setPeople('')
    clear()
    return data
  }
  const sending = useAction(send, { hasPlace: true, refresh: [linksQuery(page.id).queryKey] })
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
          readOnly={sending.isPending}
          value={people}
          onText={setPeople}
        />
        {willMail && field}
        <Problem error={sending.error} />
        <div>
          <Button mutation={sending} disabled={recipients.length === 0 || sending.isPending}>
            {willMail ? 'Send links' : 'Make links'}
          </Button>
        </div>
        {sending.data && <Report {...sending.data} />}
      </div>
      <LinkList id={page.id} />
    </Section>
  )
}

function Report({ links, mailed, not_mailed: notMailed }: NewLinks) {
  const failed = notMailed.filter(({ reason }) => reason !== 'no_mail_server')
  return (
    <div className="grid gap-1 text-13 break-words">
      <p role="status">
        {count(links.length, 'link')} made
        {mailed.length > 0 && `, ${count(mailed.length, 'mail')} on the way`}.
      </p>
      {failed.map(({ email, reason }) => (
        <p key={email} className="text-danger">
          {email} was not mailed: {NOT_MAILED[reason]}.
        </p>
      ))}
    </div>
  )
}

function LinkList({ id }: { id: string }) {
  const list = useQuery(linksQuery(id))
  const links = list.data ?? []
  if (links.length === 0) return <Problem error={list.error} />
  return (
    <RowList aria-label="Links for people" className="max-h-80 overflow-y-auto">
      {links.map((link) => (
        <ListRow key={link.id} name={link.label} about={<Opened {...link} />}>
          <LinkButtons
            pageId={id}
            link={{ link_id: link.id, state: link.state }}
            who={link.label}
            url={link.url}
            className="text-13"
          />
        </ListRow>
      ))}
    </RowList>
  )
}

function Opened({ state, opens, last_opened_at: last, sent_at: sentAt }: Link) {
  const end = LINK_ENDS[state]
  const unopened = sentAt === null ? 'Not opened yet' : 'Mailed, not opened yet'
  return (
    <>
      {end !== null && `${end} · `}
      <Time words="Opened" none={unopened} at={last} />
      {opens > 0 && ` · ${count(opens, 'view')}`}
    </>
  )
}
