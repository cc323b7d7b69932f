import { useQuery } from '@tanstack/preact-query'
import { paginate } from '../../../../src/client/index.ts'
import { count } from '../../../../src/model/numbers.ts'
import { api, type Page } from '../../api.ts'
import { FormDialog, openDialog, useClose } from '../../ui/dialog.tsx'
import { Note, Problem } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'
import { useMessage } from '../share/personal-link.tsx'
import { nameOf } from '../words.ts'
import { NOT_MAILED, type Person } from './words.ts'

/** So many one request reminds. */
const AT_ONCE = 200
const SHOWN = 8

/** @param person null: all who have not opened theirs */
export function remind(page: Page, person: Person | null): void {
  openDialog(<RemindDialog page={page} person={person} />)
}

/** Says whom a reminder goes to and what it says, before it is sent. */
function RemindDialog({ page, person }: { page: Page; person: Person | null }) {
  const { id } = page
  const close = useClose()
  const { message, field } = useMessage()
  const queryKey = ['people', id, 'to remind', person?.link_id ?? null]
  const queryFn = () => (person === null ? readUnopened(id) : Promise.resolve([person]))
  const { data: people, error } = useQuery({ queryKey, queryFn, gcTime: 0 })
  const ready = people?.filter(({ reminder }) => reminder?.not_now === null) ?? []
  const others = people?.filter(({ reminder }) => reminder?.not_now !== null) ?? []
  const send = async () => {
    const ids = ready.map(({ link_id: linkId }) => linkId!)
    const results = []
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const link_ids = ids.slice(at, at + AT_ONCE)
      results.push((await api.remindPeople({ id, link_ids, message })).data)
    }
    return results
  }
  const { mutate, isPending, ...sending } = useAction(send, {
    hasPlace: true,
    refresh: [['people', id]],
    onDone(results) {
      const mailed = results.flatMap(({ reminded }) => reminded)
      if (mailed.length > 0) showToast(`${count(mailed.length, 'reminder')} on the way`)
      const [refused] = results.flatMap(({ not_reminded: not }) => not)
      if (refused) showError(`Not reminded: ${NOT_MAILED[refused.reason]}`)
      close()
    },
  })
  return (
    <FormDialog
      title={person === null ? 'Remind all who have not opened it' : 'Remind'}
      action={ready.length > 1 ? `Send ${count(ready.length, 'reminder')}` : 'Send reminder'}
      cancel="Cancel"
      isSending={isPending || ready.length === 0}
      unsent={message && 'your message'}
      onSubmit={mutate}
    >
      {people === undefined && !error && <Skeleton rows={2} />}
      <Problem error={error ?? sending.error} className="" />
      {people !== undefined && <Recipients ready={ready} left={others} />}
      {ready.length > 0 && (
        <>
          <Note className="break-words">
            The mail names you and “<bdi>{nameOf(page)}</bdi>”, and has the link of that person,
            your message and a way to stop these mails. Nobody gets more than one a day and three in
            all.
          </Note>
          {field}
        </>
      )}
    </FormDialog>
  )
}

function Recipients({ ready, left }: Record<'ready' | 'left', Person[]>) {
  return (
    <>
      {ready.length === 0 ? (
        <p>There is nobody to remind now.</p>
      ) : (
        <p className="break-words">
          A mail goes to <Names people={ready} wordsOf={({ email }) => email ?? ''} />.
        </p>
      )}
      {left.length > 0 && (
        <Note className="break-words">
          Left out:{' '}
          <Names
            people={left}
            wordsOf={({ reminder }) => NOT_MAILED[reminder?.not_now ?? 'no_address']}
          />
          .
        </Note>
      )}
    </>
  )
}

/** The first of them with a word on each, and how many more there are. */
function Names({ people, wordsOf }: { people: Person[]; wordsOf(person: Person): string }) {
  const more = people.length - SHOWN
  return (
    <>
      {people.slice(0, SHOWN).map((person, at) => (
        <span key={person.link_id}>
          {at > 0 && ', '}
          <bdi className="font-medium">{person.who}</bdi> ({wordsOf(person)})
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}

async function readUnopened(id: string): Promise<Person[]> {
  const parts = await Array.fromAsync(paginate(api.listPeople, { id, ...filterOf(true) }))
  return parts.flatMap(({ data }) => data.people)
}

export function filterOf(isUnopenedOnly: boolean) {
  return { limit: 500, ...(isUnopenedOnly && ({ filter: 'not_opened' } as const)) }
}
