import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Pending } from '../ui/states.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { List } from './list.tsx'

type Mail = Output<'listMails'>['data'][number]

/** Of mails about votes. */
const ERASED = 'an erased address'

const STATES = { waiting: 'Waiting', retrying: 'Tried again later', failed: 'Failed', sent: 'Sent' }

/** The mails of the outbox with their state, to read them and to retry those that failed. */
export function Outbox() {
  const [opened, setOpened] = useState<string | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['operator', 'mails'],
    queryFn: ({ pageParam }) => api.listMails({ offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_offset,
    refetchInterval: 15_000,
  })
  const sendsMails = query.data?.pages[0]?.sends_mails ?? true
  return (
    <div className="grid max-w-2xl gap-4">
      {!sendsMails && (
        <p>
          No <code className="text-13">SMTP_URL</code> is set, so nobody gets these mails. Read them
          here and pass them on. A link in a mail acts for the person it is for.
        </p>
      )}
      <List
        label="Mails"
        items={query.data?.pages.flatMap(({ data }) => data)}
        query={query}
        none="No mail has been written yet."
      >
        {(mail) => <MailRow mail={mail} onOpen={() => setOpened(mail.id)} />}
      </List>
      {opened && <MailText id={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function MailRow({ mail, onOpen }: { mail: Mail; onOpen(): void }) {
  const retry = useRetry()
  const { to, subject, state, last_error: lastError } = mail
  const canRetry = state === 'failed' || state === 'retrying'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-medium" dir="auto">
          {subject}
        </p>
        <p className="truncate text-13 text-muted">
          To {to ?? ERASED}, <Time at={mail.created_at} />
        </p>
        {lastError && state !== 'sent' && (
          <p className="text-13 break-words text-danger">{lastError}</p>
        )}
      </div>
      <p className="text-13 text-muted">{STATES[state]}</p>
      <div className="flex gap-2">
        {canRetry && <Button onClick={() => retry.mutate(mail)}>Try again</Button>}
        <Button onClick={onOpen} aria-label={`Read ${subject}, to ${to ?? ERASED}`}>
          Read
        </Button>
      </div>
    </div>
  )
}

function useRetry() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Mail) => api.retryMail({ mail_id: id }),
    onSuccess: () => showToast('Being tried again'),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator', 'mails'] }),
  })
}

function MailText({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'mail', id],
    queryFn: async () => (await api.readMail({ mail_id: id })).data,
    gcTime: 0,
  })
  return (
    <Dialog title={data?.subject ?? 'Mail'} onClose={onClose} isWide>
      {data === undefined ? (
        <Pending error={error} onRetry={refetch} rows={3} />
      ) : (
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
