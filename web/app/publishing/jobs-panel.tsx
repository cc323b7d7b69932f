import { Check, ChevronDown, ChevronUp, CircleAlert, X } from 'lucide-preact'
import { useId, useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { usePathname } from 'wouter-preact/use-browser-location'
import { describeEntry } from '../../../src/client/content/left-out.ts'
import { count } from '../../../src/model/numbers.ts'
import { focusOnce } from '../hooks.ts'
import { copiesOf } from '../page/words.ts'
import { useStore } from '../store.ts'
import { Button, IconButton, QuietButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Notes } from '../ui/words.tsx'
import { cancel, dismiss, noteCopied, retry, undo } from './jobs.ts'
import { type PublishResult, warningLines } from './publish.ts'
import { isSent, ProgressBar, progressText } from './sending.tsx'
import { type Job, jobs } from './stores.ts'

const TRAY = 'mt-6 ml-auto max-w-full rounded-card border border-line bg-raised md:w-96'
const IN_SIGHT = 'sticky bottom-17 z-20 shadow-float md:bottom-4'

/**
 * What was dropped: how far it is, where it is published, and what to do where it failed. It stands
 * at the end of the screen, and stays in sight above it where it was dropped. On other screens, and
 * on a phone unless something failed, it is one line until opened; there, in sight only while
 * something is not done.
 */
export default function JobsPanel() {
  const all = useStore(jobs)
  const path = usePathname()
  const [choice, setChoice] = useState({ path: '', isOpen: false })
  const id = useId()
  const isHere = all.some(({ screen }) => screen === path)
  const isWide = matchMedia('(min-width: 48rem)').matches
  const isOpen = choice.path === path ? choice.isOpen : isHere && (isWide || all.some(isFailed))
  const isInSight = isHere || isOpen || all.some((job) => isGoing(job) || isFailed(job))
  return (
    <section aria-label="Publishing" className={`${TRAY} ${isInSight ? IN_SIGHT : ''}`}>
      <div className="flex items-center pl-4">
        <p
          role={isOpen ? undefined : 'status'}
          className={`min-w-0 flex-1 truncate text-13 ${all.some(isFailed) ? 'text-danger' : ''}`}
        >
          {summaryOf(all)}
        </p>
        <IconButton
          label={isOpen ? 'Fold the results' : 'Show the results'}
          icon={isOpen ? ChevronDown : ChevronUp}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setChoice({ path, isOpen: !isOpen })}
        />
        {all.length > 1 && !all.some(isGoing) && (
          <IconButton label="Hide the results" icon={X} onClick={() => jobs.set([])} />
        )}
      </div>
      <ul id={id} hidden={!isOpen} className="max-h-[40dvh] overflow-y-auto border-t border-line">
        {all.toSorted(byUrgency).map((job) => (
          <li key={job.id} className="border-line not-last:border-b">
            <JobRow job={job} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const isGoing = ({ state }: Job) => state === 'waiting' || state === 'sending'
const isFailed = ({ state }: Job) => state === 'failed'

/** Errors first, then the newest. */
function byUrgency(a: Job, b: Job): number {
  return Number(isFailed(b)) - Number(isFailed(a)) || b.id - a.id
}

/** `1 failed, 2 published` */
function summaryOf(all: readonly Job[]): string {
  const results = all.filter(({ state }) => state === 'done')
  const parts: [number: number, word: string][] = [
    [all.filter(isFailed).length, 'failed'],
    [all.filter(isGoing).length, 'on the way'],
    [results.filter(({ previousVersion }) => previousVersion !== null).length, 'updated'],
    [results.filter((job) => job.previousVersion === null && isLive(job)).length, 'published'],
    [results.filter((job) => !isLive(job)).length, 'saved as a draft'],
  ]
  return parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ')
}

const isLive = ({ result }: Job) => result?.data.is_published === true

/** Once its link was copied, a result is one line, until one presses `Copied`. */
function JobRow({ job }: { job: Job }) {
  const { state, result, progress, isCopied } = job
  const { name } = job.source
  const [isUnfolded, setUnfolded] = useState(false)
  const toggle = () => setUnfolded(!isUnfolded)
  const title = result?.data.title ?? name
  return (
    <div className="py-1 pr-1 pl-4">
      <div className="flex items-center gap-2">
        {state === 'done' && <Check size={16} className="shrink-0" />}
        {state === 'failed' && <CircleAlert size={16} className="shrink-0 text-danger" />}
        <p className="min-w-0 flex-1 truncate font-medium" dir="auto">
          {result ? (
            <Link href={`/pages/${result.data.id}`} className="hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {isCopied && (
          // What was pressed to copy is folded away, so the keyboard belongs to this.
          <QuietButton ref={focusOnce} aria-expanded={isUnfolded} onClick={toggle}>
            Copied
          </QuietButton>
        )}
        <IconButton
          label={isGoing(job) ? `Cancel ${name}` : 'Hide this'}
          icon={X}
          onClick={() => (isGoing(job) ? cancel(job) : dismiss(job))}
        />
      </div>
      <div hidden={isCopied && !isUnfolded} className="grid gap-1.5 pr-3 pb-2">
        {isGoing(job) && (
          <ProgressBar label={`Sending ${name}`} progress={progress} className="w-full" />
        )}
        <p role="status" className="text-13 text-muted">
          <Sentence job={job} />
        </p>
        <Warnings warnings={result?.warnings ?? []} />
        <Actions job={job} />
      </div>
    </div>
  )
}

function Sentence({ job }: { job: Job }) {
  const { state, progress, problem, result, leftOut } = job
  if (state === 'failed') return <span className="text-danger">{problem?.message}</span>
  if (state === 'waiting') return 'Waiting'
  if (state === 'sending') {
    return progress === null || isSent(progress) ? 'Publishing' : progressText(progress)
  }
  return [
    isLive(job) ? publishedWords(job) : 'Saved as a draft: only you see it.',
    result?.data.entry_path && describeEntry(result.data.entry_path),
    ...leftOut,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Visitors see nothing of a page with one of them, so they are read at once. */
const BLANK: readonly string[] = ['source_file', 'wrong_base', 'root_router']

function Warnings({ warnings }: Pick<PublishResult, 'warnings'>) {
  const lines = warningLines(warnings)
  if (lines.length === 0) return null
  const isBlank = warnings.some(({ code }) => BLANK.includes(code))
  return (
    <details open={isBlank} className={`text-13 ${isBlank ? '' : 'text-muted'}`}>
      <summary>{count(lines.length, 'warning')}</summary>
      <Notes notes={lines} className="mt-1" />
    </details>
  )
}

function publishedWords({ previousVersion, result }: Job): string {
  if (previousVersion === null) return 'Published. Anyone with the link can open it.'
  return `Updated at the same link. Open to ${result!.data.open_to}.`
}

function Actions({ job }: { job: Job }) {
  const { problem, result } = job
  if (result) {
    const copies = copiesOf(result.data)
    return (
      <div className="-ml-3 flex flex-wrap gap-1">
        {isLive(job) && <CopyButton look="quiet" {...copies} onCopied={() => noteCopied(job)} />}
        <QuietButton onClick={() => void undo(job)}>Undo</QuietButton>
      </div>
    )
  }
  return (
    problem?.canRetry && (
      <div>
        <Button onClick={() => retry(job)}>Try again</Button>
      </div>
    )
  )
}
