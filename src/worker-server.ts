import type { App, Platform } from './app.ts'
import { createAuthentication } from './http/authenticate.ts'
import { createFailureResponse } from './http/dispatch.ts'
import { createForward } from './http/forwarding.ts'
import type { Assets } from './http/kit/assets.ts'
import { createBodyReader } from './http/kit/body.ts'
import { createBodyBudgets } from './http/kit/body-budget.ts'
import { createClientAddresses } from './http/kit/client-address.ts'
import { createCompressor } from './http/kit/compressor.ts'
import { type ListenOptions, listen, type RunningServer } from './http/listen.ts'
import { createRequestRecorder, type RequestRecorder } from './http/request-recorder.ts'
import { createWorkerDispatcher } from './http/worker-dispatch.ts'
import { NotInWorker } from './platform/db/sqlite-reader.ts'
import { buildVisitorRoutes } from './server.ts'

export interface WorkerServer {
  listen(options: ListenOptions): RunningServer
  /** The counts of its answers since the last call. */
  takeRecorded: RequestRecorder['take']
}

/**
 * The composition root of a worker: it answers requests for public pages, and forwards all others.
 */
export function createWorkerServer(
  platform: Platform,
  app: App,
  { assets, socket }: { assets: Assets; socket: string },
): WorkerServer {
  const { log, config, temporaryFiles, threads, metrics } = platform
  const { baseUrl, trustProxy } = config
  const { accounts, sessions } = app
  const clientAddresses = createClientAddresses(trustProxy)
  const addressOf = clientAddresses.of
  const budgets = createBodyBudgets(addressOf)
  const visitor = buildVisitorRoutes(platform, app, {
    ...{ assets, addressOf },
    authentication: createAuthentication({ accounts, sessions, baseUrl }),
    bodyReader: createBodyReader({ budgets, temporaryFiles, threads }),
    compressor: createCompressor(),
  })
  const recorder = createRequestRecorder({ ...config, metrics, log, addressOf })
  const dispatcher = createWorkerDispatcher({
    fastPath: visitor.fastPath,
    isPublicRequest: visitor.isPublicRequest,
    visitor: visitor.serve,
    forward: createForward(socket, clientAddresses.peerOf),
    recorder,
    failed: createFailureResponse({ baseUrl, log }),
    isForMain: (err) => err instanceof NotInWorker,
  })
  const health = { markStopping() {} }
  return {
    listen: (options) => listen({ ...dispatcher, clientAddresses, health }, options),
    takeRecorded: recorder.take,
  }
}
