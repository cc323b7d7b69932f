import { join } from 'node:path'
import {
  AGENT_HOSTS,
  type AgentHost,
  tomlTable,
  withTomlTable,
} from '../../src/model/agent-hosts.ts'
import type { CommandContext } from '../command.ts'
import { didYouMean } from '../errors.ts'
import { isRecord, readJson, readText, writeWhole } from '../json-files.ts'
import { CommandFailed, oneLine, WrongUsage } from '../output.ts'
import { confirm, isInteractive, printStatus } from '../terminal.ts'

const TIMEOUT_MS = 15_000
const MAX_SKILL_BYTES = 100_000
/** Only the user may read what has a key in it. */
const MODE = 0o600

/** Shows what it will write for a coding agent, and writes it. */
export async function connect(context: CommandContext): Promise<void> {
  const [name] = context.args
  const host = hostNamed(name!)
  const key = context.credentials.key(context.server)
  const { home } = context.env
  const settings = join(home, fileOf(host))
  const skill = join(home, host.skills, 'handbill', 'SKILL.md')
  const entry = host.entry({ url: `${context.server}/mcp`, authorization: `Bearer ${key}` })
  const files = new Map([
    [settings, settingsWith(settings, host, entry)],
    [skill, await fetchSkill(context.server)],
  ])
  const preview = JSON.stringify(entry, null, 2).replace(key, `${key.slice(0, 7)}…`)
  printStatus(`In ${settings}, the server handbill becomes`)
  for (const line of preview.split('\n')) printStatus(`  ${line}`)
  printStatus(`and ${skill} says how to use it.`)
  if (context.flags.yes !== true) await askFirst()
  for (const [path, text] of files) writeWhole(path, text, MODE)
  context.print({ agent: name, server: context.server, written: [...files.keys()] }, '')
  printStatus(`${host.name} is connected to ${context.server}. Start it anew.`)
}

async function askFirst(): Promise<void> {
  if (!isInteractive()) {
    throw new CommandFailed('Nothing was written: there is no terminal to ask. Add --yes.')
  }
  if (!(await confirm('Write this?', 'yes'))) throw new CommandFailed('Nothing was written.')
}

function hostNamed(name: string): AgentHost {
  const hosts: Readonly<Record<string, AgentHost>> = AGENT_HOSTS
  const host = Object.hasOwn(hosts, name) ? hosts[name] : undefined
  if (host !== undefined) return host
  const names = Object.keys(hosts)
  const hint = didYouMean(name, names)
  throw new WrongUsage(`connect knows ${names.join(', ')}, not ${oneLine(name)}.${hint}`)
}

function fileOf({ file, name }: AgentHost): string {
  const path = typeof file === 'string' ? file : file[process.platform]
  if (path !== undefined) return path
  throw new CommandFailed(`Where ${name} has its settings on this system is not known.`)
}

/** The settings with our server among the others, which stay as they are. @throws CommandFailed */
function settingsWith(path: string, { member }: AgentHost, entry: object): string {
  if (member === undefined) {
    const table = 'mcp_servers.handbill'
    return withTomlTable(readText(path) ?? '', table, tomlTable(table, entry))
  }
  const settings = readJson(path) ?? {}
  const servers = isRecord(settings) ? (settings[member] ?? {}) : null
  if (!isRecord(settings) || !isRecord(servers)) {
    throw new CommandFailed(`${path} has no object ${member} to add a server to.`)
  }
  const merged = { ...settings, [member]: { ...servers, handbill: entry } }
  return `${JSON.stringify(merged, null, 2)}\n`
}

/** The skill as the server has it, with the address of the server. @throws CommandFailed */
async function fetchSkill(server: string): Promise<string> {
  const answer = await fetch(`${server}/skill.md`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch(() => null)
  if (answer === null) throw new CommandFailed(`${server} does not answer: nothing was written.`)
  const text = answer.status === 200 ? await answer.text() : ''
  if (text.startsWith('---\nname: handbill\n') && text.length <= MAX_SKILL_BYTES) return text
  throw new CommandFailed(`${server} has no skill for agents: it may be an older Handbill.`)
}
