import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './index.ts'

/** Stands, in a query, for a member of what is given when it runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query of a hot path: built and compiled when it first runs on an engine, and after that only
 * filled in. `build` gets a placeholder for each member of what is given, so it may put them
 * anywhere in the query, but not look at them.
 */
export function prepared<D extends Db, Given extends object, Row>(
  build: (db: D, given: Given) => Compilable<Row>,
): (db: D, given: Given) => Promise<QueryResult<Row>> {
  const compiled = new Map<string, CompiledQuery<Row>>()

  function compile(db: D, names: string[]): CompiledQuery<Row> {
    // Engines write queries in ways of their own, and a row may leave out a column.
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
