import { AGENT_HOSTS, type AgentHost, tomlTable } from '../../../src/model/agent-hosts.ts'

/** The text to paste so that a program can connect. docs/mcp.md is the guide. */
export interface Lines {
  id: string
  name: string
  how: string
  text: string
}

/** Where the key is no longer known, its first 7 characters mark where it belongs. */
export const NO_KEY = 'sm_…'

export function linesFor({ baseUrl, key }: { baseUrl: string; key: string }): Lines[] {
  const mcp = `${baseUrl}/mcp`
  const authorization = `Bearer ${key}`
  const ofHost = (id: keyof typeof AGENT_HOSTS, file: string): Lines => {
    const { name, member, entry }: AgentHost = AGENT_HOSTS[id]
    const own = entry({ url: mcp, authorization })
    const text =
      member === undefined
        ? tomlTable('mcp_servers.handbill', own)
        : json({ [member]: { handbill: own } })
    return { id, name, how: `Put this into ${file}.`, text }
  }
  return [
    {
      id: 'address',
      name: 'By address',
      how: 'Give an agent this address, and no key. It asks you here what it may do.',
      text: mcp,
    },
    {
      id: 'claude-code',
      name: 'Claude Code',
      how: 'Run this once in a terminal.',
      text: [
        `claude mcp add --transport http handbill ${mcp} \\`,
        `  --header "Authorization: Bearer ${key}"`,
      ].join('\n'),
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      how: 'Settings, Developer, Edit Config: put this into claude_desktop_config.json.',
      text: json({
        mcpServers: {
          handbill: {
            command: 'npx',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in
            args: ['mcp-remote', mcp, '--header', 'Authorization:${AUTH}'],
            env: { AUTH: `Bearer ${key}` },
          },
        },
      }),
    },
    ofHost('cursor', '~/.cursor/mcp.json'),
    ofHost('vscode', '.vscode/mcp.json of a folder'),
    ofHost('codex', '~/.codex/config.toml'),
    ofHost('gemini', '~/.gemini/settings.json'),
    {
      id: 'cli',
      name: 'Command line',
      how: 'One file for Node.js 20 or newer. Give it the key, then publish any file or folder.',
      text: [
        `curl -fsS ${baseUrl}/cli -o handbill && chmod +x handbill`,
        `echo '${key}' | ./handbill login --key -`,
        './handbill publish FILE',
      ].join('\n'),
    },
    {
      id: 'curl',
      name: 'curl',
      how: 'The answer’s url is where the page is.',
      text: [
        `curl ${baseUrl}/api/v1/pages \\`,
        `  -H 'Authorization: Bearer ${key}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{"html": "<!doctype html><title>Hello</title><h1>Hello</h1>"}'`,
      ].join('\n'),
    },
  ]
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
