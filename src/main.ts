import { parseArgs } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { ADMIN } from './commands/admin.ts'
import { CommandFailed, createOutput, type Output, WrongUsage } from './commands/output.ts'
import { USAGE } from './commands/usage.ts'
import { Refusal } from './model/errors.ts'
import { ConfigError, readConfig } from './platform/config.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(argv: string[]): Promise<number> {
  try {
    await run(argv)
    return 0
  } catch (err) {
    if (err instanceof WrongUsage) {
      process.stderr.write(`handbill: ${err.message} See handbill --help.\n`)
      return 2
    }
    process.stderr.write(`handbill: ${lineOf(err)}\n`)
    return 1
  }
}

async function run(argv: string[]): Promise<void> {
  const { values: flags, positionals } = parse(argv)
  const output = createOutput(flags.json)
  if (flags.version) return output.result({ version: packageJson.version }, packageJson.version)
  if (flags.help || positionals.length === 0) return output.result({ usage: USAGE }, USAGE)
  const [command = ''] = positionals
  if (command === 'serve') return serve(output)
  const name = ADMIN[command] ? command : positionals.slice(0, 2).join(' ')
  const admin = ADMIN[name]
  if (admin === undefined) throw new WrongUsage(`There is no command ${name}.`)
  const args = positionals.slice(name.split(' ').length)
  const { openHouse } = await import('./commands/house.ts')
  const house = await openHouse(readConfig(process.env))
  try {
    await admin(house, args, flags, output)
  } finally {
    await house.close()
  }
}

async function serve(output: Output): Promise<void> {
  const commands = await import('./commands/serve.ts')
  await commands.serve(readConfig(process.env), output)
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
  const is_expected =
    err instanceof Refusal || err instanceof CommandFailed || err instanceof ConfigError
  if (is_expected || process.env.LOG_LEVEL !== 'debug') return (err as Error).message
  return (err as Error).stack ?? String(err)
}
