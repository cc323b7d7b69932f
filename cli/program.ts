import { homedir } from 'node:os'
import { assertArgs } from './command.ts'
import { commandName } from './commands/index.ts'
import { isOfServer } from './commands/server.ts'
import { explainFileError, reportError } from './errors.ts'
import { createOutput, writeLines } from './output.ts'

interface Program {
  env: Readonly<Record<string, string | undefined>>
  /** The server that this program was downloaded from. */
  ownUrl?: string | undefined
  /** What is no command of the client: commands of the server, and the help of all. */
  runServer(argv: string[]): Promise<void>
}

/** Runs a command line. @returns its exit status */
export async function runProgram(argv: string[], program: Program): Promise<number> {
  try {
    await run(argv, program)
    return 0
  } catch (err) {
    const word = argv.find((each) => !each.startsWith('-')) ?? ''
    return reportError(explainFileError(err), {
      asJson: argv.includes('--json'),
      command: commandName(word) ?? (isOfServer(word) ? word : ''),
      isDebugging: program.env.LOG_LEVEL === 'debug',
    })
  }
}

async function run(argv: string[], program: Program): Promise<void> {
  const words = argv.filter((word) => !word.startsWith('-'))
  const [word = '', second = ''] = words
  if (word === 'help') {
    return run([...argv.toSpliced(argv.indexOf(word), 1), '--help'], program)
  }
  if (word === 'man') {
    assertArgs('', words.slice(1))
    const { manualLines } = await import('./manual.ts')
    const manual = await manualLines()
    return createOutput(argv.includes('--json')).result({ manual: manual.join('\n') }, manual)
  }
  const name = commandName(word)
  // `account export` and `account import` are of a user, the others of the operator.
  const isOperators = name === 'account' && !['export', 'import'].includes(second)
  if (name === null || isOperators) return program.runServer(argv)
  return runClient(name, argv.toSpliced(argv.indexOf(word), 1), program)
}

/** Loads nothing of the service: the client does not need it. */
async function runClient(name: string, argv: string[], { env, ownUrl }: Program): Promise<void> {
  const { runCommand } = await import('./index.ts')
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
    ownUrl,
    key: env.HANDBILL_API_KEY,
    noColor: Boolean(env.NO_COLOR),
  })
}
