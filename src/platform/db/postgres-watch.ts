import type { SQL } from 'bun'
import { closeNow, type PendingStatements } from './postgres-pools.ts'

const LOOK_MS = 500
/** A look this much later than planned: answers may be unread, so the next look decides. */
const LATE_MS = 250
/** A statement that waits so long, in a command or a server of ours, is reason to probe. */
const SLOW_MS = { server: 1_000, command: 10_000 }
/** A server that does not answer a probe for so long is down. */
const HUNG_MS = 4_000
/** On after a failover for connections to the former primary, whose rows may be out of date. */
const READ_ONLY = `SELECT current_setting('transaction_read_only') AS read_only`
/** A server of ours needs the tables as well, which are missing while PostgreSQL is restored. */
const PROBE = { server: `${READ_ONLY} FROM migrations LIMIT 1`, command: READ_ONLY }

interface WatchDeps {
  /** A pool with one connection for probes alone: those of the others may all be busy. */
  connect(): SQL
  pending: Pick<PendingStatements, 'sinceMs' | 'isOverdue'>
  onDown(err: unknown): void
  onUp(): void
}

/**
 * Notices a server that hangs, which looks like silence and which no error reports: it probes the
 * server where a statement waits for long or its connection failed. A node that serves pages reads
 * changes each second, so some statement always waits there. While the server is down, it is probed
 * until it answers.
 */
export function createWatch(deps: WatchDeps) {
  const { connect, pending, onDown, onUp } = deps
  let pool: SQL | undefined
  let probedAt: number | null = null
  let lookedAt = performance.now()
  let isDown = false
  let isSuspected = false
  let user: keyof typeof PROBE = 'command'
  let timer: Timer | undefined = setInterval(look, LOOK_MS)

  function fail(err: unknown): void {
    drop()
    if (isDown) return
    isDown = true
    onDown(err)
  }

  function drop(): void {
    probedAt = null
    if (pool !== undefined) closeNow(pool)
    pool = undefined
  }

  async function probe(now: number): Promise<void> {
    probedAt = now
    pool ??= connect()
    const used = pool
    try {
      const [{ read_only }] = await used.unsafe(PROBE[user])
      if (read_only === 'on') throw new Error('PostgreSQL takes no writes: it is read-only')
    } catch (err) {
      // Of a probe that was given up, the failure is known already.
      if (used === pool && timer !== undefined) fail(err)
      return
    }
    if (used !== pool) return
    probedAt = null
    isSuspected = false
    if (!isDown) return
    isDown = false
    onUp()
  }

  function look(): void {
    const now = performance.now()
    const isLate = now - lookedAt > LOOK_MS + LATE_MS
    lookedAt = now
    if (isLate) return
    if (pending.isOverdue(now))
      fail(new Error('PostgreSQL has not answered a statement, nor ended it'))
    if (probedAt === null) {
      const isSlow = now - (pending.sinceMs() ?? now) > SLOW_MS[user]
      if (isDown || isSuspected || isSlow) probe(now)
    } else if (now - probedAt > HUNG_MS) {
      fail(new Error(`PostgreSQL has not answered for ${HUNG_MS / 1000} s`))
    }
  }

  return {
    /** The connection of a statement failed. */
    suspect(): void {
      isSuspected = true
    },
    /** From now on somebody waits for each answer. A command can wait, and loads the server. */
    expectQuickAnswers(): void {
      user = 'server'
    },
    isDown: () => isDown,
    stop(): void {
      clearInterval(timer)
      timer = undefined
      drop()
    },
  }
}
