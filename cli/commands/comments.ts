import { type Output, paginate } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, table, tabSeparated, WrongUsage } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'
import { parsePast } from '../times.ts'

type Comment = Output<'listComments'>['data'][number]
type Reply = Comment['replies'][number]

const STATES = ['all', 'open', 'resolved', 'hidden'] as const
const BODY_CHARS = 60

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const { since, state = 'all' } = context.flags
  const wanted = STATES.find((each) => each === state)
  if (wanted === undefined) throw new WrongUsage(`--state takes ${STATES.join(', ')}.`)
  const query = {
    id: await resolvePageId(context, name),
    state: wanted,
    ...(typeof since === 'string' && { since: parsePast('since', since, Date.now()) }),
    limit: 1000,
  }
  const threads: Comment[] = []
  for await (const { data } of paginate(context.client().listComments, query)) threads.push(...data)
  const rows = threads.flatMap((thread) => [
    rowOf(thread, ''),
    ...thread.replies.map((reply) => rowOf(reply, '  ')),
  ])
  context.print(threads, isTerminal() ? table(rows, 'There are no comments.') : tabSeparated(rows))
}

/** A reply stands below its comment, indented for people. */
function rowOf(comment: Comment | Reply, indent: string) {
  const { id, created_at: at, author, state, is_hidden: isHidden, path, body } = comment
  const forPeople = isTerminal()
  const line = oneLine(body.replaceAll('\n', ' '))
  return {
    id,
    written: forPeople ? at.slice(0, 16) : at,
    who: oneLine(whoOf(author)),
    state: isHidden ? 'hidden' : state,
    file: oneLine(path),
    comment: forPeople ? truncate(indent + line) : line,
  }
}

/** A name that nobody verified is quoted: it may be `owner`, or somebody’s address. */
function whoOf({ kind, email, name }: Comment['author']): string {
  if (kind === 'owner') return 'owner'
  if (kind === 'confirmed' && email !== null) return email
  return name === null ? '' : `“${name}”`
}

function truncate(line: string): string {
  return line.length > BODY_CHARS ? `${line.slice(0, BODY_CHARS - 1)}…` : line
}
