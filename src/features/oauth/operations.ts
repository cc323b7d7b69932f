import { refuse } from '../../model/errors.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Accounts } from '../accounts/index.ts'
import { endConnection, listConnections } from './contract.ts'
import { metadataUrl } from './rules.ts'

type Deps = Pick<Accounts, 'appKeys' | 'revokeKey'>

export function oauthOperations({ appKeys, revokeKey }: Deps): Operation[] {
  return [
    implement(listConnections, async ({ account }) => ({
      data: (await appKeys(account.id)).map((key) => ({
        ...key,
        host: metadataUrl(key.client_id!)?.host ?? null,
      })),
    })),
    implement(endConnection, async ({ account }, { connection_id: id }) => {
      const own = await appKeys(account.id)
      if (own.some((key) => key.id === id)) return revokeKey(id, account.id)
      throw refuse.notFound('connection_not_found', 'No such app is connected to your account.')
    }),
  ]
}
