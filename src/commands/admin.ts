import { CommandFailed, type Output, table } from '../../cli/output.ts'
import { SIGN_IN } from '../features/sessions/index.ts'
import { FIRST_PLAN } from '../model/plan.ts'
import { displayEmail } from '../platform/display-email.ts'
import { createBackup, runDoctor } from './backup.ts'
import type { Runtime } from './runtime.ts'
import { type AdminName, type Flags, planOf } from './usage.ts'

/** How long a link of `account sign-in` works. */
const LINK_MS = 10 * 60_000

type AdminCommand = (
  runtime: Runtime,
  args: string[],
  flags: Flags,
  output: Output,
) => Promise<void>

/** The operator's commands: they work beside a running server, on the same data. */
export const ADMIN: Record<AdminName, AdminCommand> = {
  async 'account add'({ app, config }, [email], { plan, name }, output) {
    const input = { email: email!, name: name ?? null }
    const first = await app.accounts.addFirst({ ...input, plan: planOf(plan) ?? FIRST_PLAN })
    const usual = planOf(plan) ?? config.defaultPlan
    const account = shown(first ?? (await app.accounts.add({ ...input, plan: usual })))
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
  async 'account suspend'({ app }, [email], { off = false }, output) {
    const account = await app.accounts.getByEmail(email!)
    if (off) await app.accountSuspension.end(account, null)
    else await app.accountSuspension.suspend(account, null)
    const changed = shown(await app.accounts.getByEmail(email!))
    const state = off
      ? 'is not suspended: its pages open as before, and its keys work.'
      : 'is suspended: nothing of it is served, and its sessions and keys are refused.'
    output.result(changed, `${changed.email} ${state}`)
  },
  async 'account sign-in'({ app, config, platform }, [email], _flags, output) {
    const account = await app.accounts.getByEmail(email!)
    if (account.suspended_at !== null) {
      throw new CommandFailed(
        `${displayEmail(account.email)} is suspended, so it cannot sign in: end that first with ` +
          'handbill account suspend EMAIL --off.',
      )
    }
    const link = await platform.database.write(
      (tx) =>
        app.confirmations.start(tx, { purpose: SIGN_IN, email: account.email, ttlMs: LINK_MS }),
      'freeing',
    )
    const url = `${config.baseUrl}/app/confirm/${link.token}`
    const shownEmail = displayEmail(account.email)
    output.result({ email: shownEmail, url, expires_at: link.expires_at }, url)
    output.note(`It signs in to ${shownEmail}, once, within ten minutes. Give it to nobody else.`)
  },
  async 'account list'({ app }, _args, _flags, output) {
    const accounts = (await app.accounts.list()).map(shown)
    const rows = accounts.map((account) => ({
      email: account.email,
      plan: account.plan,
      role: account.is_operator ? 'operator' : account.is_guest ? 'guest' : '',
      suspended: account.suspended_at?.slice(0, 10) ?? null,
      name: account.name,
      created: account.created_at.slice(0, 10),
    }))
    output.result(accounts, table(rows, 'There are no accounts yet: handbill account add EMAIL'))
  },
  async 'key create'({ app }, [email], flags, output) {
    const limits = { confirmed_only: flags['confirmed-only'] ?? false }
    const key = await app.accounts.createKey(email!, flags.name ?? null, limits)
    output.result(key, key.key)
  },
  async 'key list'({ app }, [email], _flags, output) {
    const keys = await app.accounts.listKeys(email!)
    const rows = keys.map(({ id, hint, name, last_used_at, revoked_at, confirmed_only }) => ({
      id,
      key: hint,
      name,
      'last used': last_used_at?.slice(0, 16) ?? 'never',
      limit: confirmed_only ? 'confirmed only' : null,
      state: revoked_at === null ? 'live' : `revoked ${revoked_at.slice(0, 10)}`,
    }))
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
