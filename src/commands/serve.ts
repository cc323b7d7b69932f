import { join } from 'node:path'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { createPeers } from '../http/kit/client-address.ts'
import { mcpDoor } from '../http/mcp/index.ts'
import { restDoor } from '../http/rest/index.ts'
import { startServer } from '../http/listen.ts'
import { visitorDoor } from '../http/visitor/index.ts'
import { loadAssets } from '../http/kit/assets.ts'
import { createHealth } from '../http/web/health.ts'
import { webDoor } from '../http/web/index.ts'
import type { Config } from '../platform/config.ts'
import { takeLock } from '../platform/lock.ts'
import { type House, openHouse } from './runtime.ts'

const SWEEP_EVERY_MS = 60 * 60 * 1000
/** From here and from `dist/server` it is the same way, on the disk and inside the executable. */
const WEB_FILES = join(import.meta.dir, '../../dist/web')

/** Serves until it is told to stop. Resolves once everything that was answered is on the disk. */
export async function serve(config: Config, output: Output): Promise<void> {
  const house = await openHouse(config)
  const lock = config.database_url === null ? lockData(config) : null
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

function start(house: House) {
  const { app, config, log } = house
  const { base_url, content_url, default_plan, signup, trust_proxy } = config
  const { accounts, pages, operations } = app
  const assets = loadAssets(WEB_FILES)
  const health = createHealth(accounts.areThereAny)
  const { authenticate } = accounts
  const { throttles } = app
  const called = { operations, authenticate, findPage: pages.get, throttles, log }
  const peers = createPeers(trust_proxy)
  const { addressOf } = peers
  const visitor = visitorDoor({ ...app, ...house, assets, base_url, content_url, addressOf })
  const doors = {
    visitor: visitor.serve,
    respond: visitor.respond,
    content: visitor.serveOrigin,
    rest: restDoor(called),
    mcp: mcpDoor({ ...called, base_url }),
    web: webDoor({
      ...app,
      ...house,
      assets,
      health,
      base_url,
      default_plan,
      signup,
      addressOf,
      purposes: visitor.purposes,
    }),
    health,
  }
  try {
    return startServer(doors, { ...config.listen, base_url, log, peers })
  } catch (err) {
    const { host, port } = config.listen
    if ((err as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw err
    throw new CommandFailed(
      `Port ${port} on ${host} is taken: stop what listens there, or set PORT.`,
    )
  }
}

/** A wrong volume must not look like lost data: a new folder is said loudly. */
async function announce({ app, config, log, is_new }: House, output: Output): Promise<void> {
  const { base_url, data_dir, setup_email, default_plan } = config
  const lines = [`Handbill serves ${base_url}`, `Data folder    ${data_dir}`]
  if (is_new) {
    lines.push('', `THIS IS A NEW, EMPTY DATA FOLDER: ${data_dir}`)
    lines.push('If you expected pages here, stop now and set DATA_DIR to the folder that has them.')
  }
  let setup_url: string | null = null
  if (!(await app.accounts.areThereAny())) {
    const token = await app.accounts.createSetupLink()
    if (setup_email === null) {
      setup_url = `${base_url}/setup/${token}`
      lines.push('', 'Make the first account here, once, within a day:', `  ${setup_url}`)
    } else {
      const given = { email: setup_email, name: null, plan: default_plan }
      const { key } = await app.accounts.setUp(token, given)
      lines.push('', `First account  ${setup_email}`, `First key      ${key.key}  (shown once)`)
    }
  }
  output.result({ url: base_url, data_dir, is_new, setup_url }, lines.join('\n'))
  if (config.fetch_allowed_hosts.length > 0) {
    log.warn('html_url and file_url may reach these private hosts', {
      hosts: config.fetch_allowed_hosts,
    })
  }
}

function keepSweeping({ app, outbox, log }: House): Timer {
  async function sweep(): Promise<void> {
    try {
      const swept = await app.sweeper.sweep()
      const orphans = await app.sweeper.sweepOrphans()
      await app.confirmations.sweep()
      await app.sessions.sweep()
      await app.throttles.sweep()
      await app.notifications.sweep()
      await outbox.sweep()
      log.info('swept', { ...swept, orphans })
    } catch (err) {
      log.error('sweeping failed', { err })
    }
  }
  return setInterval(sweep, SWEEP_EVERY_MS)
}

function lockData({ data_dir }: Config) {
  const lock = takeLock(join(data_dir, 'serve.lock'))
  if (lock !== null) return lock
  throw new CommandFailed(`Another Handbill serves ${data_dir}: stop it, or set DATA_DIR.`)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
