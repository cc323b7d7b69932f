import { randomBytes } from 'node:crypto'
import type { SQL } from 'bun'
import { sql } from 'kysely'
import type { Tx } from './index.ts'
import { closeNow } from './postgres-pools.ts'

const RETRY_MS = 1_000

interface Subscription {
  channel: string
  listener(payload: string): void
  /** Notifications may have been missed. */
  onLost(): void
}

/**
 * Passes notifications between nodes by LISTEN and NOTIFY. A node calls its own listeners before
 * `write` resolves; other nodes call theirs when PostgreSQL delivers. A message starts with the id
 * of its sender, so that no node handles its own message twice.
 *
 * @param connect opens the pool that listens; `onclose` is called when a connection is lost
 */
export function createNotifications(connect: (options: SQL.Options) => SQL) {
  const nodeId = randomBytes(6).toString('hex')
  const subscriptions: Subscription[] = []
  const sentIn = new WeakMap<Tx, { channel: string; payload: string }[]>()
  let pool: SQL | undefined
  let isConnected = false

  /** A pool of its own, so that `onclose` is about the connection that listens. */
  function open(): SQL {
    const onclose = () => void (connection === pool && onClose())
    const connection = connect({ idleTimeout: 0, onclose })
    return connection
  }
  function onClose(): void {
    isConnected = false
    reportLost()
  }
  function reportLost(): void {
    for (const { onLost } of subscriptions) onLost()
  }
  /** Until `reconnect`. Bun would try it again and again, and print that it failed. */
  function disconnect(): void {
    isConnected = false
    if (pool !== undefined) closeNow(pool)
    pool = undefined
  }
  /** Listens on another connection: this one may be dead without an error. */
  function reconnect(): void {
    if (subscriptions.length === 0) return
    disconnect()
    const connection = open()
    pool = connection
    Promise.all(subscriptions.map((subscription) => subscribe(connection, subscription))).then(
      () => connection === pool && reportLost(),
      () => setTimeout(() => connection === pool && reconnect(), RETRY_MS),
    )
  }
  async function subscribe(on: SQL, { channel, listener, onLost }: Subscription): Promise<void> {
    let isAgain = false
    function receive(message: string): void {
      if (!message.startsWith(`${nodeId} `)) listener(message.slice(message.indexOf(' ') + 1))
    }
    await on.listen(channel, receive, () => {
      isConnected = true
      if (isAgain) onLost()
      isAgain = true
    })
  }

  return {
    isConnected: () => isConnected,

    async notify(tx: Tx, channel: string, payload: string): Promise<void> {
      await sql`SELECT pg_notify(${channel}, ${`${nodeId} ${payload}`})`.execute(tx)
      sentIn.set(tx, [...(sentIn.get(tx) ?? []), { channel, payload }])
    },

    /** Calls this node's listeners. Call it once the transaction has committed. */
    deliverOwn(tx: Tx): void {
      for (const { channel, payload } of sentIn.get(tx) ?? []) {
        for (const each of subscriptions) if (each.channel === channel) each.listener(payload)
      }
    },

    async listen(channel: string, listener: (payload: string) => void, onLost: () => void) {
      const subscription = { channel, listener, onLost }
      subscriptions.push(subscription)
      pool ??= open()
      await subscribe(pool, subscription)
    },

    disconnect,
    reconnect,

    async close() {
      subscriptions.length = 0
      const closing = pool
      pool = undefined
      await closing?.close()
    },
  }
}
