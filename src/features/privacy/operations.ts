import { implement, type Operation } from '../../model/operation.ts'
import { forgetPerson } from './contract.ts'
import type { Privacy } from './privacy.ts'

export function privacyOperations(privacy: Privacy): Operation[] {
  return [
    implement(forgetPerson, async ({ account }, { email }) => ({
      data: await privacy.forget(email, account.id),
    })),
  ]
}
