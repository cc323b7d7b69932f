import { inChunks } from '../../platform/db/chunks.ts'
import type { PollsTable, VotesTable } from '../../platform/db/conversation-tables.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw } from '../../platform/db/raw.ts'
import type { StoredOption } from './rules.ts'

export type Totals = Pick<PollsTable, 'vote_count' | 'option_count'>

const touchTotals = raw<Totals>(`
  UPDATE polls SET vote_count = vote_count WHERE page_id = $1
  RETURNING vote_count, option_count`)

const insertTotals = raw(`
  INSERT INTO polls (page_id, vote_count, option_count) VALUES ($1, 0, 0)
  ON CONFLICT (page_id) DO NOTHING`)

/**
 * Locks the page's poll until the transaction ends, so that votes and changes of options come one
 * after the other.
 *
 * @throws a foreign key violation if the page is deleted
 */
export async function lockPoll(tx: Tx, pageId: string): Promise<Totals> {
  const [totals] = await touchTotals(tx, [pageId])
  if (totals !== undefined) return totals
  await insertTotals(tx, [pageId])
  const [created] = await touchTotals(tx, [pageId])
  return created!
}

const updateTotals = raw(`
  UPDATE polls SET vote_count = $1, option_count = $2 WHERE page_id = $3`)

export async function setTotals(tx: Tx, pageId: string, totals: Totals): Promise<void> {
  await updateTotals(tx, [totals.vote_count, totals.option_count, pageId])
}

const selectOption = raw<Pick<StoredOption, 'option_no'>>(`
  SELECT option_no FROM poll_options WHERE page_id = $1 AND text = $2`)

export async function findOption(db: Db, pageId: string, text: string) {
  return (await selectOption(db, [pageId, text]))[0]?.option_no
}

const insertOptionRow = raw(`
  INSERT INTO poll_options (page_id, option_no, text, votes) VALUES ($1, $2, $3, 0)`)

export async function insertOption(
  tx: Tx,
  pageId: string,
  { option_no: optionNo, text }: Pick<StoredOption, 'option_no' | 'text'>,
): Promise<void> {
  await insertOptionRow(tx, [pageId, optionNo, text])
}

const addToVotes = raw(`
  UPDATE poll_options SET votes = votes + $1 WHERE page_id = $2 AND option_no = $3`)

export async function addVotes(
  tx: Tx,
  pageId: string,
  { option_no: optionNo, votes }: Pick<StoredOption, 'option_no' | 'votes'>,
): Promise<void> {
  await addToVotes(tx, [votes, pageId, optionNo])
}

const deleteUnused = raw('DELETE FROM poll_options WHERE page_id = $1 AND text = $2 AND votes = 0')

const rewordOption = raw(`
  UPDATE poll_options SET text = $1 WHERE page_id = $2 AND text = $3
    AND NOT EXISTS (SELECT 1 FROM poll_options WHERE page_id = $2 AND text = $1)`)

/** Gives the votes for one text to another, unless that one has stored votes of its own. */
export async function reword(
  tx: Tx,
  pageId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await deleteUnused(tx, [pageId, to])
  await rewordOption(tx, [to, pageId, from])
}

const selectOptions = raw<StoredOption>(
  'SELECT option_no, text, votes FROM poll_options WHERE page_id = $1',
)

export function listOptions(db: Db, pageId: string): Promise<StoredOption[]> {
  return selectOptions(db, [pageId])
}

export type Vote = Omit<VotesTable, 'page_id'>

const selectVotes = raw<Vote>(`
  SELECT voter, option_no, email, name, voted_at FROM votes
  WHERE page_id = $1 AND voter IN ($2, $3)`)

/** The votes of one person, who may have two keys. */
export function findVotes(
  db: Db,
  pageId: string,
  [key, otherKey = key]: readonly [string, string?],
): Promise<Vote[]> {
  return selectVotes(db, [pageId, key, otherKey])
}

const upsertVote = raw(`
  INSERT INTO votes (page_id, voter, option_no, email, name, voted_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (page_id, voter) DO UPDATE SET option_no = excluded.option_no,
    email = excluded.email, name = excluded.name, voted_at = excluded.voted_at`)

export async function putVote(tx: Tx, pageId: string, vote: Vote): Promise<void> {
  const { voter, option_no: optionNo, email, name, voted_at: votedAt } = vote
  await upsertVote(tx, [pageId, voter, optionNo, email, name, votedAt])
}

const deleteVoteRow = raw('DELETE FROM votes WHERE page_id = $1 AND voter = $2')

export async function deleteVote(tx: Tx, pageId: string, voter: string): Promise<void> {
  await deleteVoteRow(tx, [pageId, voter])
}

export interface NamedVote {
  email: string
  name: string
  option: string
  voted_at: string
}

/** Named votes for these options, newest first. */
export async function listNamed(
  db: Db,
  pageId: string,
  { options, limit, offset }: { options: readonly string[]; limit: number; offset: number },
): Promise<NamedVote[]> {
  if (options.length === 0) return []
  const rows = await db
    .selectFrom('votes')
    .innerJoin('poll_options', (join) =>
      join
        .onRef('poll_options.page_id', '=', 'votes.page_id')
        .onRef('poll_options.option_no', '=', 'votes.option_no'),
    )
    .select(['votes.email', 'votes.name', 'poll_options.text as option', 'votes.voted_at'])
    .where('votes.page_id', '=', pageId)
    .where('votes.voted_at', 'is not', null)
    .where('poll_options.text', 'in', options)
    .orderBy('votes.voted_at', 'desc')
    .orderBy('votes.voter')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows as NamedVote[]
}

/** Votes in the order of their keys, which is independent of the order in which they were cast. */
export function listVotes(
  db: Db,
  pageId: string,
  { after, limit }: { after: string; limit: number },
): Promise<Vote[]> {
  return db
    .selectFrom('votes')
    .select(['voter', 'option_no', 'email', 'name', 'voted_at'])
    .where('page_id', '=', pageId)
    .where('voter', '>', after)
    .orderBy('voter')
    .limit(limit)
    .execute()
}

/** Stores the totals of a poll for a page that has none. */
export async function insertPoll(
  tx: Tx,
  pageId: string,
  totals: { vote_count: number; option_count: number },
): Promise<void> {
  await tx
    .insertInto('polls')
    .values({ page_id: pageId, ...totals })
    .execute()
}

export async function insertOptions(
  tx: Tx,
  pageId: string,
  options: readonly StoredOption[],
): Promise<void> {
  for (const option of options) {
    await tx
      .insertInto('poll_options')
      .values({ page_id: pageId, ...option })
      .execute()
  }
}

export async function insertVotes(tx: Tx, pageId: string, votes: readonly Vote[]): Promise<void> {
  for (const chunk of inChunks(votes, 200)) {
    await tx
      .insertInto('votes')
      .values(chunk.map((vote) => ({ page_id: pageId, ...vote })))
      .execute()
  }
}
