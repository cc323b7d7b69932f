import { randomBytes } from 'node:crypto'
import type { SQL } from 'bun'
import { sql } from 'kysely'
import type { Tx } from './index.ts'

interface Notification {
  channel: string
  payload: string
}

/**
 * Passes notifications between nodes by LISTEN and NOTIFY. A node calls its own listeners before
 * `write` resolves; other nodes call theirs when PostgreSQL delivers. A message starts with the id
 * of its sender, so that no node handles its own message twice.
 *
 * @param connect opens the pool that listens; `onclose` is called when a connection is lost
 */
export function createNotifications(connect: (options: { onclose: () => void }) => SQL) {
  const nodeId = randomBytes(6).toString('hex')
  const listeners = new Map<string, ((payload: string) => void)[]>()
  const lostHandlers: (() => void)[] = []
  const sentIn = new WeakMap<Tx, Notification[]>()
  let pool: SQL | undefined
  let isClosed = false

  function reportLost(): void {
    if (!isClosed) for (const onLost of lostHandlers) onLost()
  }

  return {
    async notify(tx: Tx, channel: string, payload: string): Promise<void> {
      await sql`SELECT pg_notify(${channel}, ${`${nodeId} ${payload}`})`.execute(tx)
      sentIn.set(tx, [...(sentIn.get(tx) ?? []), { channel, payload }])
    },

    /** Calls this node's listeners. Call it once the transaction has committed. */
    deliverOwn(tx: Tx): void {
      for (const { channel, payload } of sentIn.get(tx) ?? []) {
        for (const listener of listeners.get(channel) ?? []) listener(payload)
      }
    },

    async listen(channel: string, listener: (payload: string) => void, onLost: () => void) {
      // A pool of its own, so that `onclose` is about the connection that listens.
      pool ??= connect({ onclose: reportLost })
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      const receive = (message: string) => {
        const [sender, payload] = splitOnce(message)
        if (sender !== nodeId) listener(payload)
      }
      let isReconnected = false
      await pool.listen(channel, receive, () => {
        if (isReconnected) onLost()
        isReconnected = true
      })
      lostHandlers.push(onLost)
    },

    async close() {
      isClosed = true
      await pool?.close()
    },
  }
}

function splitOnce(message: string): [string, string] {
  const at = message.indexOf(' ')
  return [message.slice(0, at), message.slice(at + 1)]
}
