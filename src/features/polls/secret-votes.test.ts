import { Database } from 'bun:sqlite'
import { describe, expect, it } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createSecrets } from '../../platform/secrets.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createPoll } from '../../testing/test-poll.ts'
import { createBallots } from './index.ts'

/** Seven people in the order in which they vote, which the attacker knows. */
const VOTES = ['A', 'B', 'A', 'C', 'B', 'A', 'C'].map((option, at) => ({
  voter: { device: `browser ${at}`, email: `voter${at}@example.com` },
  option,
}))
const BY_EMAIL = { poll_require_email: true }

type Row = Record<string, string>
/** The rows of each table as they lie in a copy of the database, with the columns of its engine. */
type Copy = Map<string, Row[]>

async function copyOf({ engine, database, folder }: TestApp): Promise<Copy> {
  if (engine === 'sqlite') {
    const file = new Database(join(folder, 'test.db'), { readonly: true })
    const tables = file.query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table'",
    )
    const copy = tables.all().map(({ name }): [string, Row[]] => [name, rowsOfFile(file, name)])
    file.close()
    return new Map(copy)
  }
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`.execute(database.read)
  const copy: Copy = new Map()
  for (const { name } of tables) {
    const { rows } = await sql<Row>`
      SELECT t.*, ctid::text AS ctid, xmin::text AS xmin FROM ${sql.table(name)} AS t`.execute(
      database.read,
    )
    copy.set(name, rows.map(textsOf))
  }
  return copy
}

function rowsOfFile(file: Database, table: string): Row[] {
  try {
    return file.query<object, []>(`SELECT rowid AS rowid, * FROM ${table}`).all().map(textsOf)
  } catch {
    return file.query<object, []>(`SELECT * FROM ${table}`).all().map(textsOf)
  }
}

function textsOf(row: object): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
}

/** Columns by which the rows fall into groups, as the voters do by what they voted. */
function groupings(rows: readonly Row[]): string[] {
  const isGrouping = (values: unknown[]) => {
    const kinds = new Set(values).size
    return kinds > 1 && kinds < values.length
  }
  return Object.keys(rows[0] ?? {}).filter((column) => {
    const values = rows.map((row) => row[column]!)
    const isNumber = column === 'xmin' || column === 'ctid'
    return isGrouping(values) || (!isNumber && isGrouping(values.map(({ length }) => length)))
  })
}

/** How many votes an attacker reads who takes the rows, in some order, for those of the voters. */
function mostAttributed(copy: Copy): number {
  const votes = copy.get('votes')!
  const texts = new Map(copy.get('poll_options')!.map((row) => [row.option_no, row.text]))
  const byColumn = Object.keys(votes[0]!).map((column) =>
    votes.toSorted((one, other) =>
      one[column]!.localeCompare(other[column]!, 'en', { numeric: true }),
    ),
  )
  const orders = [votes, ...byColumn].flatMap((rows) => [rows, rows.toReversed()])
  const rightIn = (rows: Row[]) =>
    rows.filter((row, at) => texts.get(row.option_no) === VOTES[at]!.option).length
  return Math.max(...orders.map(rightIn))
}

/** What changed between two copies, without the values: `votes +1`, `polls.tally`, … */
function changes(before: Copy, after: Copy): string[] {
  return [...after].flatMap(([table, rows]) => {
    const earlier = before.get(table)!
    const [keyOf] = [
      (row: Row) => row.voter ?? row.id ?? row.number ?? `${row.page_id} ${row.option_no}`,
    ]
    const names = new Map(earlier.map((row) => [keyOf(row), row]))
    const columns = rows.flatMap((row) => {
      const former = names.get(keyOf(row))
      if (former === undefined) return ['a new row']
      return Object.keys(row).filter((column) => row[column] !== former[column])
    })
    return columns.map((column) => `${table}: ${column}`)
  })
}

for (const engine of ENGINES) {
  /** A poll in which nobody has voted, and what a voter does: confirms the address and votes. */
  async function election(app: TestApp) {
    const poll = await createPoll(app, await app.owner(), BY_EMAIL)
    return {
      ...poll,
      async confirmAndVote({ voter, option }: (typeof VOTES)[number]): Promise<void> {
        const { device, email } = voter
        const request = { email, browser: device, reason: 'vote', path: '' } as const
        await app.viewerEmails.askToConfirm(await poll.page(), request)
        await app.mailbox.delivered()
        const token = /confirm\/([\w-]{43})/.exec(app.mailbox.lastTo(email)!.text)![1]!
        await app.database.write((tx) => app.confirmations.redeem(tx, token))
        await poll.vote(voter, option)
      },
    }
  }

  describe(`a copy of the database, on ${engine}`, () => {
    it('groups secret votes by nothing: no column, no length, no place, no transaction', async () => {
      await using app = await testApp(engine)
      const { confirmAndVote, results } = await election(app)
      for (const vote of VOTES) await confirmAndVote(vote)
      const copy = await copyOf(app)
      const votes = copy.get('votes')!
      expect(votes).toHaveLength(VOTES.length)
      expect(groupings(votes)).toEqual([])
      expect(mostAttributed(copy)).toBe(0)
      for (const row of votes) {
        expect(row).toMatchObject({ option_no: 'null', email: 'null', voted_at: 'null' })
      }
      if (engine === 'sqlite') expect(Object.keys(votes[0]!)).not.toContain('rowid')
      // Nobody's row shares a transaction with an option.
      const options = copy.get('poll_options')!
      expect(options.map(({ text }) => text)).toEqual(['A', 'B', 'C'])
      expect(new Set(options.map(({ xmin }) => xmin)).size).toBe(1)
      const expected = ['option_no', 'page_id', 'text']
      expect(
        Object.keys(options[0]!)
          .filter((name) => !/^(rowid|ctid|xmin)$/.test(name))
          .sort(),
      ).toEqual(expected)
      expect((await results()).options.map(({ votes: count }) => count)).toEqual([3, 2, 2])
    })

    it('differs after each vote, and each change of one, in the same way whatever was voted', async () => {
      await using app = await testApp(engine)
      const { vote } = await election(app)
      await vote(VOTES[0]!.voter, 'A')
      let before = await copyOf(app)
      const next = async (voter: (typeof VOTES)[number]['voter'], option: string) => {
        await vote(voter, option)
        const after = await copyOf(app)
        const changed = changes(before, after).filter((each) => !each.startsWith('page_'))
        before = after
        return changed
      }
      const first = await next(VOTES[1]!.voter, 'B')
      expect(first).toContain('votes: a new row')
      expect(first).toContain('polls: tally')
      expect(first.filter((each) => each.startsWith('poll_options'))).toEqual([])
      for (const { voter, option } of VOTES.slice(2))
        expect(await next(voter, option)).toEqual(first)
      const changed = await next(VOTES[0]!.voter, 'B')
      expect(changed).toContain('votes: ballot')
      for (const [at, option] of ['C', 'C', 'B', 'A'].entries()) {
        expect(await next(VOTES[at]!.voter, option)).toEqual(changed)
      }
    })

    it('names no voter once their mails are sent and their links are over', async () => {
      await using app = await testApp(engine)
      const { confirmAndVote } = await election(app)
      for (const vote of VOTES) await confirmAndVote(vote)
      app.advance(HOUR_MS)
      await app.confirmations.sweep()
      const copy = await copyOf(app)
      const mails = copy.get('outbox')!
      expect(mails).toHaveLength(VOTES.length)
      expect(mails.every((mail) => mail.to_address === '' && mail.sent_at !== 'null')).toBe(true)
      const texts = JSON.stringify([...copy])
      for (const { voter } of VOTES) expect(texts).not.toContain(voter.email)
    })

    it('opens no ballot and no count with another key', async () => {
      await using app = await testApp(engine)
      const poll = await election(app)
      await poll.vote(VOTES[0]!.voter, 'A')
      const stranger = createBallots(createSecrets(new Uint8Array(32).fill(9)))
      const [{ voter } = { voter: '' }] = await app.rows('votes')
      const { read } = app.database
      await expect(stranger.findVotes(read, poll.id, [voter])).rejects.toThrow()
      await expect(stranger.listOptions(read, poll.id)).rejects.toThrow()
      expect(await createBallots(app.secrets).findVotes(read, poll.id, [voter])).toMatchObject([
        { voter, option_no: 1 },
      ])
    })
  })

  describe(`mails about votes, on ${engine}`, () => {
    it('keep their address until they are sent, and mails about comments after it', async () => {
      await using app = await testApp(engine)
      const poll = await createPoll(app, await app.owner(), { ...BY_EMAIL, allow_comments: true })
      const page = await poll.page()
      for (const reason of ['vote', 'comment'] as const) {
        const email = `${reason}@example.com`
        await app.viewerEmails.askToConfirm(page, { email, browser: 'b', reason, path: '' })
      }
      const recipients = async () => (await app.rows('outbox')).map((row) => row.to_address).sort()
      expect(await recipients()).toEqual(['comment@example.com', 'vote@example.com'])
      await app.mailbox.delivered()
      expect(
        app.mailbox
          .all()
          .map(({ to }) => to)
          .sort(),
      ).toEqual(['comment@example.com', 'vote@example.com'])
      expect(await recipients()).toEqual(['', 'comment@example.com'])
      const { data: mails } = await app.mailLists.list({ limit: 10, offset: 0 })
      expect(mails.map(({ to }) => to).sort()).toEqual(['comment@example.com', null])
    })
  })
}
