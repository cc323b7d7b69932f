import { join } from 'node:path'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { loadAssets } from '../http/kit/assets.ts'
import { createPeers } from '../http/kit/client-address.ts'
import { startServer } from '../http/listen.ts'
import { mcpRoutes } from '../http/mcp/index.ts'
import { restRoutes } from '../http/rest/index.ts'
import { visitorRoutes } from '../http/visitor/index.ts'
import { createHealth } from '../http/web/health.ts'
import { webRoutes } from '../http/web/index.ts'
import type { Config } from '../platform/config.ts'
import { takeLock } from '../platform/lock.ts'
import { openRuntime, type Runtime } from './runtime.ts'

const SWEEP_EVERY_MS = 60 * 60 * 1000
/** From here and from `dist/server` it is the same way, on the disk and inside the executable. */
const WEB_FILES = join(import.meta.dir, '../../dist/web')

/** Serves until it is told to stop. Resolves once everything that was answered is on the disk. */
export async function serve(config: Config, output: Output): Promise<void> {
  const house = await openRuntime(config)
  const lock = config.databaseUrl === null ? lockData(config) : null
  const server = start(house)
  await announce(house, output)
  await house.outbox.start()
  const sweeping = keepSweeping(house)
  await stopSignal()
  clearInterval(sweeping)
  house.log.info('stopping')
  await server.stop()
  await house.outbox.stop()
  await house.close()
  lock?.release()
}

function start(house: Runtime) {
  const { app, config, log } = house
  const { baseUrl, contentUrl, defaultPlan, signup, trustProxy } = config
  const { accounts, pages, operations } = app
  const assets = loadAssets(WEB_FILES)
  const health = createHealth(accounts.areThereAny)
  const { authenticate } = accounts
  const { throttles } = app
  const called = { operations, authenticate, findPage: pages.get, throttles, log }
  const peers = createPeers(trustProxy)
  const { addressOf } = peers
  const visitor = visitorRoutes({ ...app, ...house, assets, baseUrl, contentUrl, addressOf })
  const doors = {
    visitor: visitor.serve,
    respond: visitor.respond,
    content: visitor.serveOrigin,
    rest: restRoutes(called),
    mcp: mcpRoutes({ ...called, baseUrl }),
    web: webRoutes({
      ...app,
      ...house,
      assets,
      health,
      baseUrl,
      defaultPlan,
      signup,
      addressOf,
      purposes: visitor.confirmationActions,
    }),
    health,
  }
  try {
    return startServer(doors, { ...config.listen, baseUrl, log, peers })
  } catch (err) {
    const { host, port } = config.listen
    if ((err as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw err
    throw new CommandFailed(
      `Port ${port} on ${host} is taken: stop what listens there, or set PORT.`,
    )
  }
}

/** A wrong volume must not look like lost data: a new folder is said loudly. */
async function announce({ app, config, log, isNew }: Runtime, output: Output): Promise<void> {
  const { baseUrl, dataDir, setupEmail, defaultPlan } = config
  const lines = [`Handbill serves ${baseUrl}`, `Data folder    ${dataDir}`]
  if (isNew) {
    lines.push('', `THIS IS A NEW, EMPTY DATA FOLDER: ${dataDir}`)
    lines.push('If you expected pages here, stop now and set DATA_DIR to the folder that has them.')
  }
  let setupUrl: string | null = null
  if (!(await app.accounts.areThereAny())) {
    const token = await app.accounts.createSetupLink()
    if (setupEmail === null) {
      setupUrl = `${baseUrl}/setup/${token}`
      lines.push('', 'Make the first account here, once, within a day:', `  ${setupUrl}`)
    } else {
      const given = { email: setupEmail, name: null, plan: defaultPlan }
      const { key } = await app.accounts.setUp(token, given)
      lines.push('', `First account  ${setupEmail}`, `First key      ${key.key}  (shown once)`)
    }
  }
  output.result(
    { url: baseUrl, data_dir: dataDir, is_new: isNew, setup_url: setupUrl },
    lines.join('\n'),
  )
  if (config.fetchAllowedHosts.length > 0) {
    log.warn('html_url and file_url may reach these private hosts', {
      hosts: config.fetchAllowedHosts,
    })
  }
}

function keepSweeping({ app, outbox, log }: Runtime): Timer {
  async function sweep(): Promise<void> {
    try {
      const swept = await app.sweeper.sweep()
      const orphans = await app.sweeper.sweepOrphans()
      await app.confirmations.sweep()
      await app.sessions.sweep()
      await app.throttles.sweep()
      await app.ownerMails.sweep()
      await outbox.sweep()
      log.info('swept', { ...swept, orphans })
    } catch (err) {
      log.error('sweeping failed', { err })
    }
  }
  return setInterval(sweep, SWEEP_EVERY_MS)
}

function lockData({ dataDir }: Config) {
  const lock = takeLock(join(dataDir, 'serve.lock'))
  if (lock !== null) return lock
  throw new CommandFailed(`Another Handbill serves ${dataDir}: stop it, or set DATA_DIR.`)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
