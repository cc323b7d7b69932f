import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { parseArgs, parseEnv } from 'node:util'
import { COMMANDS } from '../cli/commands/index.ts'
import { createOutput, type Output, oneLine, WrongUsage } from '../cli/output.ts'
import packageJson from '../package.json' with { type: 'json' }
import { ADMIN, newFolder } from './commands/admin.ts'
import { noCommand, USAGE } from './commands/usage.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(argv: string[]): Promise<number> {
  try {
    await run(argv)
    return 0
  } catch (err) {
    if (err instanceof WrongUsage) {
      const command = Object.hasOwn(COMMANDS, argv[0] ?? '') ? `${argv[0]} ` : ''
      process.stderr.write(`handbill: ${oneLine(err.message)} See handbill ${command}--help.\n`)
      return 2
    }
    process.stderr.write(`handbill: ${lineOf(err)}\n`)
    return 1
  }
}

async function run(argv: string[]): Promise<void> {
  const words = argv.filter((word) => !word.startsWith('-'))
  const name = words[0] ?? ''
  // `restore FILE` restores a backup on the server; `restore PAGE N` restores a version.
  const isServerCommand = name === 'restore' && words.length === 2 && ADMIN.restore !== undefined
  if (Object.hasOwn(COMMANDS, name) && !isServerCommand) return runClient(name, argv)
  return runServer(argv)
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
    process.stderr.write(`handbill: Cannot write what was asked for: ${message}\n`)
    process.exit(1)
  })
  await runCommand(name, argv.toSpliced(argv.indexOf(name), 1), {
    cwd: process.cwd(),
    home: homedir(),
    configHome: env.XDG_CONFIG_HOME,
    url: env.HANDBILL_URL,
    key: env.HANDBILL_API_KEY,
    noColor: Boolean(env.NO_COLOR),
  })
}

async function runServer(argv: string[]): Promise<void> {
  const { values: flags, positionals } = parse(argv)
  const output = createOutput(flags.json)
  if (flags.version) return output.result({ version: packageJson.version }, packageJson.version)
  if (flags.help || positionals.length === 0) return output.result({ usage: USAGE }, USAGE)
  const [command = ''] = positionals
  if (command === 'serve') return serve(output)
  const name = ADMIN[command] ? command : positionals.slice(0, 2).join(' ')
  const admin = ADMIN[name]
  if (admin === undefined) throw new WrongUsage(noCommand(positionals))
  const args = positionals.slice(name.split(' ').length)
  const { openRuntime } = await import('./commands/runtime.ts')
  const runtime = await openRuntime(await config())
  if (runtime.isNew) process.stderr.write(`handbill: ${newFolder(runtime.config.dataDir)}\n`)
  try {
    await admin(runtime, args, flags, output)
  } finally {
    await runtime.close()
  }
}

async function serve(output: Output): Promise<void> {
  const commands = await import('./commands/serve.ts')
  await commands.serve(await config(), output)
}

async function config() {
  const { readConfig } = await import('./platform/config.ts')
  const config = readConfig({ ...envFile(), ...process.env })
  if (config.contentUrl !== null) {
    const { assertOwnSite } = await import('./platform/content-host.ts')
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

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
        version: { type: 'boolean', default: false, short: 'v' },
        plan: { type: 'string' },
        name: { type: 'string' },
      },
    })
  } catch (err) {
    throw new WrongUsage(`${(err as Error).message.split('. ')[0]}.`)
  }
}

/** The message alone; the stack of an unexpected error too where LOG_LEVEL is `debug`. */
function lineOf(err: unknown): string {
  const { name, message, stack, code } = err as Error & { code?: unknown }
  const isExpected = ['Refusal', 'CommandFailed', 'ConfigError', 'ApiError'].includes(name)
  if (!isExpected && process.env.LOG_LEVEL === 'debug') return stack ?? message
  return name === 'ApiError' ? `${oneLine(message)} (${code})` : message
}
