import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { buildApp, type Platform } from '../app.ts'
import type { BatchStore } from '../features/views/index.ts'
import { loadAssets } from '../http/kit/assets.ts'
import { createChecks } from '../platform/checks.ts'
import { createClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { NotInWorker, openSqliteReader } from '../platform/db/sqlite-reader.ts'
import { watchEventLoop } from '../platform/event-loop.ts'
import { acquireLock } from '../platform/file-lock.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createSecrets, masterKey } from '../platform/secrets.ts'
import { createSlotFiles } from '../platform/slot-files.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { createThreads } from '../platform/threads.ts'
import { type Calls, createCalls } from '../platform/workers/calls.ts'
import { readWorkerUsage } from '../platform/workers/usage.ts'
import { createWorkerServer, type WorkerServer } from '../worker-server.ts'
import { openFiles } from './files.ts'
import { databaseFile, workerFiles } from './places.ts'
import { WEB_FILES } from './web-files.ts'

/** The main process's answer to a worker that starts. */
export interface WorkerSetup {
  number: number
  config: Config
  /** Where the main process answers. */
  socket: string
  /** Pages whose views are counted by the main process for now. */
  holds: string[]
}

/** The channel to the process that started this one. */
export interface MainChannel {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** Serves on the port of the main process until that one sends `stop`, or ends. */
export async function work(channel: MainChannel): Promise<void> {
  const stopping = Promise.withResolvers<void>()
  const fromMain = createHandlers(stopping.resolve)
  const calls = createCalls(channel.send, fromMain.handlers)
  channel.onMessage(calls.receive)
  const setup = (await calls.call('hello', { version: packageJson.version })) as WorkerSetup
  fromMain.handlers.hold(setup.holds)
  const { config, socket, number } = setup
  const lock = acquireLock(workerFiles(config.dataDir, number).lock)
  if (lock === null) throw new Error(`Another worker ${number} runs`)
  const { platform, database, close } = await openPlatform(setup, {
    batches: batchesOf(calls),
    isHeld: fromMain.isHeld,
  })
  const app = await buildApp(platform)
  const server = createWorkerServer(platform, app, { assets: loadAssets(WEB_FILES), socket })
  fromMain.attach({ ...server, announce: database.announce, flush: app.views.flush })
  app.views.prepare()
  await calls.call('ready')
  const running = server.listen({ ...config.listen, isShared: true })
  await stopping.promise
  await running.stop()
  await app.views.close()
  await close()
  lock.release()
}

interface WorkerParts extends Pick<WorkerServer, 'takeRecorded'> {
  announce(channel: string, payload: string): void
  flush(): Promise<boolean>
}

/** Handles the calls of the main process, which may come before there is a server here. */
function createHandlers(stop: () => void) {
  const eventLoop = watchEventLoop()
  let held = new Set<string>()
  let parts: WorkerParts | null = null
  return {
    attach(given: WorkerParts) {
      parts = given
    },
    isHeld: (pageId: string) => held.has(pageId),
    handlers: {
      ping: () => parts?.takeRecorded() ?? [],
      usage: () => readWorkerUsage(eventLoop),
      notify: ({ channel, payload }: { channel: string; payload: string }) =>
        parts?.announce(channel, payload),
      hold(pageIds: readonly string[]) {
        held = new Set(pageIds)
      },
      flush: async () => (await parts?.flush()) ?? true,
      stop,
    },
  }
}

function batchesOf(calls: Calls): BatchStore {
  return {
    store: (batch) => calls.call('storeBatch', batch) as Promise<string[]>,
    forgetFile: async (fileId) => void (await calls.call('forgetFile', fileId)),
  }
}

async function openPlatform({ config, number }: WorkerSetup, main: NonNullable<Platform['main']>) {
  const { dataDir } = config
  const files = workerFiles(dataDir, number)
  const log = createLog(config.log)
  const metrics = createMetrics()
  const database = openSqliteReader(databaseFile(dataDir))
  const temporaryFiles = createTemporaryFiles(files.temporary)
  const stored = await openFiles(config, {
    ...{ temporaryFiles, log, metrics },
    cacheFolder: files.cache,
  })
  const threads = createThreads()
  const { blobs } = stored
  const platform: Platform = {
    ...{ database, blobs, temporaryFiles, threads, log, metrics, config, main },
    checks: createChecks({ database, blobs, dataDir, sendsMails: false }),
    slotFiles: createSlotFiles(join(dataDir, 'views')),
    clock: createClock(),
    secrets: createSecrets(masterKey(config.secretKey, join(dataDir, 'secret.key'))),
    fetch: { get: () => Promise.reject(new NotInWorker()) },
    sendMail: () => Promise.reject(new NotInWorker()),
  }
  async function close(): Promise<void> {
    await threads.close()
    stored.close()
    await database.close()
  }
  return { platform, database, close }
}
