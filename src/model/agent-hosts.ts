/** Programs that keep the addresses of MCP servers in a file of the user. */
export interface AgentHost {
  name: string
  /** Below the user's home, by platform where that differs. */
  file: string | Partial<Record<string, string>>
  /** The member of a JSON file that has the servers by name; none of a TOML file. */
  member?: string
  /** The entry of a server in it. */
  entry(server: { url: string; authorization: string }): object
  /** The folder below the user's home in which it looks for skills. */
  skills: string
}

const usual: AgentHost['entry'] = ({ url, authorization }) => ({
  url,
  headers: { Authorization: authorization },
})
const withType: AgentHost['entry'] = (server) => ({ type: 'http', ...usual(server) })

export const AGENT_HOSTS = {
  claude: {
    name: 'Claude Code',
    file: '.claude.json',
    member: 'mcpServers',
    entry: withType,
    skills: '.claude/skills',
  },
  codex: {
    name: 'Codex',
    file: '.codex/config.toml',
    entry: ({ url, authorization }) => ({ url, http_headers: { Authorization: authorization } }),
    skills: '.agents/skills',
  },
  cursor: {
    name: 'Cursor',
    file: '.cursor/mcp.json',
    member: 'mcpServers',
    entry: usual,
    skills: '.cursor/skills',
  },
  vscode: {
    name: 'VS Code',
    file: {
      linux: '.config/Code/User/mcp.json',
      darwin: 'Library/Application Support/Code/User/mcp.json',
      win32: 'AppData/Roaming/Code/User/mcp.json',
    },
    member: 'servers',
    entry: withType,
    skills: '.agents/skills',
  },
  gemini: {
    name: 'Gemini CLI',
    file: '.gemini/settings.json',
    member: 'mcpServers',
    entry: ({ url, authorization }) => ({
      httpUrl: url,
      headers: { Authorization: authorization },
    }),
    skills: '.agents/skills',
  },
} as const satisfies Record<string, AgentHost>

/** Writes an object of texts and of one level of such objects as a table of TOML. */
export function tomlTable(name: string, entry: object): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`)
  return `[${name}]\n${lines.join('\n')}\n`
}

function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${key} = ${tomlValue(member)}`)
  return `{ ${members.join(', ')} }`
}

/** A TOML text with this table in the place of the one with its name, or at its end. */
export function withTomlTable(text: string, name: string, table: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === `[${name}]`)
  if (start < 0) return text === '' ? table : `${text.trimEnd()}\n\n${table}`
  const isOther = (line: string) => /^\s*\[/.test(line) && !line.trim().startsWith(`[${name}.`)
  const next = lines.findIndex((line, at) => at > start && isOther(line))
  const rest = next < 0 ? [] : ['', ...lines.slice(next)]
  return [...lines.slice(0, start), table.trimEnd(), ...rest].join('\n').trimEnd().concat('\n')
}
