import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { type Contract, takesSessionOnly } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'

/** Who calls an operation. */
export interface Caller {
  account: Account
  /** Null where an API key authenticates the call. */
  sessionId: string | null
}

/**
 * Applies the audience of an operation to its caller.
 *
 * @param findPage finds the page that the call names, if this account owns it
 * @returns the page of an `owner` operation; null for one without a page
 * @throws Refusal `session_only`, `guest_session`, `operator_only`, or what `findPage` throws
 */
export async function authorize(
  contract: Contract,
  { account, sessionId }: Caller,
  findPage: () => Promise<Page>,
): Promise<Page | null> {
  const { audience, takesGuests = false } = contract
  if (takesSessionOnly(contract) && sessionId === null) {
    const message = 'No API key may do this: sign in and do it in the app.'
    throw refuse.forbidden('session_only', message)
  }
  if (account.is_guest && !takesGuests) {
    const message = 'This account opens the pages that it is invited to, and has none itself.'
    throw refuse.forbidden('guest_session', message)
  }
  if (audience === 'operator' && !account.is_operator) {
    throw refuse.forbidden('operator_only', 'Only the operator of this server may do this.')
  }
  return audience === 'owner' ? findPage() : null
}
