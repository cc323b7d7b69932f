import type { KyselyPlugin } from 'kysely'
import type { Database, Db, Durability } from '../platform/db/index.ts'
import type { Tables } from '../platform/db/tables.ts'

/** A read or write that a test has stopped. */
export interface Hold {
  /** Resolves once it has come as far as it may. */
  reached: Promise<void>
  release(): void
}

interface Stop extends Hold {
  wait(): Promise<void>
}

/** The same database, where a test can stop one read or write and let others overtake it. */
export function holdable(database: Database) {
  const reads: { table: string; stop: Stop }[] = []
  const writes: { left: number; durability: Durability; stop: Stop }[] = []
  const underWay = new Set<Promise<unknown>>()

  const stops: Stop[] = []

  function createStop(): Stop {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const wait = () => {
      reach()
      return released
    }
    const stop = { reached, release, wait }
    stops.push(stop)
    return stop
  }
  async function held<T>(durability: Durability, act: () => Promise<T>): Promise<T> {
    const alike = writes.filter((write) => write.durability === durability)
    const due = alike.find((write) => --write.left === 0)
    if (due !== undefined) await due.stop.wait()
    return act()
  }
  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const ended = () => underWay.delete(work)
    work.then(ended, ended)
    return work
  }
  function readsOf(db: Db): Db {
    const tableOf = new WeakMap<object, string>()
    const plugin: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (node.kind === 'SelectQueryNode') tableOf.set(queryId, tableIn(node))
        return node
      },
      async transformResult({ result, queryId }) {
        const at = reads.findIndex(({ table }) => table === tableOf.get(queryId))
        if (at >= 0) await reads.splice(at, 1)[0]!.stop.wait()
        return result
      },
    }
    return db.withPlugin(plugin)
  }

  const heldDatabase: Database = {
    ...database,
    read: readsOf(database.read),
    write: (work, durability = 'full') =>
      track(held(durability, () => database.write(work, durability))),
  }
  return {
    database: heldDatabase,
    /** The next read of the table has its rows, but is not told of them before `release`. */
    holdRead(table: keyof Tables): Hold {
      const stop = createStop()
      reads.push({ table, stop })
      return stop
    },
    /** The nth write of this durability from now does not begin before `release`. */
    holdWrite(nth = 1, durability: Durability = 'full'): Hold {
      const stop = createStop()
      writes.push({ left: nth, durability, stop })
      return stop
    },
    /** Resolves once nothing is being written, what nobody waits for included. */
    async quiet(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    /** What a test that failed left stopped. */
    releaseAll(): void {
      for (const { release } of stops) release()
    },
  }
}

/** `pages` of `select … from "pages"`. */
function tableIn(node: object): string {
  const { from } = node as { from?: { froms: { table?: { identifier: { name: string } } }[] } }
  const [first] = from?.froms ?? []
  return first?.table?.identifier.name ?? ''
}
