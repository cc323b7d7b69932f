import { refuse } from '../../model/errors.ts'
import type { Plan } from '../../model/plan.ts'
import { parseEmail } from '../../model/text.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { StoredAccount } from './account-row.ts'
import * as store from './store.ts'

export interface NewAccount {
  email: string
  name?: string | null
  plan: Plan
}

/**
 * Inserts an account, or makes a guest a full one.
 *
 * @throws Refusal `bad_email` or `account_exists`
 */
export async function insertAccount(
  tx: Tx,
  { email: typed, name, plan }: NewAccount,
  { isOperator, now }: { isOperator: boolean; now: Timestamp },
): Promise<StoredAccount> {
  const email = parseEmail(typed)
  if (email === null) {
    throw refuse.invalid('bad_email', `${typed} is not an email address.`, { param: 'email' })
  }
  const guest = await store.findAccountByEmail(tx, email)
  if (guest?.is_guest === true) {
    await store.setPlan(tx, guest.id, plan)
    if (name) await store.setName(tx, guest.id, name)
    return { ...guest, name: name || guest.name, plan, is_guest: false }
  }
  const account = {
    id: newId('acc'),
    email,
    name: name || null,
    plan,
    is_operator: isOperator,
    is_guest: false,
    suspended_at: null,
    stored_bytes: 0,
  }
  await store.insertAccount(tx, { ...account, created_at: now })
  return account
}
