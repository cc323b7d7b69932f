import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { RequestContext } from '../../model/operation.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { PageDeps } from './records.ts'
import * as store from './store.ts'

const REMEMBERED_MS = 24 * 60 * 60 * 1000

/** Answers a retried create as the first was answered. Answers may hold passwords: sealed. */
export function createIdempotency({ database, clock, secrets }: PageDeps) {
  const horizon = () => clock.after(-REMEMBERED_MS)
  const about = (account: Account, key: string) => `${account.id} ${key}`

  async function remembered<T>(
    account: Account,
    { key, fingerprint }: Key,
  ): Promise<T | undefined> {
    const row = await store.findIdempotencyKey(database.read, account.id, key)
    if (row === undefined || row.created_at < horizon()) return undefined
    if (row.fingerprint !== fingerprint) {
      throw refuse.conflict(
        'idempotency_key_reused',
        'This Idempotency-Key came with another body before: use a new key for a new request.',
      )
    }
    return JSON.parse(secrets.open('idempotency', about(account, key), row.answer_sealed)) as T
  }

  return {
    /** Runs `create` unless its answer is remembered; of two at once, one runs. */
    async once<T>(account: Account, context: RequestContext, create: () => Promise<T>): Promise<T> {
      const { idempotency } = context
      if (idempotency === null) return create()
      const answer = await remembered<T>(account, idempotency)
      if (answer !== undefined) return answer
      try {
        return await create()
      } catch (err) {
        // Whatever stopped this one (its own title, for one): the other try may have made it.
        const other = await remembered<T>(account, idempotency)
        if (other !== undefined) return other
        throw err
      }
    },
    /** Within the transaction that creates: the answer is remembered if and only if it is true. */
    async remember(
      tx: Tx,
      account: Account,
      context: RequestContext,
      answer: unknown,
    ): Promise<void> {
      if (context.idempotency === null) return
      const { key, fingerprint } = context.idempotency
      await store.deleteIdempotencyKeys(tx, horizon())
      await store.insertIdempotencyKey(tx, {
        account_id: account.id,
        key,
        fingerprint,
        answer_sealed: secrets.seal('idempotency', about(account, key), JSON.stringify(answer)),
        created_at: clock.now(),
      })
    },
  }
}
type Key = NonNullable<RequestContext['idempotency']>
