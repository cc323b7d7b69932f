import { argsOf, type Call } from '../command.ts'
import { oneLine, tabbed, table } from '../output.ts'
import { pageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { data: versions } = await call.client().listVersions({ id: await pageId(call, name) })
  const rows = versions.map(
    ({ version_no: versionNo, source, label, size_bytes: sizeBytes, created_at: createdAt }) => ({
      version: String(versionNo),
      source,
      label: oneLine(label),
      bytes: String(sizeBytes),
      created: isTerminal() ? createdAt.slice(0, 16) : createdAt,
    }),
  )
  call.print(versions, isTerminal() ? table(rows, 'There are no versions.') : tabbed(rows))
}
