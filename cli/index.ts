import { ApiError, type Client } from '../src/client/index.ts'
import { createCliClient } from './client.ts'
import type { Command, CommandContext, Parsed } from './command.ts'
import { namedCommands } from './commands/index.ts'
import { createCredentials, type Environment } from './credentials.ts'
import { createOutput, table, tabSeparated } from './output.ts'
import { isTerminal } from './terminal.ts'

/** Runs a command of the client. */
export async function runCommand(
  command: Command,
  { args, flags }: Parsed,
  env: Environment,
): Promise<void> {
  const asJson = flags.json === true
  const print = createOutput(asJson).result
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
