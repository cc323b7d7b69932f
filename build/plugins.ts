/**
 * The plugin folders of coding agents in `plugins/`, from `skills/handbill/SKILL.md`:
 * `bin/bun build/plugins.ts` writes them, and a test compares them. They name the server by the
 * environment variable HANDBILL_URL.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { SERVER_URL } from '../src/model/site.ts'

const ROOT = join(import.meta.dir, '..')
export const PLUGINS = join(ROOT, 'plugins')

const { name, version, description } = packageJson
const ABOUT = { name, version, description }
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the agents put the variables in
const URL_IN = { claude: '${HANDBILL_URL}', cursor: '${env:HANDBILL_URL}', gemini: '$HANDBILL_URL' }
const KEY_IN = { claude: '${HANDBILL_API_KEY}', cursor: '${env:HANDBILL_API_KEY}' }
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the agents put the variables in

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** The files of all plugins, by their paths below `plugins/`. */
export async function pluginFiles(): Promise<Map<string, string>> {
  const source = await Bun.file(join(ROOT, 'skills/handbill/SKILL.md')).text()
  const skill = source.replaceAll(SERVER_URL, '$HANDBILL_URL')
  const claude = { type: 'http', url: `${URL_IN.claude}/mcp`, headers: bearer(KEY_IN.claude) }
  const cursor = { url: `${URL_IN.cursor}/mcp`, headers: bearer(KEY_IN.cursor) }
  const stdio = { command: 'handbill', args: ['mcp'] }
  const gemini = { httpUrl: `${URL_IN.gemini}/mcp`, headers: bearer('$HANDBILL_API_KEY') }
  return new Map([
    ...['claude', 'codex', 'cursor', 'gemini'].map(
      (agent) => [`${agent}/skills/handbill/SKILL.md`, skill] as const,
    ),
    ['claude/.claude-plugin/plugin.json', json(ABOUT)],
    ['claude/.mcp.json', json({ mcpServers: { handbill: claude } })],
    ['codex/.codex-plugin/plugin.json', json({ ...ABOUT, skills: './skills/' })],
    ['codex/.mcp.json', json({ mcpServers: { handbill: stdio } })],
    ['cursor/.cursor-plugin/plugin.json', json(ABOUT)],
    ['cursor/mcp.json', json({ mcpServers: { handbill: cursor } })],
    ['gemini/gemini-extension.json', json({ ...ABOUT, mcpServers: { handbill: gemini } })],
  ])
}

if (import.meta.main) {
  await rm(PLUGINS, { recursive: true, force: true })
  for (const [path, text] of await pluginFiles()) {
    await mkdir(dirname(join(PLUGINS, path)), { recursive: true })
    await Bun.write(join(PLUGINS, path), text)
  }
}
