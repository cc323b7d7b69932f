import { startChild } from '../src/testing/crash/child.ts'
import { freePort } from '../src/testing/free-port.ts'
import type { Node } from './ask.ts'

export interface RunningNode extends Node {
  /** The variable PORT, for another start at the same address. */
  port: string
  pid: number
  kill(): Promise<void>
}

/**
 * Starts a server in a folder.
 *
 * @param key of the first account, which only the first start in a folder prints
 */
export async function startNode(
  folder: string,
  settings: Record<string, string>,
  key?: string,
): Promise<RunningNode> {
  const port = settings.PORT ?? String(freePort())
  const own = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, SIGNUP: 'open' }
  const child = await startChild(folder, { ...own, ...settings })
  const known = child.key ?? key
  if (known === undefined) throw new Error('The server printed no key')
  return { url: child.url, key: known, port, pid: child.pid, kill: child.kill }
}
