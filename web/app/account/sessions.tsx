import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../src/client/index.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { count } from '../ui/text.ts'
import { exactTime, Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { signOut } from './sign-out.ts'

type Session = Output<'listSessions'>['data'][number]
const KEY = ['sessions']

/** The browsers that are signed in. */
export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await api.listSessions()).data,
  })
  const { end, endOthers } = useEndSessions()
  return (
    <Section title="Signed-in browsers">
      {data === undefined && <Pending error={error} onRetry={refetch} />}
      <ul className="border-t border-line">
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end.mutate(session)} />
        ))}
      </ul>
      {data && data.length > 1 && (
        <div>
          <Button onClick={() => endOthers.mutate()} disabled={endOthers.isPending}>
            Sign out all other browsers
          </Button>
        </div>
      )}
    </Section>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { browser, is_current: isCurrent } = session
  return (
    <li className="flex items-center justify-between gap-4 border-b border-line py-2.5">
      <div className="min-w-0">
        <p className="font-medium">{browser}</p>
        <p className="text-13 text-muted" title={`Signed in ${exactTime(session.created_at)}`}>
          {isCurrent ? (
            'This browser'
          ) : (
            <>
              Last used <Time at={session.last_used_at} />
            </>
          )}
        </p>
      </div>
      <Button onClick={isCurrent ? signOut : onEnd} aria-label={`Sign out ${browser}`}>
        Sign out
      </Button>
    </li>
  )
}

function useEndSessions() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: KEY })
  const onError = (err: unknown) => showError(messageOf(err))
  const end = useMutation({
    mutationFn: ({ id }: Session) => api.endSession({ session_id: id }),
    onSuccess: () => showToast('Signed out there'),
    onError,
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: async () => (await api.endOtherSessions()).data.ended,
    onSuccess: (ended) => showToast(`${count(ended, 'browser')} signed out`),
    onError,
    onSettled: refresh,
  })
  return { end, endOthers }
}
