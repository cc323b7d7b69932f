import type { Call } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { argsOf, pageId } from '../page.ts'
import { isWatched, say } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { find, replace, all, file, publish } = call.flags
  if (typeof find !== 'string') throw new WrongUsage('--find is missing.')
  if (typeof replace !== 'string') throw new WrongUsage("--replace is missing: '' deletes.")
  const answer = await call.client().editHtml({
    id: await pageId(call, name),
    edits: [{ find, replace, ...(all === true && { replace_all: true }) }],
    ...(typeof file === 'string' && { file }),
    publish: publish === true,
  })
  const { data: page, edits } = answer
  call.print({ page, edits }, page.url)
  if (!isWatched()) return
  const count = edits.changes.reduce((sum, change) => sum + change.count, 0)
  const places = count === 1 ? '1 place' : `${count} places`
  const state = publish === true ? 'and published it' : 'in the draft'
  const undo = `handbill restore ${page.id} ${edits.previous_version}`
  say(`Replaced ${places} ${state}. To undo: ${undo}${publish === true ? ' --publish' : ''}`)
}
