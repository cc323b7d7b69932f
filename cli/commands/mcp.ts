import { resolve } from 'node:path'
import { type CommandContext, positionalArgs } from '../command.ts'
import { isFolder } from '../local-content/index.ts'
import { runMcp } from '../mcp/index.ts'
import { CommandFailed } from '../output.ts'

/** Some agents start programs in the root folder. No files are offered then, instead of all. */
const ROOT = resolve('/')

export async function run(context: CommandContext): Promise<void> {
  const [folderArgument] = positionalArgs(context, ['FOLDER'], 0)
  const { cwd } = context.env
  const folder = folderArgument === undefined ? cwd : resolve(cwd, folderArgument)
  if (!isFolder(folder)) throw new CommandFailed(`${folder} is not a folder.`)
  const { server: baseUrl, credentials } = context
  await runMcp({
    baseUrl,
    key: credentials.key(baseUrl),
    folder: folder === ROOT ? null : folder,
    stdin: process.stdin,
    stdout: process.stdout,
  })
}
