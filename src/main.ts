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
      const of = Object.hasOwn(COMMANDS, argv[0] ?? '') ? `${argv[0]} ` : ''
      process.stderr.write(`handbill: ${oneLine(err.message)} See handbill ${of}--help.\n`)
      return 2
    }
    process.stderr.write(`handbill: ${lineOf(err)}\n`)
    return 1
  }
}

async function run(argv: string[]): Promise<void> {
  const words = argv.filter((word) => !word.startsWith('-'))
  const name = words[0] ?? ''
  // `restore FILE` is the server's, of a backup; `restore PAGE N` is of a version.
  const isOfServer = name === 'restore' && words.length === 2 && ADMIN.restore !== undefined
  if (Object.hasOwn(COMMANDS, name) && !isOfServer) return runClient(name, argv)
  return runServer(argv)
}

/** What is loaded only where it is used: none of the service is, for a client of it. */
async function runClient(name: string, argv: string[]): Promise<void> {
  const { runCommand } = await import('../cli/index.ts')
  const { env } = process
  // What publishes is one request, the last of all, so it may end at any time.
  process.once('SIGINT', () => process.exit(130))
  // Whoever reads may stop reading: `handbill list | head`.
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
  const { openRuntime: openHouse } = await import('./commands/runtime.ts')
  const house = await openHouse(await config())
  if (house.isNew) process.stderr.write(`handbill: ${newFolder(house.config.dataDir)}\n`)
  try {
    await admin(house, args, flags, output)
  } finally {
    await house.close()
  }
}

async function serve(output: Output): Promise<void> {
  const commands = await import('./commands/serve.ts')
  await commands.serve(await config(), output)
}

async function config() {
  const { readConfig } = await import('./platform/config.ts')
  return readConfig({ ...envFile(), ...process.env })
}

/**
 * Settings of the service in the folder it is called in. The client reads none: it may be called in
 * a folder that somebody else wrote, which must not say where its key goes.
 */
function envFile() {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (err) {
    // Some keep a folder of that name.
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

/** Expected failures say what to do; of others one line is shown, and the stack on demand. */
function lineOf(err: unknown): string {
  const { name, message, stack, code } = err as Error & { code?: unknown }
  const isExpected = ['Refusal', 'CommandFailed', 'ConfigError', 'ApiError'].includes(name)
  if (!isExpected && process.env.LOG_LEVEL === 'debug') return stack ?? message
  return name === 'ApiError' ? `${oneLine(message)} (${code})` : message
}
