import type { ParseArgsConfig } from 'node:util'
import { ApiError, type Client } from '../src/client/index.ts'
import { parseArguments } from './arguments.ts'
import { createCliClient } from './client.ts'
import { assertArgs, assertChoice, type Command, type CommandContext, optionOf } from './command.ts'
import { COMMANDS, namedCommands } from './commands/index.ts'
import { createCredentials, type Environment } from './credentials.ts'
import { createOutput, table, tabSeparated } from './output.ts'
import { helpOf } from './reference.ts'
import { isTerminal } from './terminal.ts'

/** Runs a client command. `argv` is the command line without the command's name. */
export async function runCommand(name: string, argv: string[], env: Environment): Promise<void> {
  const command = COMMANDS[name]!
  const { flags, args } = await parse(command, argv)
  const asJson = flags.json === true
  const print = createOutput(asJson).result
  if (flags.help === true) {
    const help = await helpOf(name, command)
    return print({ help: help.join('\n') }, help)
  }
  assertArgs(command.args, args)
  for (const [flag, { choices }] of Object.entries(command.flags ?? {})) {
    assertChoice(`--${flag}`, flags[flag], choices)
  }
  const settings = command.hasSettings
    ? (await import('./settings.ts')).parseSettings(flags, { cwd: env.cwd, nowMs: Date.now() })
    : {}
  const credentials = createCredentials(env)
  const server = credentials.url()
  let client: Client | undefined
  const run = await command.load()
  const context: CommandContext = {
    args,
    flags,
    settings,
    asJson,
    commands: namedCommands(),
    env,
    credentials,
    server,
    client: () => (client ??= createCliClient(server, credentials.key(server))),
    print,
    printRows(value, rows, people) {
      const lines = () => (typeof people === 'string' ? table(rows, people) : people())
      print(value, isTerminal() ? lines() : tabSeparated(rows))
    },
  }
  await run(context).catch(withKeyHint)
}

/** Says where to change a rejected key: the server does not know where it came from. */
function withKeyHint(err: unknown): never {
  if (!(err instanceof ApiError) || err.code !== 'bad_key') throw err
  const hint = 'Store another by handbill login, or set it as HANDBILL_API_KEY.'
  throw err.reworded(`${err.message} ${hint}`)
}

async function parse(command: Command, argv: string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  for (const [name, flag] of Object.entries(command.flags ?? {})) options[name] = optionOf(flag)
  if (command.hasSettings) {
    const { settingFlags } = await import('./settings.ts')
    for (const { flag, type } of settingFlags()) {
      options[flag] = { type: type === 'boolean' ? type : 'string', multiple: type === 'list' }
    }
  }
  const { values, positionals } = parseArguments(argv, options)
  return { flags: values as CommandContext['flags'], args: positionals }
}
