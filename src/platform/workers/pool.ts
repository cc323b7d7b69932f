import type { Log } from '../log.ts'
import { type Calls, createCalls, type Handlers } from './calls.ts'

/** A worker that does not answer within this time is killed: its cache may be outdated. */
const ANSWER_MS = 3000
const READ_MS = 200
const PING_EVERY_MS = 1000
/** Less than a value of a metric may take: one worker hides no other. */
const ASK_MS = 1000
/** How long a worker may finish the requests that it has; longer than `listen` waits for them. */
const STOP_MS = 15_000
const [RESTART_MS, MAX_RESTART_MS] = [200, 30_000]
/** A worker that ran for so long is started again at once. */
const STEADY_MS = 60_000

export interface WorkerProcess {
  pid: number
  send(message: unknown): void
  kill(): void
}

/** Starts a process that is connected by a channel, which closes when either process ends. */
export type LaunchWorker = (
  onMessage: (message: unknown) => void,
  onExit: (how: string) => void,
) => WorkerProcess

/** The worker processes, which serve on the same port and send writes to this process. */
export interface WorkerPool {
  /** Sends a notification to all workers. `acknowledged` waits for them. */
  notify(channel: string, payload: string): void
  /**
   * Resolves once each worker has acknowledged all earlier messages, or has ended. Null: nothing is
   * outstanding.
   */
  acknowledged(): Promise<unknown> | null
  /**
   * Resolves once all earlier counts of the workers are stored, or have failed to be.
   *
   * @returns whether it is stored
   */
  flush(): Promise<boolean>
  /** Resolves once no worker counts views of the page any more, until it is released. */
  hold(pageId: string): Promise<() => void>
  /** How many serve now. */
  serving(): number
  /** Asks each that serves, by number. Those that do not answer in time are left out. */
  askAll(name: string): Promise<{ worker: number; answer: unknown }[]>
  /** Lets workers finish their requests, and ends them. */
  stop(): Promise<void>
}

export interface WorkerPoolDeps {
  count: number
  launch: LaunchWorker
  log: Log
  /** The data that a worker requests before it starts. */
  setup(worker: { number: number; version: string }): object
  /** Handle the calls of workers, such as storing their counts. */
  handlers: Readonly<Record<string, (input: never) => Promise<unknown>>>
  /** Receives the answer of a worker to a ping. */
  onPing(answer: unknown): void
  /** Adds the counts that ended workers had not sent. @returns whether it could */
  takeOver(): Promise<boolean>
  /** For tests. */
  answerMs?: number
}

interface Worker {
  number: number
  process: WorkerProcess
  calls: Calls
  isServing: boolean
  /** Writes that it requested. */
  writing: Set<Promise<unknown>>
  /** Its process has ended. */
  ended: Promise<void>
  /** Resolves once its counts are stored as well; false if they cannot be. */
  settled: Promise<boolean>
}

export function startWorkers(deps: WorkerPoolDeps): WorkerPool {
  const { count, launch, log, setup, takeOver, onPing, answerMs = ANSWER_MS } = deps
  const workers = new Set<Worker>()
  /** Ended workers whose counts are not stored yet. */
  const leaving = new Set<Promise<boolean>>()
  const restarts = new Set<Timer>()
  /** Pages whose views no worker counts, and how many holds each has. */
  const holds = new Map<string, number>()
  const acknowledging = new Set<Promise<unknown>>()
  let isStopping = false
  let taking = Promise.resolve(true)

  function start(number: number, failures: number): void {
    const startedMs = performance.now()
    const ended = Promise.withResolvers<void>()
    const settled = Promise.withResolvers<boolean>()
    const writing = new Set<Promise<unknown>>()
    const handlers: Handlers = {
      ...Object.fromEntries(Object.entries(deps.handlers).map(([name, act]) => [name, kept(act)])),
      hello: ({ version }: { version: string }) => ({
        ...setup({ number, version }),
        holds: [...holds.keys()],
      }),
      // From here on writes wait for it. It gets earlier messages before this answer.
      ready() {
        worker.isServing = true
        log.info('a worker serves', { worker: number, pid: worker.process.pid })
      },
    }
    function kept(act: (input: never) => Promise<unknown>) {
      return (input: never) => {
        const write = act(input)
        writing.add(write)
        void write.catch(() => {}).finally(() => writing.delete(write))
        return write
      }
    }
    const process = launch((message) => worker.calls.receive(message), onExit)
    const calls = createCalls((message) => process.send(message), handlers)
    const worker: Worker = {
      ...{ number, process, calls, isServing: false, writing },
      ...{ ended: ended.promise, settled: settled.promise },
    }
    workers.add(worker)

    function onExit(how: string): void {
      workers.delete(worker)
      leaving.add(worker.settled)
      // Counts that it sent and nobody read are in its file.
      calls.close()
      ended.resolve()
      void settle(worker).then((isStored) => {
        leaving.delete(worker.settled)
        settled.resolve(isStored)
      })
      if (isStopping) return
      const next = performance.now() - startedMs > STEADY_MS ? 0 : failures + 1
      const inMs = Math.min(RESTART_MS * 2 ** Math.max(0, next - 1), MAX_RESTART_MS)
      log.error('a worker ended, and is started again', { worker: number, how, in_ms: inMs })
      const timer = setTimeout(() => {
        restarts.delete(timer)
        start(number, next)
      }, inMs)
      restarts.add(timer)
    }
  }

  /** One call after the other: a file that another call has taken over is not stored yet. */
  async function settle({ writing }: Worker): Promise<boolean> {
    await Promise.allSettled(writing)
    taking = taking.then(takeOver)
    return taking
  }

  /** Resolves once the worker has answered, or has ended, by itself or because it was silent. */
  function ask({ calls, process, ended }: Worker, name: string, input?: unknown) {
    let timer = setTimeout(() => {
      // This process may have been busy, and the answer be there.
      timer = setTimeout(() => {
        log.error('a worker does not answer, and is killed', { pid: process.pid })
        process.kill()
      }, READ_MS)
    }, answerMs)
    const answered = calls.call(name, input).catch(() => ended)
    return answered.finally(() => clearTimeout(timer))
  }

  async function ping(worker: Worker): Promise<void> {
    const answer = await ask(worker, 'ping')
    if (answer !== undefined) onPing(answer)
  }

  async function flushOne(worker: Worker): Promise<boolean> {
    const { calls, settled } = worker
    void ping(worker)
    try {
      return (await calls.call('flush')) === true
    } catch {
      return workers.has(worker) ? false : settled
    }
  }

  function broadcast(name: string, input: unknown): void {
    for (const worker of workers) {
      if (!worker.isServing) {
        void worker.calls.call(name, input).catch(() => {})
        continue
      }
      const asked: Promise<unknown> = ask(worker, name, input)
      acknowledging.add(asked)
      void asked.finally(() => acknowledging.delete(asked))
    }
  }

  /** @returns undefined where it does not answer */
  async function askOnce({ calls }: Worker, name: string): Promise<unknown> {
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(late.resolve, Math.min(ASK_MS, answerMs))
    const answer = calls.call(name).catch(() => undefined)
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
  }

  const pinging = setInterval(() => {
    for (const worker of workers) if (worker.isServing) void ping(worker)
  }, PING_EVERY_MS)

  async function stopOne({ process, calls, settled }: Worker): Promise<void> {
    const timer = setTimeout(process.kill, STOP_MS)
    void calls.call('stop').catch(() => {})
    await settled.finally(() => clearTimeout(timer))
  }

  for (let number = 1; number <= count; number++) start(number, 0)
  return {
    notify: (channel, payload) => broadcast('notify', { channel, payload }),
    acknowledged: () => (acknowledging.size === 0 ? null : Promise.all(acknowledging)),
    async flush() {
      const serving = [...workers].filter(({ isServing }) => isServing)
      const all = await Promise.all([...serving.map(flushOne), ...leaving])
      return all.every(Boolean)
    },
    async hold(pageId) {
      holds.set(pageId, (holds.get(pageId) ?? 0) + 1)
      broadcast('hold', [...holds.keys()])
      await Promise.all(acknowledging)
      return () => {
        const left = holds.get(pageId)! - 1
        if (left > 0) holds.set(pageId, left)
        else holds.delete(pageId)
        broadcast('hold', [...holds.keys()])
      }
    },
    serving: () => [...workers].filter(({ isServing }) => isServing).length,
    async askAll(name) {
      const asked = [...workers].filter(({ isServing }) => isServing)
      const answers = await Promise.all(
        asked.map(async (worker) => ({
          worker: worker.number,
          answer: await askOnce(worker, name),
        })),
      )
      return answers.filter(({ answer }) => answer !== undefined)
    },
    async stop() {
      isStopping = true
      clearInterval(pinging)
      for (const timer of restarts) clearTimeout(timer)
      await Promise.all([...workers].map(stopOne))
      await Promise.all(leaving)
    },
  }
}
