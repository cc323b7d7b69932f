import { openRuntime } from '../commands/runtime.ts'
import { readConfig } from '../platform/config.ts'
import { createServer } from '../server.ts'
import { NO_ASSETS } from './no-assets.ts'

/**
 * Starts a server on a data folder, makes requests one after the other, and prints as JSON the
 * answers and which modules are loaded then. Where the folder is new, it makes an account and sends
 * its key. It is a program of its own: in a test, the modules of the test would be among them.
 */
const [dataDir = '', ...requests] = process.argv.slice(2)
const runtime = await openRuntime(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }))
const { platform, app, isNew } = runtime
const server = createServer(platform, app, { assets: NO_ASSETS })
const authorization = isNew ? `Bearer ${await newKey()}` : ''
const answers: { status: number; text: string }[] = []
for (const text of requests) {
  const [path = '', body] = text.split(' ')
  const headers = { authorization, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body }
  const response = await server.fetch(new Request(`http://localhost:8787${path}`, init))
  answers.push({ status: response.status, text: await response.text() })
}
console.log(JSON.stringify({ answers, modules: Object.keys(require.cache) }))
await runtime.close()
process.exit(0)

async function newKey(): Promise<string> {
  const token = await app.accounts.createSetupLink()
  const given = { email: 'owner@example.com', name: null, plan: 'pro' } as const
  return (await app.accounts.setUp(token, given)).key.key
}
