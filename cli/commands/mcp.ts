import { resolve } from 'node:path'
import { argsOf, type Call } from '../command.ts'
import { runMcp } from '../mcp/index.ts'
import { CommandFailed } from '../output.ts'
import { isFolder } from '../sources/index.ts'

/**
 * Some agents start this program here without meaning it: no files are offered then, rather than
 * all of the computer's.
 */
const ROOT = resolve('/')

export async function run(call: Call): Promise<void> {
  const [given] = argsOf(call, ['FOLDER'], 0)
  const { cwd } = call.env
  const folder = given === undefined ? cwd : resolve(cwd, given)
  if (!isFolder(folder)) throw new CommandFailed(`${folder} is not a folder.`)
  const { server: baseUrl, logins } = call
  await runMcp({
    baseUrl,
    key: logins.key(baseUrl),
    folder: folder === ROOT ? null : folder,
    stdin: process.stdin,
    stdout: process.stdout,
  })
}
