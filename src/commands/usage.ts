import { ALIASES, COMMANDS } from '../../cli/commands/index.ts'
import { oneLine, WrongUsage } from '../../cli/output.ts'
import { commandLines } from '../../cli/reference.ts'
import { closestName } from '../model/input.ts'
import { PLANS, type Plan } from '../model/plan.ts'

export const USAGE = `handbill: publish pages, decks, PDFs and images at links you control

${commandLines()}

  PAGE is an id, a slug, an address, or the path that was published.

Where the server runs:
  handbill serve                       serve; on an empty folder, print the set-up link
  handbill account add EMAIL           make an account  [--plan free|pro|team] [--name N]
  handbill account plan EMAIL PLAN     change its plan
  handbill account operator EMAIL      make it an operator of the server; --off: no longer
  handbill account suspend EMAIL       serve nothing of it any more; --off: all of it again
  handbill account sign-in EMAIL       print a link that signs in, once, for ten minutes
  handbill account list                list accounts
  handbill key create EMAIL            make an API key and print it, once  [--name N]
                                       [--scopes pages:read,pages:write,feedback:read]
                                       [--pages PAGE,…] [--expires 30d]
                                       --confirmed-only: of viewers it reads the feedback of
                                       those who confirmed an address, and nothing else
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
  const names = ['serve', 'help', ...Object.keys(COMMANDS), ...Object.keys(ALIASES), ...server]
  const meant = closestName(first, names)
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
  scopes: { type: 'string' },
  pages: { type: 'string' },
  expires: { type: 'string' },
  'confirmed-only': { type: 'boolean', default: false },
} as const

/** The commands that work on the data of a server, in admin.ts, with their arguments. */
const ADMIN = {
  'account add': ['EMAIL'],
  'account plan': ['EMAIL', 'PLAN'],
  'account operator': ['EMAIL'],
  'account suspend': ['EMAIL'],
  'account sign-in': ['EMAIL'],
  'account list': [],
  'key create': ['EMAIL'],
  'key list': ['EMAIL'],
  'key revoke': ['ID'],
  'backup create': ['FILE'],
  doctor: [],
  migrate: [],
} as const satisfies Record<string, readonly string[]>

/** Commands that do not, in apart.ts. */
const APART = {
  healthcheck: [],
  'mail test': ['EMAIL'],
  'backup list': [],
  'backup restore': ['BACKUP'],
} as const satisfies Record<string, readonly string[]>

/** The arguments of each command of the operator, except `serve`. */
const ARGUMENTS = { ...ADMIN, ...APART }

export type AdminName = keyof typeof ADMIN
export type ApartName = keyof typeof APART
type ServerName = AdminName | ApartName

export const SERVER_NAMES = Object.keys(ARGUMENTS) as readonly ServerName[]

export function isApart(name: ServerName): name is ApartName {
  return Object.hasOwn(APART, name)
}

export interface Flags {
  plan?: string | undefined
  name?: string | undefined
  off?: boolean | undefined
  scopes?: string | undefined
  pages?: string | undefined
  expires?: string | undefined
  'confirmed-only'?: boolean | undefined
}

const KEY_LIMITS = ['scopes', 'pages', 'expires', 'confirmed-only'] as const

/** Checks the arguments of a command before it opens or creates anything. @throws WrongUsage */
export function assertUsage(name: ServerName, args: string[], flags: Flags): void {
  const { plan, off } = flags
  const names: readonly string[] = ARGUMENTS[name]
  const missing = names[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length > names.length) {
    throw new WrongUsage(`${oneLine(args[names.length])} is one argument too many.`)
  }
  if (off === true && name !== 'account operator' && name !== 'account suspend') {
    throw new WrongUsage('--off belongs to account operator and account suspend.')
  }
  const limit = KEY_LIMITS.find((flag) => flags[flag])
  if (limit !== undefined && name !== 'key create') {
    throw new WrongUsage(`--${limit} belongs to key create.`)
  }
  planOf(name === 'account plan' ? args[1] : plan)
}

/** Commands that may make the data folder. The others find nothing to work on without one. */
const MAKE_FOLDER = ['account add', 'migrate']

export function makesFolder(name: string): boolean {
  return MAKE_FOLDER.includes(name)
}

export function noFolder(dataDir: string): string {
  return (
    `There are no data in ${dataDir}. Call it in the folder of the server, or set the same ` +
    'DATA_DIR; a new server begins with handbill serve or handbill account add EMAIL.'
  )
}

/** Warns about a new data folder: the command may have been meant for another folder. */
export function newFolder(dataDir: string): string {
  return (
    `This made a new, empty data folder: ${dataDir}. For the data of a server that runs ` +
    'already, call it in the same folder, or set the same DATA_DIR.'
  )
}

/** @throws WrongUsage */
export function planOf(text: string | undefined): Plan | undefined {
  if (text === undefined || (PLANS as readonly string[]).includes(text)) return text as Plan
  throw new WrongUsage(`There is no plan ${text}: choose ${PLANS.join(', ')}.`)
}
