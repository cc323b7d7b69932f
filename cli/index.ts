import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ApiError, type Client } from '../src/client/index.ts'
import type { Call, Command } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { connect } from './connect.ts'
import type { Environment } from './environment.ts'
import { helpOf } from './help.ts'
import { createLogins } from './logins.ts'
import { createOutput, WrongUsage } from './output.ts'

/** Runs a command of the client; `argv` is the line without its name. */
export async function runCommand(name: string, argv: string[], env: Environment): Promise<void> {
  const command = COMMANDS[name]!
  const { flags, args } = await parse(command, argv)
  const asJson = flags.json === true
  const print = createOutput(asJson).result
  if (flags.help === true) {
    const help = await helpOf(name, command)
    return print({ help }, help)
  }
  const settings = command.hasSettings ? await settingsOf(flags) : {}
  const logins = createLogins(env)
  const server = logins.url()
  let client: Client | undefined
  function connected(): Client {
    client ??= connect(server, logins.key(server))
    return client
  }
  const { run } = await command.load()
  const call = { args, flags, settings, asJson, env, logins, server, client: connected, print }
  await run(call).catch(withKeyHint)
}

/** The server cannot know where the key came from. */
function withKeyHint(err: unknown): never {
  if (!(err instanceof ApiError) || err.code !== 'bad_key') throw err
  const { message, status, code } = err
  const hint = 'Store another by handbill login, or set it as HANDBILL_API_KEY.'
  throw new ApiError(`${message} ${hint}`, { status, code }, err)
}

async function settingsOf(flags: Call['flags']) {
  const { settingsIn } = await import('./settings.ts')
  return settingsIn(flags, Date.now())
}

async function parse(command: Command, argv: string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  for (const [flag, { type, multiple = false }] of Object.entries(command.flags ?? {})) {
    options[flag] = { type, multiple }
  }
  if (command.hasSettings) {
    const { settingFlags } = await import('./settings.ts')
    for (const { flag, type } of settingFlags()) {
      options[flag] = {
        type: type === 'boolean' ? 'boolean' : 'string',
        multiple: type === 'list',
      }
    }
  }
  try {
    const config = { args: argv, options, allowPositionals: true, allowNegative: true } as const
    const { values, positionals } = parseArgs(config)
    return { flags: values as Call['flags'], args: positionals }
  } catch (err) {
    throw new WrongUsage(`${(err as Error).message.split('. ')[0]!.replace(/\.$/, '')}.`)
  }
}
