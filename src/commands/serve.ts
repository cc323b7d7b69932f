import { CommandFailed, type Output } from '../../cli/output.ts'
import type { BackupSchedule } from '../features/backup/index.ts'
import { loadAssets } from '../http/kit/assets.ts'
import type { RunningServer } from '../http/listen.ts'
import { Refusal } from '../model/errors.ts'
import { FIRST_PLAN } from '../model/plan.ts'
import { type DiskState, diskState } from '../platform/checks.ts'
import { createClockWatch } from '../platform/clock-watch.ts'
import type { Config } from '../platform/config.ts'
import { markServed, markStopped } from '../platform/db/sqlite-log.ts'
import { rewriteLog } from '../platform/db/sqlite-rewrite.ts'
import { addEventLoopMetrics, watchEventLoop } from '../platform/event-loop.ts'
import { acquireLock } from '../platform/file-lock.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createServer } from '../server.ts'
import { addressOf, isSameAddress } from './address.ts'
import { databaseFile, lockFile, WEB_FILES } from './places.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { checkAtStart, explainDamage } from './start-check.ts'
import { keepSweeping } from './sweeping.ts'

const REMIND_EVERY_MS = 60 * 1000
/** A pause after each few releases that are made again: visitors come first. */
const RENEW_PAUSE_MS = 1000
const RENEW_AGAIN_MS = 60 * 1000

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
  runtime.app.views.prepare()
  const server = start(runtime)
  const eventLoop = watchEventLoop()
  addEventLoopMetrics(runtime.platform.metrics, eventLoop)
  await announce(runtime, output)
  await runtime.outbox.start()
  const stopSweeping = keepSweeping(runtime)
  const stopWatching = keepWatching(runtime)
  const backingUp = keepBackingUp(runtime)
  const reminding = keepReminding(runtime)
  const renewing = startRenewing(runtime)
  await stopRequested
  stopSweeping()
  stopWatching()
  clearInterval(reminding)
  await renewing.stop()
  await backingUp.stop()
  eventLoop.close()
  runtime.platform.log.info('stopping')
  await server.stop()
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
    if ((err as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw err
    throw new CommandFailed(
      `Port ${port} on ${host} is taken: stop what listens there, or set PORT.`,
    )
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
    platform.log.warn('html_url and file_url may reach these private hosts', {
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
  const made = await app.accounts
    .setUp(token, { email: setupEmail, plan: FIRST_PLAN })
    .catch((err: unknown) => {
      if (err instanceof Refusal && err.code === 'setup_link_gone') return null
      throw err
    })
  // Another node that started at the same time has made it.
  if (made === null) return { url: null, lines: [] }
  const { key } = made
  const lines = [
    '',
    `First account   ${setupEmail}, an operator, on the ${FIRST_PLAN} plan`,
    `First key       ${key.key}  (shown once)`,
  ]
  return { url: null, lines }
}

/** Sends the reminders that fell due, also those of a time when no server ran. */
function keepReminding({ app, platform: { log } }: Runtime): Timer {
  async function remind(): Promise<void> {
    try {
      await app.approvals.remind()
    } catch (err) {
      log.error('reminding approvers failed', { err })
    }
  }
  return setInterval(remind, REMIND_EVERY_MS)
}

/** Brings what earlier versions have stored of pages up to date, until all of it is. */
function startRenewing({ app, platform: { log } }: Runtime): { stop(): Promise<void> } {
  let timer: Timer | undefined
  let running = Promise.resolve()
  async function renew(): Promise<void> {
    try {
      if (await app.releaseRenewal.renewSome()) next(RENEW_PAUSE_MS)
    } catch (err) {
      log.error('renewing releases failed', { err })
      next(RENEW_AGAIN_MS)
    }
  }
  function next(pauseMs: number): void {
    timer = setTimeout(() => {
      running = renew()
    }, pauseMs)
  }
  next(RENEW_PAUSE_MS)
  return {
    async stop() {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }
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

/** Soon after the start: a server that is restarted every hour makes its backups, too. */
const FIRST_MS = 5 * 1000
/** How often to look whether one is due, and to try again after a failure. */
const EVERY_MS = 10 * 60 * 1000
/**
 * The retry while another process has the lease: a sweep ends soon, and a killed process's lease,
 * too.
 */
const BUSY_MS = 10 * 1000

/**
 * Makes the backups that are due. @returns a function that stops this and aborts a running backup
 */
function keepBackingUp({ backups, platform }: Runtime): { stop(): Promise<void> } {
  if (backups === null) return { stop: async () => {} }
  addMetrics(backups, platform.metrics)
  const stopping = new AbortController()
  let running = Promise.resolve()
  let timer = setTimeout(runAndWait, FIRST_MS)
  function runAndWait(): void {
    running = backups!.runIfDue(stopping.signal).then((hasRun) => {
      if (stopping.signal.aborted) return
      timer = setTimeout(runAndWait, hasRun ? EVERY_MS : BUSY_MS)
    })
  }
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

function addMetrics({ state }: BackupSchedule, metrics: Metrics): void {
  metrics.add({
    name: 'handbill_backup_newest_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest scheduled backup was made.',
    read() {
      const { newestAt } = state()
      return newestAt === null ? null : Date.parse(newestAt) / 1000
    },
  })
  metrics.add({
    name: 'handbill_backup_up',
    type: 'gauge',
    help: '1 while scheduled backups are made, 0 where the last one failed or is missing.',
    read: () => (state().problem === null ? 1 : 0),
  })
}

const WATCH_MS = 10 * 1000

const DISK_MESSAGES = {
  ok: 'the disk has space again',
  low: 'the disk is nearly full: free space on the disk of DATA_DIR',
  full: 'the disk is full: free space on the disk of DATA_DIR; deleting pages still works',
}
const DISK_LEVELS = { ok: 'info', low: 'warn', full: 'error' } as const

/**
 * Logs warnings for the operator, such as of a nearly full disk. @returns a function that stops
 * this
 */
function keepWatching({ platform: { checks, log, metrics } }: Runtime): () => void {
  const clocks = createClockWatch()
  metrics.add({
    name: 'handbill_clock_jumps_total',
    type: 'counter',
    help: 'How often the clock was set by two seconds and more, or the computer slept.',
    read: () => clocks.jumps(),
  })
  let known: DiskState = 'ok'

  async function watchDisk(): Promise<void> {
    const space = await checks.disk().catch(() => null)
    if (space === null) return
    const state = diskState(space)
    if (state !== known) log[DISK_LEVELS[state]](DISK_MESSAGES[state], { ...space })
    known = state
  }
  function watchClocks(): void {
    const jumpMs = clocks.check()
    if (jumpMs === 0) return
    log.warn('the clock of this computer was set, or it slept: links expire by the new time', {
      jump_ms: jumpMs,
    })
  }
  void watchDisk()
  const timer = setInterval(() => {
    watchClocks()
    void watchDisk()
  }, WATCH_MS)
  return () => clearInterval(timer)
}
