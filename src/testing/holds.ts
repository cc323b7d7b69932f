import type { KyselyPlugin } from 'kysely'
import type { Database, Db, Durability } from '../platform/db/index.ts'
import type { Tables } from '../platform/db/tables.ts'

/** A read or write that a test holds back. */
export interface Hold {
  /** Resolves once the read or write has come to the point where it is held. */
  reached: Promise<void>
  release(): void
}

interface HoldPoint extends Hold {
  wait(): Promise<void>
}

interface HeldRead {
  table: string
  hold: HoldPoint
}

/** Wraps a database so that a test can hold one read or write while others go on. */
export function holdable(database: Database) {
  const reads: HeldRead[] = []
  const writes: { remaining: number; durability: Durability; hold: HoldPoint }[] = []
  const running = new Set<Promise<unknown>>()
  const holds: HoldPoint[] = []

  function newHold(): HoldPoint {
    const hold = createHold()
    holds.push(hold)
    return hold
  }
  async function waitForHold<T>(durability: Durability, act: () => Promise<T>): Promise<T> {
    const level = durability === 'freeing' ? 'full' : durability
    const matching = writes.filter((write) => write.durability === level)
    const due = matching.find((write) => --write.remaining === 0)
    if (due !== undefined) await due.hold.wait()
    return act()
  }
  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const remove = () => running.delete(work)
    work.then(remove, remove)
    return work
  }
  let isClosed = false
  /** The next test may use the same connections: what this one left behind must not. */
  function assertOpen(): void {
    if (isClosed) throw new Error('The database is closed')
  }
  const heldDatabase: Database = {
    ...database,
    read: withHeldReads(database.read, reads, assertOpen),
    async write(work, durability = 'full') {
      assertOpen()
      return track(waitForHold(durability, () => database.write(work, durability)))
    },
    close() {
      isClosed = true
      return database.close()
    },
  }
  return {
    database: heldDatabase,
    /** The next read of the table runs its query, but gets the rows only after `release`. */
    holdRead(table: keyof Tables): Hold {
      const hold = newHold()
      reads.push({ table, hold })
      return hold
    },
    /** The nth write of this durability from now begins only after `release`. */
    holdWrite(nth = 1, durability: Durability = 'full'): Hold {
      const hold = newHold()
      writes.push({ remaining: nth, durability, hold })
      return hold
    },
    /** Resolves once no write is running, including those that nothing awaits. */
    async quiet(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running)
    },
    /** Releases what a failed test still holds. */
    releaseAll(): void {
      for (const { release } of holds) release()
    },
  }
}

function createHold(): HoldPoint {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const wait = () => {
    reach()
    return released
  }
  return { reached, release, wait }
}

/** Waits before a read of a table hands out its rows, if the table is held. */
function withHeldReads(db: Db, heldReads: HeldRead[], assertOpen: () => void): Db {
  const tableOf = new WeakMap<object, string>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode') tableOf.set(queryId, tableIn(node))
      return node
    },
    async transformResult({ result, queryId }) {
      assertOpen()
      const at = heldReads.findIndex(({ table }) => table === tableOf.get(queryId))
      if (at >= 0) await heldReads.splice(at, 1)[0]!.hold.wait()
      return result
    },
  }
  const held = db.withPlugin(plugin)
  const execute = held.executeQuery.bind(held)
  // Statements of `raw` come here as text.
  held.executeQuery = (query) => {
    if ('queryId' in query && query.query.kind === 'RawNode') {
      tableOf.set(query.queryId, tableInText(query.sql))
    }
    return execute(query)
  }
  return held
}

/** `pages` of `SELECT …, (SELECT …) FROM pages`. */
function tableInText(statement: string): string {
  return /\bFROM (\w+)/.exec(statement.replace(/\([^()]*\)/g, ''))?.[1] ?? ''
}

/** `pages` of `select … from "pages"`. */
function tableIn(node: object): string {
  const { from } = node as { from?: { froms: { table?: { identifier: { name: string } } }[] } }
  const [first] = from?.froms ?? []
  return first?.table?.identifier.name ?? ''
}
