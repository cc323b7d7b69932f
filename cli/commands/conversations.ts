import { agentPrompt } from '../../src/client/agent-prompt.ts'
import { type Input, type Output, paginate } from '../../src/client/index.ts'
import { decisionWords } from '../../src/model/decision.ts'
import { count } from '../../src/model/numbers.ts'
import type { CommandContext } from '../command.ts'
import { readStdin } from '../local-content.ts'
import { oneLine, type Row, table, truncate } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { parsePast } from '../times.ts'

type Thread = Output<'listComments'>['data'][number]
type Reply = Thread['replies'][number]

const BODY_CHARS = 60

export async function listComments(context: CommandContext): Promise<void> {
  const { since, prompt } = context.flags
  const asPrompt = prompt === true
  const { state = asPrompt ? 'open' : 'all' } = context.flags
  const query = {
    id: await resolvePageId(context),
    state: state as Input<'listComments'>['state'],
    since: parsePast('since', since),
    limit: 1000,
  }
  const threads: Thread[] = []
  for await (const { data } of paginate(context.client().listComments, query)) threads.push(...data)
  if (asPrompt) return printPrompt(context, query.id, threads)
  const rows = threads.flatMap((thread) => [
    rowOf(thread, ''),
    ...thread.replies.map((reply) => rowOf(reply, '  ')),
  ])
  context.printRows(threads, rows, 'There are no comments.')
}

/** Prints what the app copies with “Copy for an agent”. */
async function printPrompt(context: CommandContext, id: string, threads: Thread[]): Promise<void> {
  const client = context.client()
  const { data: page } = await client.getPage({ id })
  const { data: versions } = await client.listVersions({ id })
  const versionNo = versions[0]?.version_no ?? null
  const prompt = threads.length === 0 ? '' : agentPrompt({ page, threads, versionNo })
  if (context.asJson) return context.print({ prompt }, '')
  if (prompt === '') return context.print({}, 'There are no comments.')
  context.print({}, prompt.trimEnd().split('\n'))
}

/** A reply stands below its comment, indented for people. */
function rowOf(comment: Thread | Reply, indent: string): Row {
  const { id, created_at: at, author, state, is_hidden, path, body } = comment
  const line = lineOf(body)
  return {
    id,
    written: timeOf(at),
    who: authorName(author),
    state: is_hidden ? 'hidden' : state,
    file: oneLine(path),
    comment: isTerminal() ? truncate(indent + line, BODY_CHARS) : line,
  }
}

export async function replyToComment(context: CommandContext): Promise<void> {
  const [, commentId = '', text = ''] = context.args
  const body = text === '-' ? (await readStdin()).toString().trim() : text
  const id = await resolvePageId(context)
  const { data } = await context.client().createComment({ id, parent_id: commentId, body })
  context.print(data, data.id)
}

export async function resolveComments(context: CommandContext): Promise<void> {
  const [, ...commentIds] = context.args
  const state = context.flags.reopen === true ? 'open' : 'resolved'
  const id = await resolvePageId(context)
  const { data } = await context.client().resolveComments({ id, comment_ids: commentIds, state })
  const rows = data.map((comment) => ({ id: comment.id, state: comment.state }))
  context.printRows(data, rows, '')
}

const PERCENT = 100

export async function showPoll(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const { data: poll } = await context.client().getPoll({ id, limit: 1000 })
  if (poll.question === null) {
    const cure = 'handbill update PAGE --collect-votes --poll-question TEXT --poll-option TEXT …'
    return context.print(poll, `The page has no poll: ${cure}`)
  }
  const rows = poll.options.map(({ text, votes, share }) => ({
    option: oneLine(text),
    votes: String(votes),
    share: `${Math.round(share * PERCENT)} %`,
  }))
  const voters = (poll.voters ?? []).map(({ option, email, voted_at: at }) => ({
    voter: email,
    option: oneLine(option),
    voted: timeOf(at),
  }))
  const state = poll.is_closed ? ', closed' : poll.collecting ? '' : ', off now'
  context.printRows(poll, rows, () => [
    `${oneLine(poll.question)} (${count(poll.total_votes, 'vote')}${state})`,
    '',
    ...table(rows, ''),
    ...(voters.length === 0 ? [] : ['', ...table(voters, '')]),
  ])
}

type InboxItem = Output<'getInbox'>['data']['items'][number]

export async function showInbox(context: CommandContext): Promise<void> {
  const { state, kind } = context.flags as Input<'getInbox'>
  const isOfPage = context.args.length > 0
  const { data: inbox } = await context.client().getInbox({
    ...{ state, kind, limit: 200 },
    page_id: isOfPage ? await resolvePageId(context) : undefined,
  })
  const rows = inbox.items.map((item) => ({
    id: item.id,
    at: timeOf(item.at),
    page: oneLine(item.page.title ?? item.page.slug),
    kind: item.kind,
    who: whoOf(item),
    what: isTerminal() ? truncate(whatOf(item), BODY_CHARS) : whatOf(item),
  }))
  context.printRows(inbox, rows, 'Nothing waits for you.')
  if (inbox.next_cursor !== null && isTerminal()) {
    printStatus(`These are the newest ${inbox.items.length}. The app has them all.`)
  }
}

function whoOf(item: InboxItem): string {
  if (item.kind === 'thread') return authorName(newestOf(item.thread).author)
  if (item.kind === 'request') return `“${oneLine(item.request.email)}”`
  if (item.kind === 'decision') return oneLine(item.decision.email)
  if (item.kind === 'agreement') return oneLine(item.agreement.name)
  if (item.kind === 'opening') return oneLine(item.opening.link_label)
  return oneLine(item.response.respondent)
}

function whatOf(item: InboxItem): string {
  if (item.kind === 'thread') return lineOf(newestOf(item.thread).body)
  if (item.kind === 'request') return 'asks for access'
  if (item.kind === 'response') {
    const fields = item.response.fields ?? []
    return fields.map(({ key, text }) => `${oneLine(key)}: ${lineOf(text)}`).join(', ')
  }
  if (item.kind === 'agreement') return `accepts version ${item.agreement.agreement_version}`
  if (item.kind === 'opening') return 'opened with this link'
  return decisionLine(item.decision)
}

type Decision = Extract<InboxItem, { kind: 'decision' }>['decision']
type Decided = Pick<Decision, 'decision' | 'version_no' | 'note'>

export function decisionLine({ decision, version_no: versionNo, note }: Decided): string {
  const done = decisionWords(decision, versionNo)
  return note === null ? done : `${done}: ${lineOf(note)}`
}

function newestOf(thread: Thread): Thread | Reply {
  return thread.replies.findLast(({ author }) => author.kind !== 'owner') ?? thread
}

export function lineOf(text: string): string {
  return oneLine(text.replaceAll('\n', ' '))
}

export function timeOf(at: string): string {
  return isTerminal() ? at.slice(0, 16) : at
}

/** A name that nobody verified is quoted: it may be `owner`, or somebody’s address. */
export function authorName({ kind, email, name }: Thread['author']): string {
  if (kind === 'owner') return 'owner'
  if (kind === 'confirmed' && email !== null) return oneLine(email)
  return name === null ? '' : `“${oneLine(name)}”`
}
