import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { Output } from '../../../../../src/client/index.ts'
import { api, messageOf } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { pageQuery } from '../../queries.ts'
import { useSharing } from '../sharing.ts'

type AccessRequest = Output<'listAccessRequests'>['data'][number]

/** Those who wait for an answer, to let in or not. */
export function AccessRequests() {
  const { page } = useSharing()
  const heading = useId()
  const { data } = useQuery({
    queryKey: ['access-requests', page.id],
    queryFn: async () => (await api.listAccessRequests({ id: page.id })).data,
    refetchInterval: 15_000,
  })
  const waiting = data?.filter(({ decision }) => decision === null) ?? []
  if (waiting.length === 0) return null
  return (
    <div>
      <h4 id={heading} className="text-13 font-medium">
        Waiting for your answer
      </h4>
      <ul aria-labelledby={heading}>
        {waiting.map((request) => (
          <WaitingRequest key={request.id} pageId={page.id} request={request} />
        ))}
      </ul>
    </div>
  )
}

function WaitingRequest({ pageId, request }: { pageId: string; request: AccessRequest }) {
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      api.decideAccessRequest({ id: pageId, request_id: request.id, decision }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['access-requests', pageId] }),
        client.invalidateQueries({ queryKey: pageQuery(pageId).queryKey }),
      ]),
  })
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-full min-w-0">
          <span className="block truncate" dir="auto">
            {request.email}
          </span>
          <span className="text-13 text-muted">
            asked <Time at={request.created_at} />
          </span>
        </p>
        <div className="flex gap-2">
          <Button disabled={isPending} onClick={() => mutate('deny')}>
            Deny<span className="sr-only"> {request.email}</span>
          </Button>
          <Button disabled={isPending} onClick={() => mutate('approve')}>
            Let in<span className="sr-only"> {request.email}</span>
          </Button>
        </div>
      </div>
      {error && (
        <p role="alert" className="text-13 text-danger">
          {messageOf(error)}
        </p>
      )}
    </li>
  )
}
