import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { isUniqueViolation } from './errors.ts'

const CASES: [string, string[] | null][] = [
  [`INSERT INTO things VALUES ('a', 'you', 'B')`, ['id']],
  [`INSERT INTO things VALUES ('b', 'me', 'A')`, ['owner', 'title']],
  [`INSERT INTO things VALUES ('c', NULL, 'A')`, null],
  [`INSERT INTO things VALUES ('d', 'nobody')`, null],
]

test.each(CASES)('%s in SQLite', (statement, expected) => {
  const handle = new Database(':memory:')
  handle.run(`CREATE TABLE things (
    id text PRIMARY KEY, owner text NOT NULL, title text, UNIQUE (owner, title))`)
  handle.run(`INSERT INTO things VALUES ('a', 'me', 'A')`)
  const err = failureOf(() => handle.run(statement))
  expect(err).toBeInstanceOf(Error)
  expect(isUniqueViolation(err)).toBe(expected !== null)
  for (const column of ['id', 'owner', 'title']) {
    expect(isUniqueViolation(err, `things.${column}`)).toBe(expected?.includes(column) ?? false)
  }
})

function failureOf(act: () => void): unknown {
  try {
    act()
  } catch (err) {
    return err
  }
}
