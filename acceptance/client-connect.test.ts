import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PLUGINS, pluginFiles } from '../build/plugins.ts'
import { AGENT_HOSTS } from '../src/model/agent-hosts.ts'
import { shellOf } from './client-shell.ts'
import { server } from './server.ts'

const SLOW = 240_000
const URL_OF_MCP = `${server.url}/mcp`

test(
  'connect writes the server and a skill for each agent, beside what is there, and again',
  async () => {
    const shell = shellOf()
    const key = server.keys.pro
    for (const [name, host] of Object.entries(AGENT_HOSTS)) {
      const file = typeof host.file === 'string' ? host.file : host.file.linux
      const path = join(shell.home, file)
      const isToml = file.endsWith('.toml')
      const other = isToml
        ? 'model = "x"\n\n[mcp_servers.other]\nurl = "https://other.example"\n'
        : JSON.stringify({ theme: 'x', mcpServers: { other: {} }, servers: { other: {} } })
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, other)
      for (const _ of [1, 2]) {
        const { code, stderr } = await shell.run('connect', name, '--yes')
        expect([name, code]).toEqual([name, 0])
        expect(stderr).toContain(path)
        expect(stderr).not.toContain(key)
      }
      const text = readFileSync(path, 'utf8')
      expect(text.split(URL_OF_MCP)).toHaveLength(2)
      expect(text.split(`Bearer ${key}`)).toHaveLength(2)
      expect(text).toContain('other')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const settings = isToml ? Bun.TOML.parse(text) : JSON.parse(text)
      expect(JSON.stringify(settings)).toContain('"handbill":{')
      const skill = readFileSync(join(shell.home, host.skills, 'handbill/SKILL.md'), 'utf8')
      expect(skill).toStartWith('---\nname: handbill\n')
      expect(skill).toContain(`The server is ${server.url}.`)
    }
  },
  SLOW,
)

test(
  'connect writes nothing without a yes, into settings it cannot read, or for an agent it does not know',
  async () => {
    const shell = shellOf()
    const result = await shell.run('connect', 'cursor')
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('Add --yes')])
    const path = join(shell.home, '.cursor/mcp.json')
    expect(() => statSync(path)).toThrow()
    mkdirSync(dirname(path), { recursive: true })
    for (const broken of ['{ // comment', '{"mcpServers": []}']) {
      writeFileSync(path, broken)
      expect((await shell.run('connect', 'cursor', '--yes')).code).toBe(1)
      expect(readFileSync(path, 'utf8')).toBe(broken)
    }
    const unknown = await shell.run('connect', 'claud', '--yes')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('Did you mean claude?'),
    ])
  },
  SLOW,
)

test('the plugin folders are those that the skill makes', async () => {
  const files = await pluginFiles()
  const results = [...new Bun.Glob('**/*').scanSync({ cwd: PLUGINS, dot: true })]
  expect(results.toSorted()).toEqual([...files.keys()].toSorted())
  for (const [path, text] of files) {
    expect([path, readFileSync(join(PLUGINS, path), 'utf8')]).toEqual([path, text])
    if (path.endsWith('.json')) JSON.parse(text)
    expect(text).not.toContain('this-server')
  }
})
