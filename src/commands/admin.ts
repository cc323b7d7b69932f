import type { AdminName } from '../../cli/commands/server.ts'
import { CommandFailed, type Output, table } from '../../cli/output.ts'
import { createKey } from '../features/accounts/contract.ts'
import { SIGN_IN } from '../features/sessions/index.ts'
import { type ApiKey, limitsInWords } from '../model/account.ts'
import { parseInput } from '../model/input.ts'
import { count } from '../model/numbers.ts'
import { FIRST_PLAN, type Plan } from '../model/plan.ts'
import { parseEmail } from '../model/text.ts'
import { displayEmail } from '../platform/display-email.ts'
import { createBackup, runDoctor } from './backup.ts'
import type { Runtime } from './runtime.ts'

/** How long a link of `account sign-in` works. */
const LINK_MS = 10 * 60_000

type Options<Name extends string, Value> = { [N in Name]?: Value | undefined }

export type AdminFlags = Options<'off' | 'confirmed-only', boolean> &
  Options<'plan', Plan> &
  Options<'name' | 'scopes' | 'pages' | 'expires', string>

type AdminCommand = (
  runtime: Runtime,
  args: string[],
  flags: AdminFlags,
  output: Output,
) => Promise<void>

/** The operator's commands: they work beside a running server, on the same data. */
export const ADMIN: Record<AdminName, AdminCommand> = {
  async 'account add'({ app, config }, [email], { plan, name }, output) {
    const input = { email: email!, name: name ?? null }
    const first = await app.accounts.addFirst({ ...input, plan: plan ?? FIRST_PLAN })
    const usual = plan ?? config.defaultPlan
    const account = present(first ?? (await app.accounts.add({ ...input, plan: usual })))
    const role = first === null ? '' : ', as the operator of this server'
    output.result(account, `Added ${account.email} on the ${account.plan} plan${role}.`)
  },
  async 'account plan'({ app }, [email, plan], _flags, output) {
    const account = present(await app.accounts.setPlan(email!, plan as Plan))
    output.result(account, `${account.email} is on the ${account.plan} plan.`)
  },
  async 'account operator'({ app }, [email], { off = false }, output) {
    const account = present(await app.accounts.setOperator(email!, !off))
    const state = off ? 'no longer operates' : 'operates'
    output.result(account, `${account.email} ${state} this server.`)
  },
  async 'account suspend'({ app }, [email], { off = false }, output) {
    const account = await app.accounts.getByEmail(email!)
    if (off) await app.accountSuspension.end(account, null)
    else await app.accountSuspension.suspend(account, null)
    const updated = present(await app.accounts.getByEmail(email!))
    const state = off
      ? 'is not suspended: its pages open as before, and its keys work.'
      : 'is suspended: nothing of it is served, and its sessions and keys are refused.'
    output.result(updated, `${updated.email} ${state}`)
  },
  async 'account forget'({ app }, [address], _flags, output) {
    const email = parseEmail(address!)!
    const result = await app.privacy.forget(email, null)
    const { links, viewers, access_requests: requests } = result
    const account = await app.accounts.findByEmail(email)
    output.result(
      result,
      `Deleted ${count(links, 'link')} for ${result.email}, its views on ` +
        `${count(viewers, 'page')} and ${count(requests, 'request')} for access.`,
    )
    output.note(
      'What it signed and wrote stays: approvals, agreements, comments, responses and votes. ' +
        'So do exports and backups that were made before.',
    )
    if (account !== null) {
      output.note('It has an account here, which stays: its owner deletes it in the app.')
    }
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
    const address = displayEmail(account.email)
    output.result({ email: address, url, expires_at: link.expires_at }, url)
    output.note(`It signs in to ${address}, once, within ten minutes. Give it to nobody else.`)
  },
  async 'account list'({ app }, _args, _flags, output) {
    const accounts = (await app.accounts.list()).map(present)
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
    const { name, page_ids, ...limits } = parseInput(createKey.input, {
      name: flags.name,
      scopes: flags.scopes?.split(','),
      page_ids: flags.pages?.split(','),
      expires_at: flags.expires,
      confirmed_only: flags['confirmed-only'],
    })
    const account = await app.accounts.getByEmail(email!)
    const pages = await app.feedback.pageIdsNamed(account, page_ids, null)
    const key = await app.accounts.createKey(email!, name, { ...limits, page_ids: pages })
    output.result(key, key.key)
  },
  async 'key list'({ app, platform }, [email], _flags, output) {
    const keys = await app.accounts.listKeys(email!)
    const now = platform.clock.now()
    const rows = keys.map((key) => ({
      id: key.id,
      key: key.hint,
      name: key.name,
      'last used': key.last_used_at?.slice(0, 16) ?? 'never',
      limit: limitsInWords(key).join(', '),
      state: stateOf(key, now),
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

function stateOf({ revoked_at, expires_at }: ApiKey, now: string): string {
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 10)}`
  if (expires_at === null) return 'live'
  return `${expires_at <= now ? 'ended' : 'until'} ${expires_at.slice(0, 16)}`
}

function present<T extends { email: string }>(account: T): T {
  return { ...account, email: displayEmail(account.email) }
}
