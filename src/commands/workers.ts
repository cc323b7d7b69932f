import { mkdirSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { CommandFailed } from '../../cli/output.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { assertFree, type RunningServer } from '../http/listen.ts'
import type { RecordedRequests } from '../http/request-recorder.ts'
import type { Config } from '../platform/config.ts'
import { acquireLock } from '../platform/file-lock.ts'
import type { LaunchWorker, WorkerPool } from '../platform/workers/pool.ts'
import { withWorkers } from '../platform/workers/shared-writes.ts'
import { addWorkerMetrics, type WorkerUsage } from '../platform/workers/usage.ts'
import type { HttpServer } from '../server.ts'
import { workerFiles, workersFolder } from './places.ts'
import type { Runtime, SharesData } from './runtime.ts'
import type { WorkerSetup } from './worker.ts'

/** Paths of sockets cannot be longer. */
const MAX_SOCKET_CHARS = 100
const OTHERS_END_MS = 10_000

/** The workers of a server. */
export interface Workers extends SharesData {
  /** Listens, and starts the workers, which listen too. */
  listen(runtime: Runtime, server: HttpServer): Promise<RunningServer>
}

/** The reason why workers are not possible; null if they are. */
export function withoutWorkers({ databaseUrl, dataDir }: Config): string | null {
  if (process.platform !== 'linux') return 'Only Linux shares a port among processes.'
  if (databaseUrl !== null) return 'With DATABASE_URL, start more nodes instead.'
  const { socket } = workerFiles(dataDir, 0)
  if (socket.length > MAX_SOCKET_CHARS) return `The path of DATA_DIR is too long for ${socket}.`
  return null
}

export function createWorkers(config: Config, launch: LaunchWorker): Workers {
  const { dataDir, workers } = config
  const { socket } = workerFiles(dataDir, 0)
  let pool: WorkerPool | null = null
  return {
    share: (database) => withWorkers(database, () => pool),
    counting: {
      flush: async () => (await pool?.flush()) ?? true,
      hold: async (pageId) => (await pool?.hold(pageId)) ?? (() => {}),
    },
    async listen({ app: { views }, platform: { log, metrics } }, server) {
      mkdirSync(workersFolder(dataDir), { recursive: true, mode: 0o700 })
      assertFree(config.listen)
      const { startWorkers } = await import('../platform/workers/pool.ts')
      const endForwarding = server.listenForWorkers(socket)
      const running = server.listen({ ...config.listen, isShared: true })
      const started = startWorkers({
        ...{ count: workers - 1, launch, log },
        setup({ number, version }): Omit<WorkerSetup, 'holds'> {
          if (version !== packageJson.version) throw new Error('The program has been replaced')
          return { number, config, socket }
        },
        handlers: { storeBatch: views.batches.store, forgetFile: views.batches.forgetFile },
        onPing: (recorded) => server.addRecorded(recorded as RecordedRequests[]),
        takeOver: () =>
          views.addAbandoned().catch((err: unknown) => {
            log.error('the views of an ended worker were not added', { err })
            return false
          }),
      })
      metrics.add({
        name: 'handbill_workers_serving',
        type: 'gauge',
        help: 'Processes that serve beside this one, by WORKERS.',
        read: started.serving,
      })
      addWorkerMetrics(metrics, async () => {
        const answers = await started.askAll('usage')
        return answers.map(({ worker, answer }) => ({ worker, usage: answer as WorkerUsage }))
      })
      pool = started
      return {
        ...running,
        async stop() {
          // Workers forward requests until they have stopped.
          await Promise.all([running.stop(), started.stop()])
          await endForwarding()
        },
      }
    },
  }
}

/**
 * Waits until no worker of an earlier start runs: it ends when its main process does, but it could
 * serve until then.
 *
 * @throws CommandFailed where one does not end
 */
export async function untilNoWorkers(dataDir: string): Promise<void> {
  const until = performance.now() + OTHERS_END_MS
  for (const number of numbersIn(workersFolder(dataDir))) {
    for (;;) {
      const lock = acquireLock(workerFiles(dataDir, number).lock)
      lock?.release()
      if (lock !== null) break
      if (performance.now() > until) {
        throw new CommandFailed(
          `A worker of an earlier server still runs on ${dataDir}: end its process.`,
        )
      }
      await setTimeout(20)
    }
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => /^(\d+)\.lock$/.exec(name)?.[1] ?? [])
      .map(Number)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw err
  }
}
