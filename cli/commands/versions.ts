import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, table, tabSeparated } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const { data: versions } = await context
    .client()
    .listVersions({ id: await resolvePageId(context, name) })
  const rows = versions.map(
    ({ version_no: versionNo, source, label, size_bytes: sizeBytes, created_at: createdAt }) => ({
      version: String(versionNo),
      source,
      label: oneLine(label),
      bytes: String(sizeBytes),
      created: isTerminal() ? createdAt.slice(0, 16) : createdAt,
    }),
  )
  context.print(versions, isTerminal() ? table(rows, 'There are no versions.') : tabSeparated(rows))
}
