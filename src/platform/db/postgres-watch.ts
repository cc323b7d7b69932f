import type { SQL } from 'bun'

const EVERY_MS = 500
/** A server that does not answer a ping for so long is down. */
const HUNG_MS = 5_000
/** The same for commands, which can wait, and which load the server as a restore does. */
const HUNG_COMMAND_MS = 15_000
/** After a stall this long, answers may be unread, so the next check decides. */
const LATE_MS = 250
/** Notifications arrive if one arrived this recently. Four pings were sent meanwhile. */
const RECENT_MS = 2_000

export interface WatchDeps {
  /** A pool with one connection for pings alone: those of the others may all be busy. */
  connect(): SQL
  close(pool: SQL): void
  /** The channel of this node that each ping notifies. */
  channel: string
  /** Whether a statement on another connection will get no answer any more. */
  isOverdue(nowMs: number): boolean
  onDown(err: unknown): void
  onUp(): void
  /** The server answers, but notifications do not arrive. */
  onSilence(): void
}

/**
 * Pings a server, to notice one that hangs, and a connection that listens but receives nothing any
 * more. Both look like silence, which no error reports.
 */
export function createWatch(deps: WatchDeps) {
  const { connect, close, channel, isOverdue, onDown, onUp, onSilence } = deps
  let pool = connect()
  let pingedAt: number | null = null
  let lookedAt = performance.now()
  let isDown = false
  let receivedAt = 0
  let silenceAt = 0
  let expectsNotifications = false
  let timer: Timer | undefined

  function fail(err: unknown): void {
    pingedAt = null
    close(pool)
    pool = connect()
    if (isDown) return
    isDown = true
    onDown(err)
  }

  async function ping(now: number): Promise<void> {
    pingedAt = now
    const asked = pool
    try {
      await asked.unsafe('SELECT set_config($1, $2, false), pg_notify($3, $4)', [
        ...['synchronous_commit', 'off', channel, ''],
      ])
    } catch (err) {
      // Of a ping that was given up, the failure is known already.
      if (asked === pool && timer !== undefined) fail(err)
      return
    }
    if (asked !== pool) return
    pingedAt = null
    if (!isDown) return
    isDown = false
    onUp()
  }

  function look(): void {
    const now = performance.now()
    const isLate = now - lookedAt > EVERY_MS + LATE_MS
    lookedAt = now
    if (isLate) return
    if (expectsNotifications && isOverdue(now))
      fail(new Error('PostgreSQL has not answered a statement, nor ended it'))
    if (pingedAt === null) {
      if (expectsNotifications && !isDown && !isListening() && now - silenceAt > RECENT_MS) {
        silenceAt = now
        onSilence()
      }
      ping(now)
    } else if (now - pingedAt > hungMs()) {
      fail(new Error(`PostgreSQL has not answered for ${hungMs() / 1000} s`))
    }
  }

  function hungMs(): number {
    return expectsNotifications ? HUNG_MS : HUNG_COMMAND_MS
  }

  /** By the wall clock: it goes on while the machine sleeps. */
  function isListening(): boolean {
    const ago = Date.now() - receivedAt
    return ago >= 0 && ago < RECENT_MS
  }

  return {
    start(): void {
      timer ??= setInterval(look, EVERY_MS)
    },
    /** From now on a notification of each ping must arrive, and no statement may be overdue. */
    expectNotifications(): void {
      receivedAt = Date.now()
      expectsNotifications = true
    },
    /** Call it when a ping's notification arrives. */
    received(): void {
      receivedAt = Date.now()
    },
    isListening,
    stop(): void {
      clearInterval(timer)
      timer = undefined
      close(pool)
    },
  }
}
