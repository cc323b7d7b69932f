import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { parseArguments } from '../cli/arguments.ts'
import {
  CommandFailed,
  createOutput,
  flush,
  type Output,
  WrongUsage,
  writeLines,
} from '../cli/output.ts'
import { runProgram } from '../cli/program.ts'
import packageJson from '../package.json' with { type: 'json' }
import {
  assertUsage,
  type Flags,
  isApart,
  MAKE_FOLDER,
  newFolder,
  noCommand,
  noFolder,
  SERVER_NAMES,
  SERVER_OPTIONS,
  usageOf,
} from './commands/usage.ts'

// Threads run this file, too: it has a path in the sources, in the bundle and in the executable.
if (isMainThread) {
  const status = await runProgram(process.argv.slice(2), { env: process.env, runServer })
  process.exitCode = status
  // What a failed command has open, such as PostgreSQL, would keep the process running for ever.
  if (status !== 0) await flush().finally(() => process.exit(status))
} else await import('./thread.ts')

async function runServer(argv: string[]): Promise<void> {
  const { values, positionals } = parseArguments(argv, SERVER_OPTIONS)
  const flags = values as Flags
  const output = createOutput(flags.json === true)
  if (flags.version) return output.result({ version: packageJson.version }, packageJson.version)
  if (flags.help || positionals.length === 0) {
    const usage = usageOf(positionals)
    return output.result({ usage }, usage.split('\n'))
  }
  const [command = ''] = positionals
  if (command === 'serve') {
    assertUsage(command, positionals.slice(1), flags)
    return serve(output)
  }
  const names = [command, positionals.slice(0, 2).join(' ')]
  const name = SERVER_NAMES.find((each) => names.includes(each))
  if (name === undefined) throw new WrongUsage(noCommand(positionals))
  const args = positionals.slice(name.split(' ').length)
  assertUsage(name, args, flags)
  if (isApart(name)) {
    const { APART } = await import('./commands/apart.ts')
    return APART[name](await config(), args, output)
  }
  const { ADMIN } = await import('./commands/admin.ts')
  const { explainDamage } = await import('./commands/start-check.ts')
  const runtime = await openFor(name).catch(explainDamage)
  try {
    await ADMIN[name](runtime, args, flags, output).catch(explainDamage)
  } finally {
    await runtime.close()
  }
}

/** Opens the data for a command. Only some make a data folder where there is none. */
async function openFor(name: string) {
  const settings = await config()
  const { dataDir, databaseUrl } = settings
  const { besideServer, isEmpty, openRuntime } = await import('./commands/runtime.ts')
  const isNew = databaseUrl === null && isEmpty(dataDir)
  if (isNew && !MAKE_FOLDER.includes(name)) throw new CommandFailed(noFolder(dataDir))
  const runtime = await openRuntime(settings, besideServer(settings))
  if (runtime.isNew) writeLines('stderr', `handbill: ${newFolder(dataDir)}`)
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
