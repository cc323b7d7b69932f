import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Output } from '../../src/client/index.ts'
import { type CommandContext, textOf } from '../command.ts'
import { readObject, writeJson } from '../json-files.ts'
import { flush, oneLine, type Row, tabSeparated, truncate } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { authorName, decisionLine, lineOf, timeOf } from './conversations.ts'

type FeedbackEvent = Output<'getFeedback'>['data']['items'][number]

const WAIT_S = 50
const RETRY_MS = 5000
const TEXT_CHARS = 60

/** Prints events once each: where it stopped is kept for the next time. */
export async function followFeedback(context: CommandContext): Promise<void> {
  const { types, own, follow, all } = context.flags
  const id = context.args.length > 0 ? await resolvePageId(context) : undefined
  const query = {
    types: textOf(types),
    own: own === true,
    wait_s: follow === true ? WAIT_S : 0,
    limit: 100,
  }
  const place = openPlace(context, [id ?? '', query.types ?? '', String(query.own)])
  let cursor = all === true ? 'start' : (place.read() ?? 'start')
  let count = 0
  for (;;) {
    const answer = await ask(context, id, { ...query, cursor })
    if (answer === null) continue
    for (const event of answer.items) print(context, event)
    count += answer.items.length
    await flush()
    if (answer.cursor !== cursor) place.save(answer.cursor)
    cursor = answer.cursor
    if (follow !== true && !answer.more) break
  }
  if (count === 0 && isTerminal()) printStatus('Nothing new. With --all: all that is kept.')
}

type Query = Parameters<ReturnType<CommandContext['client']>['getFeedback']>[0]

function ask(context: CommandContext, id: string | undefined, query: Query) {
  const client = context.client()
  async function send() {
    if (id === undefined) return (await client.getFeedback(query)).data
    return (await client.getPageFeedback({ id, ...query })).data
  }
  return context.flags.follow === true ? unlessAway(send) : send()
}

/** Null where the server is away, after a pause. */
export async function unlessAway<T>(send: () => Promise<T>): Promise<T | null> {
  try {
    return await send()
  } catch (err) {
    if (!(err instanceof ApiError && (err.status === null || err.status >= 500))) throw err
    printStatus(`${err.message} Asking again in ${RETRY_MS / 1000} s.`)
    await sleep(RETRY_MS)
    return null
  }
}

function print(context: CommandContext, event: FeedbackEvent): void {
  const { id, type, at, page_id: pageId, page_title: title } = event
  const what = whatOf(event)
  const row: Row = {
    ...(!isTerminal() && { id }),
    at: timeOf(at),
    page: oneLine(title ?? pageId),
    type,
    who: whoOf(event),
    what: isTerminal() ? truncate(what, TEXT_CHARS) : what,
  }
  const lines = isTerminal() ? Object.values(row).join('  ') : tabSeparated([row])
  context.print(event, lines)
}

function whoOf(event: FeedbackEvent): string {
  if ('comment' in event) return authorName(event.comment.author)
  if ('response' in event) return oneLine(event.response.respondent)
  if ('vote' in event) return oneLine(event.vote?.email ?? 'a secret vote')
  if ('approval' in event) return oneLine(event.approval.email)
  if ('agreement' in event) return oneLine(event.agreement.email ?? event.agreement.name)
  if (event.type === 'page_closed') return ''
  if (event.type === 'opened') {
    return oneLine(event.email ?? `link of “${event.link_label ?? ''}”`)
  }
  return `“${oneLine(event.access_request.email)}”`
}

function whatOf(event: FeedbackEvent): string {
  if ('comment' in event) return lineOf(event.comment.body)
  if ('response' in event) return lineOf(JSON.stringify(event.response.data))
  if ('vote' in event) return oneLine(event.vote?.option ?? '')
  if (event.type === 'page_closed') {
    return event.reason === 'expired' ? 'has expired' : 'has reached its view limit'
  }
  if (event.type === 'opened') return 'opens the page'
  if ('access_request' in event) return 'asks for access'
  if ('agreement' in event) return `accepts version ${event.agreement.agreement_version}`
  return decisionLine(event.approval)
}

/** Where the command stopped, by the server and the filters. */
function openPlace({ credentials, server }: CommandContext, filters: string[]) {
  const file = join(dirname(credentials.path), 'feedback.json')
  const key = [server, ...filters].join(' ')
  return {
    read(): string | null {
      const cursor = readObject(file)[key]
      return typeof cursor === 'string' ? cursor : null
    },
    save: (cursor: string) => writeJson(file, { ...readObject(file), [key]: cursor }, 0o600),
  }
}
