import { commandLines } from '../../cli/help.ts'
import { ADMIN } from './admin.ts'

export const USAGE = `handbill: publish pages, decks, PDFs and images at links you control

Where the server runs:
  handbill serve                       serve; on an empty folder, print the set-up link
  handbill account add EMAIL           make an account  [--plan free|pro|team] [--name N]
  handbill account plan EMAIL PLAN     change its plan
  handbill account list                list accounts
  handbill key create EMAIL            make an API key and print it, once  [--name N]
  handbill key list EMAIL              list an account's keys
  handbill key revoke ID               end a key
  handbill migrate                     bring the database up to date

From anywhere, with an API key:
${commandLines()}

  PAGE is an id, a slug, an address, or the path that was published.

  --json      print the result as one JSON value
  --help      of a command: its options and an example
  --version

Where the server runs, its settings are environment variables (PORT, DATA_DIR,
BASE_URL, …) or a .env file in the working folder: see docs/configuration.md.
From anywhere, HANDBILL_URL and HANDBILL_API_KEY go before what handbill login
stored: see docs/cli.md.`

/** The message for an unknown command or subcommand. */
export function noCommand([first = '', second]: string[]): string {
  const seconds = Object.keys(ADMIN)
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1))
  if (seconds.length === 0) return `There is no command ${first}.`
  const found = second === undefined ? '' : `, not ${second}`
  return `handbill ${first} takes ${seconds.join(', ')}${found}.`
}
