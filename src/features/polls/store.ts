import type { Db } from '../../platform/db/index.ts'
import { raw, rawCounts, rawList, rawOne, rawRow } from '../../platform/db/raw.ts'
import { deleteBy, rowsInto, updateBy, upsertInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type Totals = Omit<Tables['polls'], 'page_id'>
type OptionRow = Omit<Tables['poll_options'], 'page_id'>
export type VoteRow = Omit<Tables['votes'], 'page_id'>

/**
 * Locks the page's poll until the transaction ends, so that votes and changes of options come one
 * after the other.
 *
 * @throws a foreign key violation if the page is deleted
 */
export const lockPoll = rawOne<Totals, [pageId: string]>(`
  INSERT INTO polls (page_id, vote_count, option_count) VALUES ($1, 0, 0)
  ON CONFLICT (page_id) DO UPDATE SET vote_count = polls.vote_count
  RETURNING vote_count, option_count, tally`)

export const setTotals = updateBy('polls', 'page_id')

/** The options, each with the tally of its poll: one statement, so that they agree. */
export const listOptions = raw<OptionRow & Pick<Totals, 'tally'>, [pageId: string]>(`
  SELECT option_no, text, tally FROM poll_options
  JOIN polls ON polls.page_id = poll_options.page_id WHERE poll_options.page_id = $1`)

export const insertOptions = rowsInto('poll_options')

export const deleteOption = deleteBy('poll_options', 'page_id', 'text')
export const updateOption = updateBy('poll_options', 'page_id', 'text')

const selectVotes = raw<VoteRow>(`
  SELECT voter, option_no, ballot, email, name, voted_at FROM votes
  WHERE page_id = $1 AND voter IN ($2, $3, $4)`)

/** The votes of one person, who may have three keys. Each open panel asks for them again. */
export function findVotes(
  db: Db,
  pageId: string,
  [key = '', second = key, third = key]: readonly string[],
): Promise<VoteRow[]> {
  return selectVotes(db, [pageId, key, second, third])
}

/** Named votes of any pages, by their voters. */
export const listNamedBy = rawList<Pick<Tables['votes'], 'page_id' | 'voter'> & NamedVote>(
  (list) => `SELECT votes.page_id, voter, email, name, text AS option, voted_at
    FROM votes JOIN poll_options USING (page_id, option_no)
    WHERE voter IN ${list} AND email IS NOT NULL`,
)

export const putVote = upsertInto('votes', 'page_id', 'voter')
export const deleteVote = deleteBy('votes', 'page_id', 'voter')

interface NamedVote {
  email: string
  name: string
  option: string
  voted_at: string
}

/** Named votes for these options, newest first. */
export const listNamed = rawList<NamedVote, [pageId: string, limit: number, offset: number]>(
  (options) => `
    SELECT votes.email, votes.name, poll_options.text AS option, votes.voted_at
    FROM votes JOIN poll_options USING (page_id, option_no)
    WHERE page_id = $2 AND votes.voted_at IS NOT NULL AND poll_options.text IN ${options}
    ORDER BY votes.voted_at DESC, votes.voter LIMIT $3 OFFSET $4`,
)

/** Named votes with the keys of their voters, in the order of these keys. */
export const listKeyed = raw<
  Omit<NamedVote, 'option'> & { voter: string; option_no: number },
  [pageId: string, after: string, limit: number]
>(`
  SELECT voter, option_no, email, name, voted_at FROM votes
  WHERE page_id = $1 AND voter > $2 AND voted_at IS NOT NULL ORDER BY voter LIMIT $3`)

export const insertVotes = rowsInto('votes')

/** Any page with votes, which are sealed with the key of the server. */
export const findVoted = rawRow<Pick<Tables['polls'], 'page_id'>, []>(
  'SELECT page_id FROM polls WHERE tally IS NOT NULL LIMIT 1',
)

/** Which confirmed addresses have a named vote. */
export const countByAddress = rawCounts<[pageId: string]>(
  (emails) => `SELECT email AS key, count(*) AS count FROM votes
    WHERE page_id = $2 AND email IN ${emails} GROUP BY email`,
)
