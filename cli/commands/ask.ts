import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ApiError, type Input, type Output } from '../../src/client/index.ts'
import { type CommandContext, textOf } from '../command.ts'
import { prepareContent } from '../content.ts'
import { readLocalContent } from '../local-content.ts'
import { oneLine, type Row, WrongUsage } from '../output.ts'
import { findPageRecord, openPageRecord, resolvePageId } from '../page.ts'
import { confirmSkippedFiles, printWarnings, saveRecord } from '../publishing.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { parseFuture } from '../times.ts'
import { decisionLine, lineOf, timeOf } from './conversations.ts'
import { unlessAway } from './feedback.ts'

type Result = Output<'getAsk'>['data']

const WAIT_S = 50

/** Asks people on a page or a new one, and with --wait waits for all of them. */
export async function ask(context: CommandContext): Promise<void> {
  const { due, message, title, wait } = context.flags
  const people = peopleIn(context)
  const request = { people, question: questionIn(context), due_at: parseFuture('due', due) }
  const path = resolve(context.env.cwd, context.args[0] ?? '')
  const newPage = await publishFor(context, path, people)
  const page_id = newPage?.id ?? (await resolvePageId(context))
  const input = { ...request, page_id, title: textOf(title), message: textOf(message) }
  const { data: ask } = await context
    .client()
    .createAsk(input)
    .catch(async (err) => {
      // Refused, so nobody was asked, and the page is of no use. Else they may have been.
      if (newPage !== null && err instanceof ApiError && (err.status ?? 500) < 500) {
        await context.client().deletePage({ id: page_id })
        findPageRecord(context)?.remove()
      }
      throw err
    })
  for (const { who, url } of ask.links) printStatus(`Pass this on to ${oneLine(who)}: ${url}`)
  const { mailed, links, ...first } = ask
  if (wait !== true) return print(context, ask, first)
  printStatus(`Waiting for ${ask.waiting.length} on ${ask.page.url}`)
  const result = await waitFor(context, first)
  print(context, result, result)
}

/** Publishes a path for these people; null where it is none, or was published before. */
async function publishFor(context: CommandContext, path: string, people: string[]) {
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isThere || findPageRecord(context) !== null) return null
  const client = context.client()
  const local = await confirmSkippedFiles(context, await readLocalContent(path))
  const { data: page, warnings } = await client.createPage({
    ...(await prepareContent(client, local)),
    access: 'people',
    allowed_emails: people.filter((each) => each.includes('@')),
  })
  saveRecord(openPageRecord(path, context.server), page)
  printWarnings(warnings)
  return page
}

function peopleIn({ flags }: CommandContext): string[] {
  const people = (Array.isArray(flags.people) ? flags.people : [])
    .flatMap((text) => String(text).split(','))
    .map((text) => text.trim())
    .filter(Boolean)
  if (people.length === 0) throw new WrongUsage('--people is missing: who is asked.')
  return people
}

function questionIn({ flags }: CommandContext): Input<'createAsk'>['question'] {
  const { poll, option, approve, form } = flags
  const options = (Array.isArray(option) ? option : []).map(String)
  const count = [typeof poll === 'string', approve === true, form === true].filter(Boolean).length
  if (count !== 1) throw new WrongUsage('Give one of --poll, --approve and --form.')
  if (typeof poll === 'string') return { kind: 'poll', question: poll, options }
  if (options.length > 0) throw new WrongUsage('--option goes with --poll.')
  return { kind: approve === true ? 'approval' : 'form' }
}

async function waitFor(context: CommandContext, first: Result): Promise<Result> {
  let result = first
  while (result.outcome === null) {
    const query = { ask_id: first.id, wait_s: WAIT_S }
    result = (await unlessAway(async () => (await context.client().getAsk(query)).data)) ?? result
  }
  return result
}

function print(context: CommandContext, value: object, result: Result): void {
  if (context.asJson) {
    context.print(value, '')
    return
  }
  const rows: Row[] = [
    ...result.answered.map(({ who, at, version_no: no, answer }) => ({
      who: oneLine(who),
      at: timeOf(at),
      answer: answerWords(answer, no),
    })),
    ...result.waiting.map((who) => ({ who: oneLine(who), at: '', answer: 'has not answered' })),
  ]
  context.printRows(value, rows, 'Nobody was asked.')
  const { id, outcome } = result
  if (isTerminal()) printStatus(outcome === null ? `Asked: ${id}` : OUTCOMES[outcome])
}

const OUTCOMES = {
  all_answered: 'Everybody has answered.',
  deadline: 'The time is over.',
  cancelled: 'It was cancelled.',
}

function answerWords(answer: Result['answered'][number]['answer'], versionNo: number | null) {
  if ('option' in answer) return oneLine(answer.option)
  if ('data' in answer) return lineOf(JSON.stringify(answer.data))
  return decisionLine({ ...answer, version_no: versionNo ?? 0 })
}
