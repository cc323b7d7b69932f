import { ApiError } from '../../src/client/index.ts'
import { argsOf, type Call } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { pageId } from '../page.ts'
import { isTerminal, say } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { find, replace, all, file, publish } = call.flags
  if (typeof find !== 'string') throw new WrongUsage('--find is missing.')
  if (typeof replace !== 'string') throw new WrongUsage("--replace is missing: '' deletes.")
  const edit = {
    id: await pageId(call, name),
    edits: [{ find, replace, ...(all === true && { replace_all: true }) }],
    ...(typeof file === 'string' && { file }),
    publish: publish === true,
  }
  const answer = await call.client().editHtml(edit).catch(refuseInOptions)
  const { data: page, edits } = answer
  call.print({ page, edits }, page.url)
  if (!isTerminal()) return
  const count = edits.changes.reduce((sum, change) => sum + change.count, 0)
  const places = count === 1 ? '1 place' : `${count} places`
  const state = publish === true ? 'and published it' : 'in the draft'
  const undo = `handbill restore ${page.id} ${edits.previous_version}`
  say(`Replaced ${places} ${state}. To undo: ${undo}${publish === true ? ' --publish' : ''}`)
}

/** The server speaks of a list of edits; here there is one, made of options. */
function refuseInOptions(err: unknown): never {
  const message = err instanceof ApiError ? IN_OPTIONS[err.code] : undefined
  if (message === undefined) throw err
  const { status, code } = err as ApiError
  throw new ApiError(message, { status, code }, err)
}
const IN_OPTIONS: Record<string, string> = {
  edit_not_found: 'The text of --find is nowhere in the draft: copy it exactly as it is there.',
  edit_ambiguous: 'The text of --find is there more than once: make it longer, or add --all.',
}
