import { argsOf, type Call } from '../command.ts'
import { oneLine, tabbed, table } from '../output.ts'
import { pageId } from '../page.ts'
import { isTerminal } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { data: versions } = await call.client().listVersions({ id: await pageId(call, name) })
  const rows = versions.map(({ version_no, source, label, size_bytes, created_at }) => ({
    version: String(version_no),
    source,
    label: oneLine(label),
    bytes: String(size_bytes),
    created: isTerminal() ? created_at.slice(0, 16) : created_at,
  }))
  call.print(versions, isTerminal() ? table(rows, 'There are no versions.') : tabbed(rows))
}
