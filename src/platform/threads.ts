import { Worker } from 'node:worker_threads'
import { Refusal } from '../model/errors.ts'
import type { TaskReply } from './thread-tasks.ts'

interface TaskInput {
  input: unknown
  /** Buffers of the input that the thread gets without a copy: they are empty here afterwards. */
  transfer: ArrayBuffer[]
}

interface Job {
  task: string
  makeInput(): Promise<TaskInput>
  maxMs: number | undefined
  maxBytes: number | undefined
  resolve(result: unknown): void
  reject(err: Error): void
}

interface Thread {
  worker: Worker
  job: Job | null
  /** Ends a thread that is idle, or takes too long. */
  timer: Timer | undefined
  /** Ends one that takes too much memory. */
  watch: Timer | undefined
}

const MAX_THREADS = 2
/** A thread that has nothing to do ends: it takes some 30 MB. */
const IDLE_MS = 30_000
/** Threads have no limit of their own. In this time, one takes some tens of megabytes more. */
const WATCH_MS = 25

interface ThreadOptions {
  /**
   * Calls `serveTasks`. `main.ts` does in a thread, and its path is known in the sources, in the
   * bundle and in the executable.
   */
  program?: string | URL
  maxThreads?: number
}

/**
 * A pool of threads for work that takes too long for the one that answers requests. They start when
 * there is work. Tasks wait in the order of the calls.
 */
export function createThreads(options: ThreadOptions = {}) {
  const { program = Bun.main, maxThreads = MAX_THREADS } = options
  const waiting: Job[] = []
  const threads = new Set<Thread>()
  let isClosed = false

  function assign(): void {
    if (isClosed) for (const { reject } of waiting.splice(0)) reject(new Error('Closed'))
    while (waiting.length > 0) {
      const idle = [...threads].find(({ job }) => job === null)
      const thread = idle ?? (threads.size < maxThreads ? start() : undefined)
      if (thread === undefined) return
      void send(thread, waiting.shift()!)
    }
  }

  function start(): Thread {
    const worker = new Worker(program)
    const thread: Thread = { worker, job: null, timer: undefined, watch: undefined }
    threads.add(thread)
    worker.on('message', (reply: TaskReply) => {
      const { job } = thread
      // Its time was over just before.
      if (job === null) return
      thread.job = null
      rest(thread)
      if ('result' in reply) job.resolve(reply.result)
      else job.reject(errorOf(reply))
      assign()
    })
    worker.on('error', (err) => end(thread, err as Error))
    worker.on('exit', () => end(thread, new Error('A thread ended before its task')))
    return thread
  }

  async function send(thread: Thread, job: Job): Promise<void> {
    clearTimeout(thread.timer)
    thread.job = job
    thread.worker.ref()
    try {
      const { input, transfer } = await job.makeInput()
      // The thread has ended meanwhile: nothing would end the timers of a task in it.
      if (thread.job !== job) return
      thread.worker.postMessage({ task: job.task, input }, transfer)
      if (job.maxMs !== undefined) thread.timer = setTimeout(() => stop(thread, 'long'), job.maxMs)
      if (job.maxBytes === undefined) return
      thread.watch = watchMemory(job.maxBytes, () => stop(thread, 'much memory'))
    } catch (err) {
      thread.job = null
      rest(thread)
      job.reject(err as Error)
      assign()
    }
  }

  function stop(thread: Thread, what: 'long' | 'much memory'): void {
    void thread.worker.terminate()
    end(thread, new RangeError(`A task took too ${what}`))
  }

  /** Lets the process end meanwhile. */
  function rest(thread: Thread): void {
    clearTimeout(thread.timer)
    clearInterval(thread.watch)
    thread.worker.unref()
    thread.timer = setTimeout(() => {
      threads.delete(thread)
      void thread.worker.terminate()
    }, IDLE_MS)
    thread.timer.unref()
  }

  function end(thread: Thread, err: Error): void {
    clearTimeout(thread.timer)
    clearInterval(thread.watch)
    threads.delete(thread)
    thread.job?.reject(err)
    thread.job = null
    assign()
  }

  return {
    /**
     * Runs a task of the program that `serveTasks` was given.
     *
     * @param makeInput called once a thread is free, so that inputs that wait take no memory
     * @param maxMs after which the thread is ended, and its task rejected
     * @param maxBytes the same once the process takes so much more memory than when the task began
     * @throws Refusal of the task, RangeError where it was ended
     */
    run(task: string, makeInput: Job['makeInput'], maxMs?: number, maxBytes?: number) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.push({ task, makeInput, maxMs, maxBytes, resolve, reject })
      assign()
      return promise
    },
    /** What runs or waits is rejected. */
    async close() {
      isClosed = true
      assign()
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
export type Threads = ReturnType<typeof createThreads>

function watchMemory(maxBytes: number, stop: () => void): Timer {
  const most = process.memoryUsage.rss() + maxBytes
  return setInterval(() => process.memoryUsage.rss() > most && stop(), WATCH_MS)
}

function errorOf(reply: Exclude<TaskReply, { result: unknown }>): Error {
  if ('refusal' in reply) return new Refusal(reply.refusal)
  const err = new Error(reply.error.message)
  if (reply.error.stack !== undefined) err.stack = reply.error.stack
  return err
}
