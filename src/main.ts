import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { assertChoice, type Parsed, textOf } from '../cli/command.ts'
import {
  APART_COMMANDS,
  type ApartName,
  SERVER_COMMANDS,
  type ServerName,
} from '../cli/commands/server.ts'
import {
  CommandFailed,
  flush,
  type Output,
  oneLine,
  WrongUsage,
  writeLines,
} from '../cli/output.ts'
import { runProgram } from '../cli/program.ts'
import { parseFuture } from '../cli/times.ts'
import type { AdminFlags } from './commands/admin.ts'
import { SCOPES } from './model/account.ts'
import { PLANS } from './model/plan.ts'
import { parseEmail } from './model/text.ts'

/** Commands that may make the data folder. The others find nothing to work on without one. */
const MAKE_FOLDER: readonly string[] = ['account add', 'migrate']

// Threads run this file, too: it has a path in the sources, in the bundle and in the executable.
if (isMainThread) {
  const status = await runProgram(process.argv.slice(2), { env: process.env, runServer })
  process.exitCode = status
  // What a failed command has open, such as PostgreSQL, would keep the process running for ever.
  if (status !== 0) await flush().finally(() => process.exit(status))
} else await import('./thread.ts')

async function runServer(name: ServerName, parsed: Parsed, output: Output): Promise<void> {
  assertValues(name, parsed)
  const { args, flags } = parsed
  if (name === 'serve') return serve(output)
  if (isApart(name)) {
    const { APART } = await import('./commands/apart.ts')
    return APART[name](await config(), args, output)
  }
  const { ADMIN } = await import('./commands/admin.ts')
  const { explainDamage } = await import('./commands/start-check.ts')
  const runtime = await openFor(name).catch(explainDamage)
  try {
    await ADMIN[name](runtime, args, flags as AdminFlags, output).catch(explainDamage)
  } finally {
    await runtime.close()
  }
}

function isApart(name: ServerName): name is ApartName {
  return Object.hasOwn(APART_COMMANDS, name)
}

/** Checks what a command takes before it opens or creates anything. @throws WrongUsage */
function assertValues(name: ServerName, { args, flags }: Parsed): void {
  const form: string = SERVER_COMMANDS[name].args
  if (form.startsWith('EMAIL') && parseEmail(args[0]!) === null) {
    throw new WrongUsage(`${oneLine(args[0])} is not an email address.`)
  }
  if (form.endsWith('PLAN')) assertChoice('PLAN', args[1], PLANS)
  for (const scope of textOf(flags.scopes)?.split(',') ?? [])
    assertChoice('--scopes', scope, SCOPES)
  parseFuture('expires', flags.expires)
}

/** Opens the data for a command, and warns about a new data folder. */
async function openFor(name: string) {
  const settings = await config()
  const { dataDir, databaseUrl } = settings
  const { besideServer, isEmpty, openRuntime } = await import('./commands/runtime.ts')
  const isNew = databaseUrl === null && isEmpty(dataDir)
  if (isNew && !MAKE_FOLDER.includes(name)) {
    throw new CommandFailed(
      `There are no data in ${dataDir}. Call it in the folder of the server, or set the same ` +
        'DATA_DIR; a new server begins with handbill serve or handbill account add EMAIL.',
    )
  }
  const runtime = await openRuntime(settings, besideServer(settings))
  // The command may have been meant for another folder.
  if (runtime.isNew) {
    writeLines(
      'stderr',
      `handbill: This made a new, empty data folder: ${dataDir}. For the data of a server that ` +
        'runs already, call it in the same folder, or set the same DATA_DIR.',
    )
  }
  return runtime
}

async function serve(output: Output): Promise<void> {
  const commands = await import('./commands/serve.ts')
  const { isSetting } = await import('./platform/config.ts')
  const others = Object.keys(envFile()).filter((name) => !isSetting(name))
  if (others.length > 0) {
    writeLines('stderr', `handbill: .env has names that are no settings: ${others.join(', ')}`)
  }
  await commands.serve(await config(), output)
}

async function config() {
  const { readConfig } = await import('./platform/config.ts')
  return readConfig({ ...envFile(), ...process.env })
}

/**
 * Reads the service's settings from `.env` in the working folder. The client does not: somebody
 * else may have written that folder, and it must not decide where the API key is sent.
 */
function envFile() {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (err) {
    // EISDIR: `.env` may be a folder, such as a Python environment.
    if (['ENOENT', 'EISDIR'].includes((err as NodeJS.ErrnoException).code ?? '')) return {}
    throw err
  }
}
