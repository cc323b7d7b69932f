import { parseArgs } from 'node:util'
import { CommandFailed, createOutput, WrongUsage } from '../cli/output.ts'
import { runProgram } from '../cli/program.ts'
import packageJson from '../package.json' with { type: 'json' }
import { CLIENT_ONLY_USAGE, needsServer, noCommand } from './commands/usage.ts'

/** `build/client.ts` puts it here: the server that gives this program away. */
declare const OWN_URL: string | undefined

// The program of the client alone: one file that runs in Node.js.
const { env } = process
runProgram(process.argv.slice(2), { env, ownUrl: OWN_URL, runServer }).then((code) => {
  process.exitCode = code
})

/** What is no command of the client. */
async function runServer(argv: string[]): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    strict: false,
    options: { version: { type: 'boolean', short: 'v' } },
  })
  const output = createOutput(argv.includes('--json'))
  const [command = ''] = positionals
  const ofServer = needsServer(command)
  if (ofServer !== null) throw new CommandFailed(ofServer)
  if (flags.version) return output.result({ version: packageJson.version }, packageJson.version)
  if (command === '')
    return output.result({ usage: CLIENT_ONLY_USAGE }, CLIENT_ONLY_USAGE.split('\n'))
  throw new WrongUsage(noCommand(positionals))
}
