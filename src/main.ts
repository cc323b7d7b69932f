import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { parseArgs, parseEnv } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { commandName } from '../cli/commands/index.ts'
import { explainDenied, reportError, usageMessage } from '../cli/errors.ts'
import { CommandFailed, createOutput, type Output, WrongUsage, writeLines } from '../cli/output.ts'
import packageJson from '../package.json' with { type: 'json' }
import {
  assertUsage,
  type Flags,
  isApart,
  makesFolder,
  newFolder,
  noCommand,
  noFolder,
  SERVER_NAMES,
  SERVER_OPTIONS,
  USAGE,
} from './commands/usage.ts'

// Threads run this file, too: it has a path in the sources, in the bundle and in the executable.
if (isMainThread) process.exitCode = await main(process.argv.slice(2))
else await import('./thread.ts')

async function main(argv: string[]): Promise<number> {
  try {
    await run(argv)
    return 0
  } catch (err) {
    return reportError(explainDenied(err), {
      asJson: argv.includes('--json'),
      command: commandName(argv[0] ?? '') ?? '',
      isDebugging: process.env.LOG_LEVEL === 'debug',
    })
  }
}

async function run(argv: string[]): Promise<void> {
  const words = argv.filter((word) => !word.startsWith('-'))
  const [typed = '', second = ''] = words
  if (typed === 'help') return run(commandName(second) === null ? ['--help'] : [second, '--help'])
  const name = commandName(typed)
  // `account export` and `account import` are of a user, the others of the operator.
  const isOperators = name === 'account' && !['export', 'import'].includes(second)
  if (name === null || isOperators) return runServer(argv)
  return runClient(name, argv.toSpliced(argv.indexOf(typed), 1))
}

/** Loads nothing of the service: the client does not need it. */
async function runClient(name: string, argv: string[]): Promise<void> {
  const { runCommand } = await import('../cli/index.ts')
  const { env } = process
  // Interrupting is safe at any time: publishing is one request, sent last.
  process.once('SIGINT', () => process.exit(130))
  // The reader of the output may close it early: `handbill list | head`.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    writeLines('stderr', `handbill: Cannot write what was asked for: ${message}`)
    process.exit(1)
  })
  await runCommand(name, argv, {
    cwd: process.cwd(),
    home: homedir(),
    configHome: env.XDG_CONFIG_HOME,
    url: env.HANDBILL_URL,
    key: env.HANDBILL_API_KEY,
    noColor: Boolean(env.NO_COLOR),
  })
}

async function runServer(argv: string[]): Promise<void> {
  const { flags, positionals } = parse(argv)
  const output = createOutput(flags.json === true)
  if (flags.version) return output.result({ version: packageJson.version }, packageJson.version)
  if (flags.help || positionals.length === 0)
    return output.result({ usage: USAGE }, USAGE.split('\n'))
  const [command = ''] = positionals
  if (command === 'serve') return serve(output)
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
  if (isNew && !makesFolder(name)) throw new CommandFailed(noFolder(dataDir))
  const runtime = await openRuntime(settings, besideServer(settings))
  if (runtime.isNew) writeLines('stderr', `handbill: ${newFolder(dataDir)}`)
  return runtime
}

async function serve(output: Output): Promise<void> {
  const commands = await import('./commands/serve.ts')
  await commands.serve(await config(), output)
}

async function config() {
  const { readConfig } = await import('./platform/config.ts')
  const config = readConfig({ ...envFile(), ...process.env })
  if (config.contentUrl !== null) {
    const { assertOwnSite } = await import('./platform/config.ts')
    assertOwnSite(config.contentUrl, config.baseUrl)
  }
  return config
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

function parse(argv: string[]): { flags: Flags; positionals: string[] } {
  try {
    const config = { args: argv, allowPositionals: true, options: SERVER_OPTIONS }
    const { values, positionals } = parseArgs(config)
    return { flags: values, positionals }
  } catch (err) {
    throw new WrongUsage(usageMessage(err as NodeJS.ErrnoException, Object.keys(SERVER_OPTIONS)))
  }
}
