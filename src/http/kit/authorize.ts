import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Contract } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'

/**
 * Applies the audience of an operation to the account that calls it.
 *
 * @param findPage finds the page that the call names, if this account owns it
 * @returns the page of an `owner` operation; null for one without a page
 * @throws Refusal `operator_only`, or what `findPage` throws
 */
export async function authorize(
  { audience }: Contract,
  account: Account,
  findPage: () => Promise<Page>,
): Promise<Page | null> {
  if (audience === 'operator' && !account.is_operator) {
    throw refuse.forbidden('operator_only', 'Only the operator of this server may do this.')
  }
  return audience === 'owner' ? findPage() : null
}
