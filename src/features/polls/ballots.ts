import { MAX_VOTES } from '../../model/page/facts.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import * as store from './store.ts'

/** Numbers are sealed with as many digits, so that no length tells what was voted. */
const DIGITS = String(MAX_VOTES).length

export interface Vote extends Omit<store.VoteRow, 'ballot' | 'option_no'> {
  option_no: number
}

/** The totals of a poll, and the votes for each option by its number. */
export interface Totals extends Omit<store.Totals, 'tally'> {
  counts: ReadonlyMap<number, number>
}

/**
 * Stores votes so that a copy of the database does not tell what was voted in secret: the option of
 * a secret vote and the counts of a poll are sealed with a key that is not in the database. The
 * counts as well, since copies from before and after a vote would show it.
 */
export function createBallots(secrets: Pick<Secrets, 'seal' | 'open'>) {
  function rowOf(pageId: string, { counts, ...totals }: Totals): store.Totals {
    const each = Array.from({ length: totals.option_count }, (_, at) => counts.get(at + 1) ?? 0)
    return { ...totals, tally: secrets.seal('tally', pageId, each.map(padded).join(' ')) }
  }

  function countsIn(pageId: string, tally: string | null): Map<number, number> {
    if (tally === null) return new Map()
    const each = secrets.open('tally', pageId, tally).split(' ')
    return new Map(each.map((votes, at) => [at + 1, Number(votes)]))
  }

  /** Nobody else's ballot opens in its place. */
  const contextOf = (pageId: string, voter: string) => `${pageId} ${voter}`

  function voteOf(pageId: string, { ballot, ...row }: store.VoteRow): Vote {
    if (ballot === null) return { ...row, option_no: row.option_no! }
    const option = secrets.open('ballot', contextOf(pageId, row.voter), ballot)
    return { ...row, option_no: Number(option) }
  }

  return {
    /** The options that could be voted for, with their votes. */
    async listOptions(db: Db, pageId: string) {
      const rows = await store.listOptions(db, [pageId])
      const counts = countsIn(pageId, rows[0]?.tally ?? null)
      return rows.map(({ option_no, text }) => ({
        ...{ option_no, text },
        votes: counts.get(option_no) ?? 0,
      }))
    },
    /** The votes of one person, who may have several keys. */
    async findVotes(db: Db, pageId: string, keys: readonly string[]) {
      const rows = await store.findVotes(db, pageId, keys)
      return rows.map((row) => voteOf(pageId, row))
    },
    /** Locks the page's poll. @throws a foreign key violation if the page is deleted */
    async lockPoll(tx: Tx, pageId: string) {
      const { tally, ...totals } = await store.lockPoll(tx, [pageId])
      return { ...totals, counts: countsIn(pageId, tally) }
    },
    setTotals: (tx: Tx, pageId: string, totals: Totals) =>
      store.setTotals(tx, [pageId], rowOf(pageId, totals)),
    /** Stores a vote in place of the earlier one under its key. */
    putVote(tx: Tx, pageId: string, vote: Vote) {
      const row = { ...vote, page_id: pageId }
      if (vote.email !== null) return store.putVote(tx, { ...row, ballot: null })
      const context = contextOf(pageId, vote.voter)
      const ballot = secrets.seal('ballot', context, padded(vote.option_no))
      return store.putVote(tx, { ...row, option_no: null, ballot })
    },
  }
}
export type Ballots = ReturnType<typeof createBallots>

function padded(value: number): string {
  return String(value).padStart(DIGITS, '0')
}
