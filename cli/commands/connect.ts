import { formatBytes, formatNumber } from '../../src/model/numbers.ts'
import { inMegabytes, type Limits } from '../../src/model/plan.ts'
import { createCliClient } from '../client.ts'
import type { CommandContext } from '../command.ts'
import { parseServerUrl } from '../credentials.ts'
import { CommandFailed, labelled, WrongUsage } from '../output.ts'
import { isInteractive, openInBrowser, printStatus, prompt, promptSecret } from '../terminal.ts'

/** Longer than any key. A file that is piped by mistake is not read whole. */
const MAX_KEY_CHARS = 1000

export async function login(context: CommandContext): Promise<void> {
  const [urlArgument] = context.args
  const { key: keySource } = context.flags
  if (keySource !== undefined && keySource !== '-') {
    throw new WrongUsage('--key takes -, for standard input: others can see a command line.')
  }
  if (keySource === undefined && !isInteractive()) {
    throw new CommandFailed('There is no terminal to ask for a key: pipe it to login --key -')
  }
  const offered = context.credentials.offeredUrl()
  const isPiped = keySource === '-'
  const question = `Address of the server [${offered}]: `
  const url = parseServerUrl(urlArgument ?? (isPiped ? offered : await prompt(question, offered)))
  const key = isPiped ? await readPipedKey() : await promptKey(url)
  if (!/^sm_[0-9A-Za-z]+$/.test(key))
    throw new CommandFailed('This is not an API key: a key starts with sm_.')
  await createCliClient(url, key).listPages({ limit: 1 })
  context.credentials.store(url, key)
  context.print({ url, stored_in: context.credentials.path }, '')
  printStatus(`Signed in to ${url}; the key is in ${context.credentials.path}.`)
}

async function promptKey(url: string): Promise<string> {
  const app = `${url}/app/developer`
  printStatus(`Paste an API key. Make one at ${app}, or by handbill key create on the server.`)
  openInBrowser(app)
  return promptSecret('API key (not shown): ')
}

async function readPipedKey(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_KEY_CHARS) break
  }
  return text.trim()
}

export async function logout(context: CommandContext): Promise<void> {
  const [urlArgument] = context.args
  const url = urlArgument === undefined ? context.server : parseServerUrl(urlArgument)
  const wasStored = context.credentials.remove(url)
  context.print({ url, logged_out: wasStored }, '')
  printStatus(wasStored ? `Deleted the key for ${url}.` : `There was no key for ${url}.`)
}

export async function whoami(context: CommandContext): Promise<void> {
  const { data: account } = await context.client().getAccount()
  const { email, name, plan, is_operator, limits, usage } = account
  const rows = [
    ['server', context.server],
    ['account', email],
    ...(name === null ? [] : [['name', name]]),
    ['plan', is_operator ? `${plan}, operator` : plan],
    ['pages', `${usage.pages}, ${usage.published_pages} of them published`],
    ['stored', `${formatBytes(usage.stored_bytes)} of ${formatBytes(limits.stored_bytes)}`],
    ['largest page or file', inMegabytes(limits.file_bytes)],
    ['largest deck', deckLimits(limits)],
    ['responses', `${limits.responses_per_page.toLocaleString('en')} a page`],
    ['expiry and view limits', limits.link_controls ? 'yes' : 'no'],
  ].map(([label = '', text = '']) => ({ label, text }))
  const lines = () => labelled(rows.map(({ label, text }) => [label, text]))
  context.printRows({ server: context.server, ...account }, rows, lines)
}

function deckLimits({ deck_bytes, deck_files, deck_assets, asset_bytes }: Limits): string {
  const assets = `${formatNumber(deck_assets)} assets of ${inMegabytes(asset_bytes)}`
  return `${inMegabytes(deck_bytes)}, with ${formatNumber(deck_files)} HTML files and ${assets}`
}
