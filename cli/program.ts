import { homedir } from 'node:os'
import packageJson from '../package.json' with { type: 'json' }
import { findWords, parseCommand } from './arguments.ts'
import { assertArgs, assertUsage, type Command, firstWord, type Parsed } from './command.ts'
import { ALL_COMMANDS, COMMANDS, commandName } from './commands/index.ts'
import { SERVER_COMMANDS, type ServerName } from './commands/server.ts'
import { explainFileError, reportError } from './errors.ts'
import { CommandFailed, createOutput, type Output, WrongUsage, writeLines } from './output.ts'
import { helpOf } from './reference.ts'
import { needsServer, noCommand, usageOf } from './usage.ts'

interface Program {
  env: Readonly<Record<string, string | undefined>>
  /** The server that this program was downloaded from. */
  ownUrl?: string | undefined
  /** Runs a command of the server. The client alone has none. */
  runServer?: (name: ServerName, parsed: Parsed, output: Output) => Promise<void>
}

/** Runs a command line. @returns its exit status */
export async function runProgram(argv: string[], program: Program): Promise<number> {
  try {
    await run(argv, program)
    return 0
  } catch (err) {
    const word = argv.find((each) => !each.startsWith('-')) ?? ''
    const isFirst = Object.keys(ALL_COMMANDS).some((name) => firstWord(name) === word)
    return reportError(explainFileError(err), {
      asJson: argv.includes('--json'),
      command: commandName([word]) ?? (isFirst ? word : ''),
      isDebugging: program.env.LOG_LEVEL === 'debug',
    })
  }
}

async function run(argv: string[], program: Program): Promise<void> {
  const { tokens, asksForHelp } = findWords(argv)
  const words = tokens.map(({ value }) => value)
  const [word] = words
  if (word === 'help') {
    return run([...argv.toSpliced(tokens[0]!.index, 1), '--help'], program)
  }
  if (word === 'man') {
    assertArgs('', words.slice(1))
    const { manualLines } = await import('./manual.ts')
    const manual = await manualLines()
    return createOutput(argv.includes('--json')).result({ manual: manual.join('\n') }, manual)
  }
  const name = commandName(words)
  const client = name === null ? undefined : COMMANDS[name]
  const isServers = Object.keys(SERVER_COMMANDS).some((each) => firstWord(each) === word)
  if (program.runServer === undefined && client === undefined && isServers && !asksForHelp) {
    throw new CommandFailed(needsServer(word!))
  }
  if (name === null && word !== undefined && !asksForHelp) throw new WrongUsage(noCommand(words))
  const command = name === null ? null : ALL_COMMANDS[name]!
  const used = tokens.slice(0, name?.split(' ').length).map(({ index }) => index)
  const parsed = await parseCommand(
    command,
    argv.filter((_, at) => !used.includes(at)),
  )
  const { json, version, help } = parsed.flags
  const output = createOutput(json === true)
  if (client) endWithReader()
  if (version === true) return output.result({ version: packageJson.version }, packageJson.version)
  if (name === null || command === null) {
    const usage = usageOf(words, program.runServer === undefined)
    return output.result({ usage }, usage.split('\n'))
  }
  if (help === true) {
    const lines = await helpOf(name, command)
    return output.result({ help: lines.join('\n') }, lines)
  }
  assertUsage(command, parsed)
  if (client) return runClient(client, parsed, program)
  await program.runServer?.(name as ServerName, parsed, output)
}

/** The reader of the output may close it early: `handbill list | head`. */
function endWithReader(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    writeLines('stderr', `handbill: Cannot write what was asked for: ${message}`)
    process.exit(1)
  })
}

/** Loads nothing of the service: the client does not need it. */
async function runClient(command: Command, parsed: Parsed, program: Program): Promise<void> {
  const { env, ownUrl } = program
  const { runCommand } = await import('./index.ts')
  // Interrupting is safe at any time: publishing is one request, sent last.
  process.once('SIGINT', () => process.exit(130))
  await runCommand(command, parsed, {
    cwd: process.cwd(),
    home: homedir(),
    configHome: env.XDG_CONFIG_HOME,
    url: env.HANDBILL_URL,
    ownUrl,
    key: env.HANDBILL_API_KEY,
    noColor: Boolean(env.NO_COLOR),
  })
}
