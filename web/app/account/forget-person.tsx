import { useState } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import { api, type Output } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Confirm, Form, openDialog } from '../ui/dialog.tsx'
import { Problem, TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { useAction } from '../use-action.ts'

const ABOUT =
  'Deletes the links for an address, its views and its requests for access, on all your pages. ' +
  'What it signed or wrote stays, and so do invitations.'

export function ForgetPerson() {
  const [email, setEmail] = useState('')
  const { mutate, isPending, data, error } = useAction(
    async () => (await api.forgetPerson({ email })).data,
    { hasPlace: true, onDone: () => setEmail('') },
  )
  const ask = () =>
    openDialog(
      <Confirm
        title="Forget this person?"
        action="Forget this person"
        warning="There is no undo."
        onConfirm={mutate}
      >
        <p className="break-words">
          <bdi className="font-medium">{email}</bdi>: the links for this address stop working, and
          are deleted with its views and its requests for access.
        </p>
      </Confirm>,
    )
  return (
    <Section title="Forget a person" about={ABOUT}>
      <Form className="flex flex-wrap items-end gap-2" onSubmit={ask}>
        <div className="min-w-40 flex-1">
          <TextField label="Their address" type="email" required value={email} onText={setEmail} />
        </div>
        <Button type="submit" disabled={isPending}>
          Forget
        </Button>
      </Form>
      <div role="status">
        {error && <Problem error={error} />}
        {data && <p>{outcomeOf(data)}</p>}
      </div>
    </Section>
  )
}

function outcomeOf(result: Output<'forgetPerson'>['data']): string {
  const { email, links, viewers, access_requests: requests } = result
  const parts = [
    links > 0 && count(links, 'link'),
    viewers > 0 && `views on ${count(viewers, 'page')}`,
    requests > 0 && count(requests, 'request for access', 'requests for access'),
  ].filter((part) => part !== false)
  return parts.length === 0
    ? `Nothing was known about ${email}.`
    : `Deleted of ${email}: ${parts.join(', ')}.`
}
