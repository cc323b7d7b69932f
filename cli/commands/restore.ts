import { type CommandContext, positionalArgs } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { printWritten } from '../publishing.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = '', versionNo = ''] = positionalArgs(context, ['PAGE', 'N'])
  if (!/^[1-9]\d{0,8}$/.test(versionNo)) throw new WrongUsage('N must be the number of a version.')
  const written = await context.client().restoreVersion({
    id: await resolvePageId(context, name),
    version_no: Number(versionNo),
    publish: context.flags.publish === true,
  })
  const page = printWritten(context, written)
  context.print(page, page.url)
}
