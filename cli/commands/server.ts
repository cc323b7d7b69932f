import { SCOPES } from '../../src/model/account.ts'
import { PLANS } from '../../src/model/plan.ts'
import type { Declaration } from '../command.ts'

/** The commands that work on the data of a server. src/commands/admin.ts has what they do. */
export const ADMIN_COMMANDS = {
  'account add': {
    args: 'EMAIL',
    summary: 'make an account',
    flags: {
      plan: { choices: PLANS, help: 'its plan' },
      name: { value: 'N', help: 'its name' },
    },
  },
  'account plan': { args: 'EMAIL PLAN', summary: 'change its plan' },
  'account operator': {
    args: 'EMAIL',
    summary: 'make it an operator of the server',
    flags: { off: { help: 'no longer' } },
  },
  'account suspend': {
    args: 'EMAIL',
    summary: 'serve nothing of it any more',
    flags: { off: { help: 'serve all of it again' } },
  },
  'account forget': {
    args: 'EMAIL',
    summary: 'forget what is known of a person whom pages were sent to, or who opened them',
  },
  'account sign-in': {
    args: 'EMAIL',
    summary: 'print a link that signs in, once, for ten minutes',
  },
  'account list': { args: '', summary: 'list accounts' },
  'key create': {
    args: 'EMAIL',
    summary: 'make an API key and print it, once',
    flags: {
      name: { value: 'N', help: 'its name' },
      scopes: {
        value: 'S,…',
        help: `what it may do: ${SCOPES.join(', ')}`,
      },
      pages: { value: 'PAGE,…', help: 'the only pages it may use' },
      expires: { value: 'TIME', help: 'its end, such as 30d' },
      'confirmed-only': {
        help: 'of viewers it reads the feedback of those who confirmed an address, nothing else',
      },
    },
  },
  'key list': { args: 'EMAIL', summary: "list an account's keys" },
  'key revoke': { args: 'ID', summary: 'end a key' },
  migrate: { args: '', summary: 'bring the database up to date' },
  doctor: { args: '', summary: 'check all that is stored, and say how to mend it' },
  'backup create': {
    args: 'FILE',
    summary: 'write a consistent copy of everything, while the server runs',
  },
} as const satisfies Record<string, Declaration>

/** Those that do not: src/commands/apart.ts. */
export const APART_COMMANDS = {
  'backup list': { args: '', summary: 'list the backups that BACKUP_URL keeps' },
  'backup restore': {
    args: 'BACKUP',
    summary:
      'bring one back, into an empty folder and database: a FILE, a name of the list, latest, ' +
      'or an address in a bucket',
  },
  'mail test': { args: 'EMAIL', summary: 'send one mail, and say what the mail server answered' },
  healthcheck: { args: '', summary: 'exit with 0 if the server on this computer is ready' },
} as const satisfies Record<string, Declaration>

export const SERVER_COMMANDS = {
  serve: { args: '', summary: 'serve; on an empty folder, print the set-up link' },
  ...ADMIN_COMMANDS,
  ...APART_COMMANDS,
} as const satisfies Record<string, Declaration>

export type AdminName = keyof typeof ADMIN_COMMANDS
export type ApartName = keyof typeof APART_COMMANDS
export type ServerName = keyof typeof SERVER_COMMANDS
