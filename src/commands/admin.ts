import { type Output, oneLine, table, WrongUsage } from '../../cli/output.ts'
import { FIRST_PLAN, PLANS, type Plan } from '../model/plan.ts'
import { displayEmail } from '../platform/display-email.ts'
import { createBackup, runDoctor } from './backup.ts'
import type { Runtime } from './runtime.ts'

export interface Flags {
  plan?: string | undefined
  name?: string | undefined
  off?: boolean | undefined
}
export type AdminCommand = (
  runtime: Runtime,
  args: string[],
  flags: Flags,
  output: Output,
) => Promise<void>

const ARGUMENTS: Record<string, string[]> = {
  'account add': ['EMAIL'],
  'account plan': ['EMAIL', 'PLAN'],
  'account operator': ['EMAIL'],
  'key create': ['EMAIL'],
  'key list': ['EMAIL'],
  'key revoke': ['ID'],
  'backup create': ['FILE'],
  'backup restore': ['BACKUP'],
  'mail test': ['EMAIL'],
}

/** Checks the words of a command before it opens or makes anything. @throws WrongUsage */
export function assertUsage(name: string, args: string[], { plan, off }: Flags): void {
  const names = ARGUMENTS[name] ?? []
  const missing = names[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length > names.length) {
    throw new WrongUsage(`${oneLine(args[names.length])} is one argument too many.`)
  }
  if (off === true && name !== 'account operator') {
    throw new WrongUsage('--off belongs to account operator.')
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

/** Warns of a new data folder: the command may have been meant for a server in another folder. */
export function newFolder(dataDir: string): string {
  return (
    `This made a new, empty data folder: ${dataDir}. For the data of a server that runs ` +
    'already, call it in the same folder, or set the same DATA_DIR.'
  )
}

/** The operator's commands: they work beside a running server, on the same data. */
export const ADMIN: Record<string, AdminCommand> = {
  async 'account add'({ app, config }, [email], { plan, name }, output) {
    const given = { email: email!, name: name ?? null }
    const first = await app.accounts.addFirst({ ...given, plan: planOf(plan) ?? FIRST_PLAN })
    const usual = planOf(plan) ?? config.defaultPlan
    const account = shown(first ?? (await app.accounts.add({ ...given, plan: usual })))
    const role = first === null ? '' : ', as the operator of this server'
    output.result(account, `Added ${account.email} on the ${account.plan} plan${role}.`)
  },
  async 'account plan'({ app }, [email, plan], _flags, output) {
    const account = shown(await app.accounts.setPlan(email!, planOf(plan)!))
    output.result(account, `${account.email} is on the ${account.plan} plan.`)
  },
  async 'account operator'({ app }, [email], { off = false }, output) {
    const account = shown(await app.accounts.setOperator(email!, !off))
    const state = off ? 'no longer operates' : 'operates'
    output.result(account, `${account.email} ${state} this server.`)
  },
  async 'account list'({ app }, _args, _flags, output) {
    const accounts = (await app.accounts.list()).map(shown)
    const rows = accounts.map((account) => ({
      email: account.email,
      plan: account.plan,
      role: account.is_operator ? 'operator' : account.is_guest ? 'guest' : '',
      name: account.name,
      created: account.created_at.slice(0, 10),
    }))
    output.result(accounts, table(rows, 'There are no accounts yet: handbill account add EMAIL'))
  },
  async 'key create'({ app }, [email], { name }, output) {
    const key = await app.accounts.createKey(email!, name ?? null)
    output.result(key, key.key)
  },
  async 'key list'({ app }, [email], _flags, output) {
    const keys = await app.accounts.listKeys(email!)
    const rows = keys.map(
      ({ id, hint, name, last_used_at: lastUsedAt, revoked_at: revokedAt }) => ({
        id,
        key: hint,
        name,
        'last used': lastUsedAt?.slice(0, 16) ?? 'never',
        state: revokedAt === null ? 'live' : `revoked ${revokedAt.slice(0, 10)}`,
      }),
    )
    output.result(keys, table(rows, 'There are no keys yet: handbill key create EMAIL'))
  },
  async 'key revoke'({ app }, [id], _flags, output) {
    await app.accounts.revokeKey(id!)
    output.result({ id, revoked: true }, `Revoked ${id}.`)
  },
  'backup create': (runtime, [file], _flags, output) => createBackup(runtime, file!, output),
  doctor: (runtime, _args, _flags, output) => runDoctor(runtime, output),
  async migrate({ migrated }, _args, _flags, output) {
    const text = migrated.length === 0 ? 'Nothing to migrate.' : `Ran ${migrated.join(', ')}.`
    output.result({ migrated }, text)
  },
}

function shown<T extends { email: string }>(account: T): T {
  return { ...account, email: displayEmail(account.email) }
}

function planOf(text: string | undefined): Plan | undefined {
  if (text === undefined || (PLANS as readonly string[]).includes(text)) return text as Plan
  throw new WrongUsage(`There is no plan ${text}: choose ${PLANS.join(', ')}.`)
}
