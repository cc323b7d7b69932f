import { Check, CircleAlert, X } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { describeEntry } from '../../../src/client/content/left-out.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { useAccount } from '../account.ts'
import { useStore } from '../store.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { cancel, dismiss, type Job, jobs, retry, undo } from './jobs.ts'

/** What was dropped: how far it is, where it is published, and what to do where it failed. */
export default function JobsPanel() {
  const all = useStore(jobs)
  if (all.length === 0) return null
  return (
    <section
      aria-label="Publishing"
      className="fixed right-4 bottom-20 z-40 w-96 max-w-[calc(100%-2rem)] rounded-card border border-line bg-raised shadow-float md:bottom-6"
    >
      <ul className="max-h-[50dvh] overflow-y-auto">
        {all.map((job) => (
          <li key={job.id} className="border-line not-last:border-b">
            <JobRow job={job} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function JobRow({ job }: { job: Job }) {
  const { name, state, made, progress } = job
  const title = made?.data.title ?? name
  const isGoing = state === 'waiting' || state === 'sending'
  return (
    <div className="grid gap-1.5 py-3 pr-2 pl-4">
      <div className="flex items-center gap-2">
        {state === 'done' && <Check size={16} className="shrink-0" />}
        {state === 'failed' && <CircleAlert size={16} className="shrink-0 text-danger" />}
        <p className="min-w-0 flex-1 truncate font-medium" dir="auto">
          {made ? (
            <Link href={`/pages/${made.data.id}`} className="hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <IconButton
          label={isGoing ? `Cancel ${name}` : 'Hide this'}
          onClick={() => (isGoing ? cancel(job) : dismiss(job))}
        >
          <X size={16} />
        </IconButton>
      </div>
      {isGoing && (
        <progress
          aria-label={`Sending ${name}`}
          className="h-1 w-full pr-2 accent-accent"
          {...(progress && { value: progress.sentBytes, max: progress.totalBytes })}
        />
      )}
      <p role="status" className="pr-2 text-13 text-muted">
        <Sentence job={job} />
      </p>
      <Actions job={job} />
    </div>
  )
}

function Sentence({ job: { state, progress, problem, made, leftOut } }: { job: Job }) {
  if (state === 'failed') return <span className="text-danger">{problem?.message}</span>
  if (state === 'waiting') return 'Waiting'
  if (state === 'sending') {
    if (progress === null || progress.sentBytes >= progress.totalBytes) return 'Publishing'
    return `${formatBytes(progress.sentBytes)} of ${formatBytes(progress.totalBytes)}`
  }
  const warnings = made?.warnings.length ?? 0
  return [
    'Published. Anyone with the link can open it.',
    made?.data.entry_path && describeEntry(made.data.entry_path),
    ...leftOut,
    warnings > 0 && `${count(warnings, 'warning')}: the page’s screen has them.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function Actions({ job }: { job: Job }) {
  const account = useAccount()
  const { state, problem, made } = job
  if (state === 'done' && made) {
    return (
      <div className="-ml-3 flex gap-1">
        <CopyButton look="quiet" text={made.data.url} label="Copy link" />
        <Button look="quiet" onClick={() => void undo(job)}>
          Undo
        </Button>
      </div>
    )
  }
  if (state !== 'failed' || !problem?.canRetry) return null
  return (
    <div>
      <Button onClick={() => retry(job, account)}>Try again</Button>
    </div>
  )
}
