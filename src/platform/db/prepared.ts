import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './index.ts'

/** Stands in the query for a member of the values that a run is given. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * Compiles a query of a hot path once per engine; later runs only fill in its parameters. `build`
 * gets a placeholder for each value: it may put them anywhere in the query, but not read them.
 */
export function prepared<D extends Db, Given extends object, Row>(
  build: (db: D, given: Given) => Compilable<Row>,
): (db: D, given: Given) => Promise<QueryResult<Row>> {
  const compiled = new Map<string, CompiledQuery<Row>>()

  function compile(db: D, names: string[]): CompiledQuery<Row> {
    // The SQL depends on the engine, and on the columns that a row has.
    const { adapter } = db.getExecutor()
    const key = `${adapter.constructor.name} ${names.join()}`
    const known = compiled.get(key)
    if (known !== undefined) return known
    const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
    const query = build(db, placeholders as Given).compile()
    compiled.set(key, query)
    return query
  }

  return (db, given) => {
    const values = given as Record<string, unknown>
    const query = compile(db, Object.keys(given))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    )
    return db.executeQuery({ ...query, parameters })
  }
}
