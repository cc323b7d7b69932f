import { argsOf, type Call } from '../command.ts'
import { connect } from '../connect.ts'
import { serverUrl } from '../logins.ts'
import { CommandFailed, WrongUsage } from '../output.ts'
import { ask, askSecret, canAsk, openInBrowser, say } from '../terminal.ts'

/** More than any key has; a file piped by mistake is not read whole. */
const MAX_CHARS = 1000

export async function run(call: Call): Promise<void> {
  const [given] = argsOf(call, ['URL'], 0)
  const { key: from } = call.flags
  if (from !== undefined && from !== '-') {
    throw new WrongUsage('--key takes -, for standard input: others can see a command line.')
  }
  if (from === undefined && !canAsk()) {
    throw new CommandFailed('There is no terminal to ask for a key: pipe it to login --key -')
  }
  const url = serverUrl(given ?? (from === '-' ? call.server : await askUrl(call)))
  const key = from === '-' ? await pipedKey() : await pastedKey(url)
  if (!/^sm_[0-9A-Za-z]+$/.test(key))
    throw new CommandFailed('A key starts with sm_: this is none.')
  await connect(url, key).listPages({ limit: 1 })
  call.logins.store(url, key)
  call.print({ url, stored_in: call.logins.path }, '')
  say(`Signed in to ${url}; the key is in ${call.logins.path}.`)
}

function askUrl({ server }: Call): Promise<string> {
  return ask(`Address of the server [${server}]: `, server)
}

async function pastedKey(url: string): Promise<string> {
  const app = `${url}/app`
  say(`Paste an API key, of ${app} or of handbill key create where the server runs.`)
  openInBrowser(app)
  return askSecret('API key (not shown): ')
}

async function pipedKey(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece
    if (text.length > MAX_CHARS) break
  }
  return text.trim()
}
