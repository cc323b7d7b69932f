import { commandLines } from '../../cli/help.ts'

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

Settings of the server are environment variables (PORT, DATA_DIR, BASE_URL, DATABASE_URL, …) or a
.env file in the working folder: see docs/configuration.md. From anywhere else, HANDBILL_URL and
HANDBILL_API_KEY go before what handbill login stored: see docs/cli.md.`
