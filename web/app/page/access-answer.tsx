import { useBoot } from '../account.ts'
import { api, type Output } from '../api.ts'
import { Button, QuietButton } from '../ui/button.tsx'
import { Problem } from '../ui/field.tsx'
import { useAction } from '../use-action.ts'

type AccessRequest = Output<'listAccessRequests'>['data'][number]

interface AccessAnswerProps {
  pageId: string
  request: Pick<AccessRequest, 'id' | 'email' | 'decision'>
}

/** Lets somebody in who asks to open a page, or not; then, which of both. */
export function AccessAnswer({ pageId, request }: AccessAnswerProps) {
  const { id, email, decision: decided } = request
  const { sends_mails: sendsMails } = useBoot()
  const { mutate, error, variables, isPending, isSuccess } = useAction(
    (decision: 'approve' | 'deny') =>
      api.decideAccessRequest({ id: pageId, request_id: id, decision }),
    {
      hasPlace: true,
      said: (_, decision) =>
        decision === 'approve'
          ? `${email} can open the page${sendsMails ? ' and gets a mail' : ''}`
          : `${email} stays out`,
      refresh: [['inbox'], ['page', pageId], ['access-requests', pageId]],
    },
  )
  const decision = isPending || isSuccess ? variables : decided
  if (decision !== null) {
    return <p className="text-muted">{decision === 'approve' ? 'Let in' : 'Denied'}</p>
  }
  const name = <span className="sr-only"> {email}</span>
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={() => mutate('approve')}>Let in{name}</Button>
      <QuietButton onClick={() => mutate('deny')}>Deny{name}</QuietButton>
      <Problem error={error} className="" />
    </div>
  )
}
