/** The skill at `/skill.md`, by the MCP extension for skills, with the official client. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { send } from './client.ts'
import { everyCase } from './expect.ts'
import { sha256 } from './material.ts'
import { type Agent, agent, ERAS, TRANSPORTS } from './mcp-client.ts'
import { server } from './server.ts'

const agents = new Map<string, Agent>()
beforeAll(async () => {
  for (const transport of TRANSPORTS) {
    for (const era of ERAS) agents.set(`${transport} ${era}`, await agent(transport, { era }))
  }
})
afterAll(async () => {
  for (const each of agents.values()) await each[Symbol.asyncDispose]()
})

const URI = 'skill://handbill/SKILL.md'

test('the skill is a resource with the address of this server, as /skill.md is', async () => {
  const { text } = await send('/skill.md')
  expect(text).toContain(server.url)
  await everyCase(agents, async ({ client }) => {
    const { contents } = await client.readResource({ uri: URI })
    expect(contents).toMatchObject([{ uri: URI, mimeType: 'text/markdown', text }])
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri: URI, name: 'handbill' }])
    await expect(client.readResource({ uri: 'skill://handbill/../.env' })).rejects.toThrow()
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow()
  })
})

test('clients of 2026 find it, with the digest of its bytes, by skills/list and skills/get', async () => {
  const { text } = await send('/skill.md')
  const of2026 = [...agents].filter(([name]) => name.endsWith('2026-07-28'))
  expect(of2026).toHaveLength(2)
  await everyCase(of2026, async ({ client }) => {
    expect(client.getServerCapabilities()?.extensions).toHaveProperty([
      'io.modelcontextprotocol/skills',
    ])
    const skills = new SkillsClient(client)
    const { skills: results } = await skills.list()
    expect(results).toMatchObject([{ uri: URI, frontmatter: { name: 'handbill' } }])
    expect(results[0]!.resources).toMatchObject([{ uri: URI, digest: `sha256:${sha256(text)}` }])
    const { skill } = await skills.get(URI)
    expect(await skills.read(skill)).toMatchObject({ text, verified: true })
    await expect(skills.get('skill://other/SKILL.md')).rejects.toThrow()
  })
})
