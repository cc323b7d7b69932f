import { randomUUID } from 'node:crypto'
import type { Batches } from '../../model/batches.ts'
import { refuse } from '../../model/errors.ts'
import { inChunks } from '../../platform/db/chunks.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Db } from '../../platform/db/index.ts'
import type { WriteStep } from '../../platform/db/long-write.ts'
import type { StoredOption } from './rules.ts'
import * as store from './store.ts'

const BATCH = 1000
/** The number of options that one transaction stores. */
const OPTIONS = 100
export const MAX_IMPORTED_VOTES = 100_000

export type GivenOption = Pick<StoredOption, 'option_no' | 'text'>
/** A vote in the form in which another server exported it. A secret one has only its option. */
export type GivenVote = Omit<store.Vote, 'voter'>

/** The options of a page's poll that were voted for, for an export. */
export async function* optionsOf(db: Db, pageId: string): AsyncGenerator<object> {
  const options = await store.listOptions(db, pageId)
  yield* options.sort((a, b) => a.option_no - b.option_no)
}

/** All votes for an export, without the keys that identify voters on this server. */
export async function* votesOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const votes = await store.listVotes(db, pageId, { after, limit: BATCH })
    for (const { voter: _voter, ...vote } of votes) yield vote
    if (votes.length < BATCH) return
    after = votes.at(-1)!.voter
  }
}

export interface GivenPoll {
  options: readonly GivenOption[]
  votes: Batches<GivenVote>
}

/**
 * Stores the poll of an imported page. The votes are counted anew. A named vote belongs to its
 * address, whose owner can change it here. A secret vote stays secret: nobody can find or change
 * it, and its voter can vote again.
 *
 * @param keyOf the key of the viewer who confirms an address
 * @throws Refusal `invalid_parameter`
 */
export async function importPoll(
  step: WriteStep,
  { pageId, keyOf }: { pageId: string; keyOf(email: string): string },
  { options, votes }: GivenPoll,
): Promise<void> {
  if (options.length === 0 && votes.count === 0) return
  if (votes.count > MAX_IMPORTED_VOTES) {
    const most = MAX_IMPORTED_VOTES.toLocaleString('en')
    throw refused(`It has more than ${most} votes, the most that an import takes of a page.`)
  }
  const counts = new Map(options.map(({ option_no: optionNo }) => [optionNo, 0]))
  const texts = new Set(options.map(({ text }) => text))
  if (counts.size < options.length || texts.size < options.length) {
    throw refused('Two options of its poll are the same.')
  }
  await step((tx) =>
    store.insertPoll(tx, pageId, {
      vote_count: votes.count,
      option_count: Math.max(0, ...options.map(({ option_no: optionNo }) => optionNo)),
    }),
  )
  for (const batch of votes) {
    const rows = batch.map((vote) => {
      const count = counts.get(vote.option_no)
      if (count === undefined) throw refused('One of its votes is for no option of its poll.')
      counts.set(vote.option_no, count + 1)
      return { ...vote, voter: vote.email === null ? randomUUID() : keyOf(vote.email) }
    })
    await step((tx) => store.insertVotes(tx, pageId, rows)).catch((err) => {
      throw isUniqueViolation(err) ? refused('Two of its votes are of one address.') : err
    })
  }
  const counted = options.map(({ option_no: optionNo, text }) => ({
    ...{ option_no: optionNo, text },
    votes: counts.get(optionNo)!,
  }))
  for (const some of inChunks(counted, OPTIONS)) {
    await step((tx) => store.insertOptions(tx, pageId, some))
  }
}

function refused(message: string) {
  return refuse.invalid('invalid_parameter', message)
}
