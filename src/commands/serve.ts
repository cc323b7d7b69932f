import { CommandFailed, type Output } from '../../cli/output.ts'
import { loadAssets } from '../http/kit/assets.ts'
import type { RunningServer } from '../http/listen.ts'
import { Refusal } from '../model/errors.ts'
import { FIRST_PLAN } from '../model/plan.ts'
import type { Config } from '../platform/config.ts'
import { acquireLock } from '../platform/data-folder.ts'
import { markServed, markStopped } from '../platform/db/sqlite-log.ts'
import { rewriteLog } from '../platform/db/sqlite-rewrite.ts'
import { addEventLoopMetrics, watchEventLoop } from '../platform/metrics.ts'
import { createServer } from '../server.ts'
import { addressOf, databaseFile, isSameAddress, lockFile, WEB_FILES } from './places.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { checkAtStart, explainDamage } from './start-check.ts'
import { startWork } from './work.ts'

/** Serves until SIGTERM or SIGINT. Resolves once all that was answered is on the disk. */
export async function serve(config: Config, output: Output): Promise<void> {
  // Signals count from the first moment: one during the start must end it cleanly, too.
  const stopRequested = stopSignal()
  const runtime = await openRuntime(config).catch(explainDamage)
  await runtime.files.assertUsable()
  const lock = config.databaseUrl === null ? lockData(config) : null
  await checkAtStart(runtime)
  const database = config.databaseUrl === null ? databaseFile(config.dataDir) : null
  if (database !== null) {
    markServed(database)
    rewriteLog(database)
  }
  await runtime.app.pages.sweepImports(true)
  await runtime.app.views.addAbandoned()
  const server = start(runtime)
  const eventLoop = watchEventLoop()
  addEventLoopMetrics(runtime.platform.metrics, eventLoop)
  await announce(runtime, output)
  await runtime.outbox.start()
  runtime.app.webhooks.start()
  const stopWork = startWork(runtime)
  await stopRequested
  await stopWork()
  eventLoop.close()
  runtime.platform.log.info('stopping')
  await server.stop()
  await runtime.app.webhooks.stop()
  await runtime.outbox.stop()
  await runtime.close()
  if (database !== null) markStopped(database)
  lock?.release()
}

function start(runtime: Runtime): RunningServer {
  const { platform, app, config } = runtime
  const server = createServer(platform, app, { assets: loadAssets(WEB_FILES) })
  try {
    return server.listen(config.listen)
  } catch (err) {
    const { host, port } = config.listen
    const { code = '' } = err as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new CommandFailed(
        `Port ${port} on ${host} is taken: stop what listens there, or set PORT.`,
      )
    }
    if (code === 'EACCES') {
      throw new CommandFailed(`This user may not listen on port ${port}: set PORT to 1024 or more.`)
    }
    // Bun says ENOENT of a name that has no address.
    if (!['EADDRNOTAVAIL', 'ENOENT'].includes(code)) throw err
    throw new CommandFailed(`HOST must be an address of this computer, not "${host}".`)
  }
}

/** Warns loudly of a new data folder: a wrong volume must not look like lost data. */
async function announce(runtime: Runtime, output: Output): Promise<void> {
  const { config, platform, isNew } = runtime
  const { baseUrl, dataDir } = config
  const listening = addressOf(config.listen)
  const lines = [
    `Handbill serves ${baseUrl}`,
    `Listening on    ${listening}`,
    `Data folder     ${dataDir}`,
  ]
  if (isNew) {
    lines.push('', `THIS IS A NEW, EMPTY DATA FOLDER: ${dataDir}`)
    lines.push('If you expected pages here, stop now and set DATA_DIR to the folder that has them.')
  }
  const setup = await setUp(runtime, listening)
  output.result(
    { url: baseUrl, listening, data_dir: dataDir, is_new: isNew, setup_url: setup.url },
    [...lines, ...setup.lines],
  )
  if (config.fetchAllowedHosts.length > 0) {
    platform.log.warn('html_url, file_url and webhooks may reach these private hosts', {
      hosts: config.fetchAllowedHosts,
    })
  }
}

/** While there is no account: prints a set-up link, or makes the account of SETUP_EMAIL. */
async function setUp(
  { app, config }: Runtime,
  listening: string,
): Promise<{ url: string | null; lines: string[] }> {
  const { baseUrl, setupEmail } = config
  if (await app.accounts.hasAny()) return { url: null, lines: [] }
  const token = await app.accounts.createSetupLink()
  if (setupEmail === null) {
    const urls = [baseUrl, ...(isSameAddress(baseUrl, listening) ? [] : [listening])].map(
      (origin) => `${origin}/setup/${token}`,
    )
    const [url = '', local] = urls
    const lines = ['', 'Make the first account here, once, within a day:', `  ${url}`]
    if (local !== undefined) lines.push('or on this computer:', `  ${local}`)
    return { url, lines }
  }
  const first = await app.accounts
    .setUp(token, { email: setupEmail, plan: FIRST_PLAN })
    .catch((err: unknown) => {
      if (err instanceof Refusal && err.code === 'setup_link_gone') return null
      throw err
    })
  // Another node that started at the same time has made it.
  if (first === null) return { url: null, lines: [] }
  const { key } = first
  const lines = [
    '',
    `First account   ${setupEmail}, an operator, on the ${FIRST_PLAN} plan`,
    `First key       ${key.key}  (shown once)`,
  ]
  return { url: null, lines }
}

function lockData({ dataDir }: Config) {
  const lock = acquireLock(lockFile(dataDir))
  if (lock !== null) return lock
  throw new CommandFailed(`Another Handbill serves ${dataDir}: stop it, or set DATA_DIR.`)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
