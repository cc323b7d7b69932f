import { implement, type Operation } from '../../model/operation.ts'
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startPasskey } from './contract.ts'
import type { Passkeys } from './passkeys.ts'

export function passkeyOperations(passkeys: Passkeys): Operation[] {
  return [
    implement(listPasskeys, async ({ account }) => ({ data: await passkeys.list(account.id) })),
    implement(startPasskey, async ({ account, sessionId }) => ({
      data: await passkeys.creationOptions(account, sessionId),
    })),
    implement(addPasskey, async ({ account, sessionId }, given) => ({
      data: await passkeys.add(account, sessionId, given),
    })),
    implement(renamePasskey, async ({ account }, { passkey_id: id, name }) => ({
      data: await passkeys.rename(account.id, id, name),
    })),
    implement(removePasskey, ({ account }, { passkey_id: id }) => passkeys.remove(account.id, id)),
  ]
}
