/** The commands that work on the data of a server, in admin.ts, with their arguments. */
const ADMIN = {
  'account add': ['EMAIL'],
  'account plan': ['EMAIL', 'PLAN'],
  'account operator': ['EMAIL'],
  'account suspend': ['EMAIL'],
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
export const ARGUMENTS = { ...ADMIN, ...APART }

export type AdminName = keyof typeof ADMIN
export type ApartName = keyof typeof APART
export type ServerName = AdminName | ApartName

export const SERVER_NAMES = Object.keys(ARGUMENTS) as readonly ServerName[]

export function isApart(name: ServerName): name is ApartName {
  return Object.hasOwn(APART, name)
}
