import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db, Tx } from './index.ts'
import { raw } from './raw.ts'

const LEASE_MS = 30_000

/** By the clock of the database: those of the nodes may differ. */
const NOW_MS = {
  sqlite: `CAST(unixepoch('subsec') * 1000 AS integer)`,
  postgres: `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
}

/**
 * Work that one process at a time does, on all nodes that share a database.
 *
 * @param leaseMs how long it stays after its process died; for tests
 */
export function createLeases(database: Database, leaseMs = LEASE_MS) {
  const now = NOW_MS[database.engine]
  const take = raw<Holder>(`INSERT INTO leases (name, holder, ends_ms) VALUES ($1, $2, ${now} + $3)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_ms = excluded.ends_ms
    WHERE leases.ends_ms <= ${now} RETURNING holder`)
  const shorten = raw<Holder>(`UPDATE leases SET ends_ms = ${now} + $2
    WHERE name = $1 AND ends_ms > ${now} + $2 RETURNING holder`)
  const renew = raw<Holder>(`UPDATE leases SET ends_ms = ${now} + $3
    WHERE name = $1 AND holder = $2 RETURNING holder`)
  const drop = raw<Holder>('DELETE FROM leases WHERE name = $1 AND holder = $2 RETURNING holder')

  /** It must work on a full disk, where deleting needs a lease. */
  async function runs(statement: Statement, values: (string | number)[]): Promise<boolean> {
    const rows = await database.write((tx) => statement(tx, values), 'freeing')
    return rows.length > 0
  }

  return {
    /**
     * Runs `work` while no other process has the lease of this name. It ends with the work, or half
     * a minute after the process died. Where the clock was set back since, that is half a minute
     * after another process asks for it: it is unknown whether its process still renews it.
     *
     * @param work stops soon after `signal` aborts: the lease was lost then
     * @returns null where another process has it
     */
    async run<T>(name: string, work: (signal: AbortSignal) => Promise<T>) {
      const holder = randomUUID()
      if (!(await runs(take, [name, holder, leaseMs]))) {
        await runs(shorten, [name, leaseMs])
        return null
      }
      const losing = new AbortController()
      const lose = () => losing.abort(new Error(`The lease ${name} was lost`))
      let renewedAt = performance.now()
      async function keep(): Promise<void> {
        try {
          if (!(await runs(renew, [name, holder, leaseMs]))) return lose()
          renewedAt = performance.now()
        } catch {
          if (performance.now() - renewedAt >= leaseMs) lose()
        }
      }
      const timer = setInterval(keep, leaseMs / 4)
      try {
        return { result: await work(losing.signal) }
      } finally {
        clearInterval(timer)
        // If this fails, the lease expires by itself.
        await runs(drop, [name, holder]).catch(() => {})
      }
    },
  }
}
export type Leases = ReturnType<typeof createLeases>

interface Holder {
  holder: string
}
type Statement = (db: Db, values: (string | number)[]) => Promise<readonly Holder[]>

/** The locks of PostgreSQL that the program knows. Programs of all versions must agree on them. */
const LOCKS = { schema: 727846, first_account: 727847, links: 727848, decisions: 727849 } as const

/**
 * Waits for the lock and holds it until the transaction ends. SQLite runs one write transaction at
 * a time, so there it does nothing.
 */
export async function lockUntilCommit(
  tx: Tx,
  engine: Database['engine'],
  name: keyof typeof LOCKS,
): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCKS[name]})`.execute(tx)
}
