import type { Account } from '../../model/account.ts'
import { idempotencyKeyReused } from '../../model/errors.ts'
import type { RequestContext, Subjects } from '../../model/operation.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import * as store from './store.ts'

const STORED_MS = 24 * 60 * 60 * 1000

type Key = NonNullable<RequestContext['idempotency']>
type CreateRequest = Subjects['account']

/** Answers a retried create as the first one was answered, for 24 hours. */
export interface Idempotency {
  /** Runs `create` unless its answer is stored. Of two concurrent calls, only one creates. */
  once<T>(request: CreateRequest, create: () => Promise<T>): Promise<T>
  /** Stores the answer of a request with a key, in the transaction of its effect. */
  storeAnswer(tx: Tx, request: CreateRequest, answer: unknown): Promise<void>
}

export interface IdempotencyDeps {
  database: Database
  clock: Clock
  secrets: Secrets
}

export function createIdempotency({ database, clock, secrets }: IdempotencyDeps): Idempotency {
  const oldest = () => clock.after(-STORED_MS)

  async function storedAnswer<T>({ id }: Account, { key, fingerprint }: Key) {
    const row = await store.findIdempotencyKey(database.read, id, key)
    if (row === undefined || row.created_at < oldest()) return undefined
    if (row.fingerprint !== fingerprint) throw idempotencyKeyReused()
    return JSON.parse(secrets.open('idempotency', `${id} ${key}`, row.answer_sealed)) as T
  }

  return {
    async once<T>({ account, context }: CreateRequest, create: () => Promise<T>): Promise<T> {
      const { idempotency } = context
      if (idempotency === null) return create()
      const answer = await storedAnswer<T>(account, idempotency)
      if (answer !== undefined) return answer
      try {
        return await create()
      } catch (err) {
        // The same request may have created the page meanwhile: its title is then taken.
        const other = await storedAnswer<T>(account, idempotency)
        if (other !== undefined) return other
        throw err
      }
    },
    async storeAnswer(tx, { account, context }, answer) {
      if (context.idempotency === null) return
      const { key, fingerprint } = context.idempotency
      // Sealed: the answer may hold the page's password.
      const sealed = secrets.seal('idempotency', `${account.id} ${key}`, JSON.stringify(answer))
      const created = { answer_sealed: sealed, created_at: clock.now() }
      await store.deleteIdempotencyKeys(tx, oldest())
      await store.insertIdempotencyKey(tx, { account_id: account.id, key, fingerprint, ...created })
    },
  }
}
