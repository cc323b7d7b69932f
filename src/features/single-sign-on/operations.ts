import { refuse } from '../../model/errors.ts'
import { implement, type Operation } from '../../model/operation.ts'
import { listIdentities, unlinkIdentity } from './contract.ts'
import type { Identities } from './identities.ts'

export function singleSignOnOperations(identities: Identities): Operation[] {
  return [
    implement(listIdentities, async ({ account }) => ({
      data: await identities.list(account.id),
    })),
    implement(unlinkIdentity, async ({ account }, { identity_id: id }) => {
      if (await identities.unlink(account.id, id)) return
      throw refuse.notFound('identity_not_found', 'There is no such identity: it was unlinked.')
    }),
  ]
}
