import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db, Tx } from './index.ts'

/** A placeholder in the query for a member of the values of a run. */
class Placeholder {
  constructor(
    readonly name: string,
    readonly row = 0,
  ) {}
}

/**
 * Compiles a query of a hot path once per engine; later runs only fill in its parameters. `build`
 * gets a placeholder for each value: it may put them anywhere in the query, but not read them.
 */
export function prepared<D extends Db, Given extends object, Row>(
  build: (db: D, given: Given) => Compilable<Row>,
): (db: D, given: Given) => Promise<QueryResult<Row>> {
  const run = compiledFor((db: D, [given]: readonly Given[]) => build(db, given!))
  return (db, given) => run(db, [given])
}

/** Up to so many rows are one statement. Each connection prepares each number of rows it meets. */
const FEW = 16
/** How many rows one statement has otherwise: few numbers. */
const ROWS = [64, 32, 16]

/**
 * The same for an insert of many rows, which all have the same columns. As many statements run as
 * their number needs.
 */
export function preparedRows<Given extends object, Row>(
  build: (tx: Tx, rows: readonly Given[]) => Compilable<Row>,
): (tx: Tx, rows: readonly Given[]) => Promise<Row[]> {
  const run = compiledFor(build)
  return async (tx, rows) => {
    const returned: Row[] = []
    for (let at = 0; at < rows.length; ) {
      const left = rows.length - at
      const count = left <= FEW ? left : ROWS.find((size) => size <= left)!
      returned.push(...(await run(tx, rows.slice(at, at + count))).rows)
      at += count
    }
    return returned
  }
}

function compiledFor<D extends Db, Given extends object, Row>(
  build: (db: D, rows: readonly Given[]) => Compilable<Row>,
) {
  const compiled = new Map<string, CompiledQuery<Row>>()

  function compile(db: D, names: string[], count: number): CompiledQuery<Row> {
    // The SQL depends on the engine, and on the columns that a row has.
    const { adapter } = db.getExecutor()
    const key = `${adapter.constructor.name} ${count} ${names.join()}`
    const known = compiled.get(key)
    if (known !== undefined) return known
    const rowOf = (_: unknown, row: number) =>
      Object.fromEntries(names.map((name) => [name, new Placeholder(name, row)])) as Given
    const query = build(db, Array.from({ length: count }, rowOf)).compile()
    compiled.set(key, query)
    return query
  }

  return (db: D, rows: readonly Given[]): Promise<QueryResult<Row>> => {
    const values = rows as readonly Record<string, unknown>[]
    const query = compile(db, Object.keys(values[0]!), rows.length)
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.row]![parameter.name] : parameter,
    )
    return db.executeQuery({ ...query, parameters })
  }
}
