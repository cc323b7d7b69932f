import { z } from 'zod'
import { type Batches, name, time } from '../../model/archive.ts'
import { withoutTag } from '../../model/email.ts'
import { MAX_POLL_OPTION } from '../../model/page/facts.ts'
import type { Page } from '../../model/page/index.ts'
import { email } from '../../model/text.ts'
import type { Db } from '../../platform/db/index.ts'
import {
  badRows,
  importBatch,
  rowsInBatches,
  type WriteStep,
} from '../../platform/db/long-write.ts'
import { inChunks } from '../../platform/db/rows.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type Ballots, createBallots } from './ballots.ts'
import type { StoredOption } from './rules.ts'
import * as store from './store.ts'
import { createVoters, type VoterDeps } from './voter.ts'

const BATCH = 1000
/** The number of options that one transaction stores. */
const OPTIONS = 100
const MAX_IMPORTED_VOTES = 100_000

export const optionRow = z.object({
  option_no: z.int().min(1).max(1_000_000),
  text: z.string().min(1).max(MAX_POLL_OPTION),
})
type ImportedOption = z.output<typeof optionRow>

/** A vote in the form in which another server exported it. A secret one has only its option. */
export const voteRow = z
  .object({
    option_no: optionRow.shape.option_no,
    email: email.nullable(),
    name,
    voted_at: time.nullable(),
  })
  .refine(({ email, name, voted_at: at }) =>
    email === null ? name === null && at === null : name !== null && at !== null,
  )
type ImportedVote = z.output<typeof voteRow>

interface PollTransferDeps extends VoterDeps {
  secrets: Secrets
}

/**
 * The poll of a page for an export, as it is when the first of both lists is read: the options that
 * have votes, and all votes without the keys that identify voters on this server, the named ones,
 * and then as many secret ones of each option as there are.
 */
export function pollOf(secrets: Secrets, db: Db, pageId: string) {
  let options: Promise<StoredOption[]> | null = null
  const read = () => (options ??= readVotedOptions(createBallots(secrets), db, pageId))
  return {
    poll_options: (async function* () {
      yield* await read()
    })(),
    votes: (async function* () {
      yield* votesFor(await read(), db, pageId)
    })(),
  }
}

async function readVotedOptions(ballots: Ballots, db: Db, pageId: string) {
  const options = await ballots.listOptions(db, pageId)
  return options.filter(({ votes }) => votes > 0).sort((a, b) => a.option_no - b.option_no)
}

async function* votesFor(options: readonly StoredOption[], db: Db, pageId: string) {
  const secret = new Map(options.map(({ option_no: no, votes }) => [no, votes]))
  const namedVotes = rowsInBatches({ by: 'voter', limit: BATCH }, (...range) =>
    store.listKeyed(db, [pageId, ...range]),
  )
  for await (const { voter: _voter, ...vote } of namedVotes) {
    const rest = secret.get(vote.option_no)
    // Cast after the options were read.
    if (rest === undefined) continue
    secret.set(vote.option_no, rest - 1)
    yield vote
  }
  for (const [optionNo, votes] of secret) {
    const vote: ImportedVote = { option_no: optionNo, email: null, name: null, voted_at: null }
    for (let nth = 0; nth < votes; nth++) yield vote
  }
}

/**
 * Stores the poll of an imported page. The votes are counted anew. A named vote belongs to its
 * address, whose owner can change it here. Of a secret vote only the count is stored: nobody can
 * find or change it, and its voter can vote again.
 *
 * @throws Refusal `invalid_parameter`
 */
export async function importPoll(
  deps: PollTransferDeps,
  step: WriteStep,
  page: Page,
  { poll_options, votes }: { poll_options: Batches<ImportedOption>; votes: Batches<ImportedVote> },
): Promise<void> {
  const options = (await Array.fromAsync(poll_options)).flat()
  if (options.length === 0 && votes.count === 0) return
  if (votes.count > MAX_IMPORTED_VOTES) {
    const most = MAX_IMPORTED_VOTES.toLocaleString('en')
    throw badRows(`It has more than ${most} votes, the most that an import takes of a page.`)
  }
  const numbers = new Map(options.map(({ option_no }, at) => [option_no, at + 1]))
  const texts = new Set(options.map(({ text }) => text))
  if (numbers.size < options.length || texts.size < options.length) {
    throw badRows('Two options of its poll are the same.')
  }
  const ballots = createBallots(deps.secrets)
  const counts = new Map<number, number>()
  const totals = { vote_count: votes.count, option_count: options.length, counts }
  const keyOf = await keysOf(deps, page, votes)
  await step((tx) => ballots.lockPoll(tx, page.id))
  for await (const batch of votes) {
    const rows = batch.flatMap((vote) => {
      const number = numbers.get(vote.option_no)
      if (number === undefined) throw badRows('One of its votes is for no option of its poll.')
      counts.set(number, (counts.get(number) ?? 0) + 1)
      if (vote.email === null) return []
      const voter = keyOf(vote.email)
      return [{ ...vote, page_id: page.id, option_no: number, ballot: null, voter }]
    })
    const duplicate = 'Two of its votes are of one address.'
    await importBatch(step, (tx) => store.insertVotes(tx, rows), duplicate)
  }
  const numbered = options.map(({ text }, at) => ({ page_id: page.id, option_no: at + 1, text }))
  for (const some of inChunks(numbered, OPTIONS)) {
    await step((tx) => store.insertOptions(tx, some))
  }
  await step((tx) => ballots.setTotals(tx, page.id, totals))
}

/**
 * The keys of named votes. Older servers took a vote of an address with each of its tags. These are
 * kept: where several are of one person, all but one are stored by the address with its tag.
 */
async function keysOf(
  deps: PollTransferDeps,
  page: Page,
  votes: Batches<ImportedVote>,
): Promise<(email: string) => string> {
  const { keysOfEmail } = createVoters(deps)
  const persons = new Set<string>()
  for await (const batch of votes) {
    for (const { email } of batch) {
      if (email !== null && withoutTag(email) === email) persons.add(email)
    }
  }
  return (email) => {
    const { person, tagged } = keysOfEmail(page, email)
    const bare = withoutTag(email)
    if (persons.has(bare)) return tagged
    persons.add(bare)
    return person
  }
}
