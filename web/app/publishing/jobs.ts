import { findLeftOut } from '../../../src/client/content/left-out.ts'
import { ContentProblem } from '../../../src/client/content/local-content.ts'
import { api, messageOf, noteError, readAgain } from '../api.ts'
import { showError } from '../ui/toast.tsx'
import { type Progress, type PublishResult, publish, type Settings } from './publish.ts'
import { readSource } from './read-source.ts'
import type { Source } from './sources.ts'
import { type Job, jobs } from './stores.ts'

const MAX_RUNNING = 2
let lastId = 0

/** Publishes each source as a page, two at a time. */
export function publishSources(sources: readonly Source[], settings: Settings = {}): void {
  jobs.set([...jobs.get(), ...sources.map((source) => newJob(source, settings))])
  runNext()
}

/** Shows that a page was updated. @param previousVersion the version that was live before */
export function addUpdated(source: Source, result: PublishResult, previousVersion: number): void {
  jobs.set([...jobs.get(), { ...newJob(source), state: 'done', result, previousVersion }])
}

function newJob(source: Source, settings: Settings = {}): Job {
  lastId += 1
  return {
    id: lastId,
    screen: location.pathname,
    state: 'waiting',
    progress: null,
    problem: null,
    result: null,
    previousVersion: null,
    isCopied: false,
    leftOut: [],
    source,
    settings,
    stop: new AbortController(),
  }
}

/** Stops the upload. What was sent of it makes no page. */
export function cancel(job: Job): void {
  job.stop.abort(new DOMException('Cancelled', 'AbortError'))
  dismiss(job)
}

export function noteCopied(job: Job): void {
  change(job, { isCopied: true })
}

export function dismiss({ id }: Job): void {
  jobs.set(jobs.get().filter((job) => job.id !== id))
}

export function retry(job: Job): void {
  change(job, { state: 'waiting', problem: null, progress: null, stop: new AbortController() })
  runNext()
}

/** Moves the page that a drop has made to the trash, or publishes what was live before. */
export async function undo(job: Job): Promise<void> {
  const { result, previousVersion } = job
  const { id } = result!.data
  dismiss(job)
  try {
    await (previousVersion === null
      ? api.trashPage({ id })
      : api.restoreVersion({ id, version_no: previousVersion, publish: true }))
  } catch (err) {
    showError(messageOf(err))
  }
  await readAgain([['pages'], ['page', id], ['versions', id]])
}

function change({ id }: Job, to: Partial<Job>): void {
  jobs.set(jobs.get().map((job) => (job.id === id ? { ...job, ...to } : job)))
}

function runNext(): void {
  const running = jobs.get().filter(({ state }) => state === 'sending').length
  const waiting = jobs.get().filter(({ state }) => state === 'waiting')
  for (const job of waiting.slice(0, Math.max(0, MAX_RUNNING - running))) {
    change(job, { state: 'sending' })
    void run(job).then(runNext)
  }
}

async function run(job: Job): Promise<void> {
  try {
    const local = await readSource(job.source)
    change(job, { leftOut: (await findLeftOut(local)).lines })
    const { signal } = job.stop
    const onProgress = (progress: Progress) => change(job, { progress })
    const result = await publish(local, job.settings, { signal, onProgress })
    change(job, { state: 'done', result })
  } catch (err) {
    if (job.stop.signal.aborted) return
    noteError(err)
    const canRetry = !(err instanceof ContentProblem)
    change(job, { state: 'failed', problem: { message: messageOf(err), canRetry } })
  }
}
