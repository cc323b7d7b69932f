import { ALIASES, COMMANDS } from '../../cli/commands/index.ts'
import { commandLines } from '../../cli/help.ts'
import { oneLine } from '../../cli/output.ts'
import { closestName } from '../model/suggest.ts'
import { SERVER_NAMES } from './names.ts'

export const USAGE = `handbill: publish pages, decks, PDFs and images at links you control

${commandLines()}

  PAGE is an id, a slug, an address, or the path that was published.

Where the server runs:
  handbill serve                       serve; on an empty folder, print the set-up link
  handbill account add EMAIL           make an account  [--plan free|pro|team] [--name N]
  handbill account plan EMAIL PLAN     change its plan
  handbill account operator EMAIL      make it an operator of the server; --off: no longer
  handbill account suspend EMAIL       serve nothing of it any more; --off: all of it again
  handbill account list                list accounts
  handbill key create EMAIL            make an API key and print it, once  [--name N]
  handbill key list EMAIL              list an account's keys
  handbill key revoke ID               end a key
  handbill mail test EMAIL             send one mail, and say what the mail server answered
  handbill healthcheck                 exit with 0 if the server on this computer is ready
  handbill migrate                     bring the database up to date
  handbill backup create FILE          write a consistent copy of everything, while the server runs
  handbill backup list                 list the backups that BACKUP_URL keeps
  handbill backup restore BACKUP       bring one back, into an empty folder and database: a FILE,
                                       a name of the list, latest, or an address in a bucket
  handbill doctor                      check all that is stored, and say how to mend it

For every command:
  --json                               print the result, or the error, as one JSON value
  --help                               its options and an example; also handbill help COMMAND
  --version                            print the version

Where the server runs, its settings are environment variables (PORT, DATA_DIR,
BASE_URL, …) or a .env file in the working folder: see docs/configuration.md.
Elsewhere, HANDBILL_URL and HANDBILL_API_KEY go before what handbill login
stored: see docs/cli.md.`

/** The message for an unknown command or subcommand. */
export function noCommand([first = '', second]: string[]): string {
  const seconds = [...SERVER_NAMES, 'account export', 'account import']
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1))
  if (seconds.length > 0) {
    const found = second === undefined ? '' : `, not ${oneLine(second)}`
    const meant = second === undefined ? null : closestName(second, seconds)
    const hint = meant === null ? '' : ` Did you mean ${first} ${meant}?`
    return `handbill ${first} takes ${seconds.join(', ')}${found}.${hint}`
  }
  const server = SERVER_NAMES.map((name) => name.split(' ')[0]!)
  const known = ['serve', 'help', ...Object.keys(COMMANDS), ...Object.keys(ALIASES), ...server]
  const meant = closestName(first, known)
  const hint = meant === null ? '' : ` Did you mean ${meant}?`
  return `There is no command ${oneLine(first)}.${hint}`
}

/** The options of the commands where the server runs. */
export const SERVER_OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
  version: { type: 'boolean', default: false, short: 'v' },
  plan: { type: 'string' },
  name: { type: 'string' },
  off: { type: 'boolean', default: false },
} as const
