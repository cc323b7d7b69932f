/** /llms.txt and /llms-full.txt: the whole reference as text for language models. */
import { expect, test } from 'bun:test'
import { type Answer, send } from './client.ts'
import { document } from './reference.ts'

function expectMarkdown(answer: Answer): void {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(answer.text).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/)
  expect(answer.text.match(/^# /gm), 'one title').toHaveLength(1)
  const prose = answer.text.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '')
  expect(prose, 'nothing of HTML').not.toMatch(/<\/?[a-z]|&(amp|lt|gt|quot|#39);/)
  expect(answer.text).not.toMatch(/undefined|\[object|NaN|sm_\w/)
}

test('/llms.txt has a title, a summary, and under each heading links with descriptions', async () => {
  const answer = await send('/llms.txt')
  expectMarkdown(answer)
  const [, ...sections] = answer.text.split(/^## /m)
  expect(sections.length).toBeGreaterThan(5)
  for (const section of sections) {
    const [title, ...lines] = section.split('\n').filter((line) => line !== '')
    expect(lines.length, `entries of ${title}`).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(https?:[^)]+\)(: .+[^:])?$/)
  }
})

test('/llms.txt names every operation and every error code', async () => {
  const { text } = await send('/llms.txt')
  const { operations, errors } = await document()
  for (const { method, path } of operations) {
    expect(text).toContain(`- [${method.toUpperCase()} ${path}](`)
  }
  const lines = text.split('\n')
  for (const { code, status } of errors) {
    const entries = lines.filter((line) => line.startsWith(`- [${code}](`))
    expect(entries, code).toHaveLength(1)
    expect(entries[0]).toContain(`): ${status}. `)
  }
})

test('every link of both texts answers 200, and its anchor exists', async () => {
  const texts = await Promise.all(['/llms.txt', '/llms-full.txt'].map((path) => send(path)))
  const links = texts.flatMap(({ text }) => text.match(/(?<=\]\()https?:[^)]+/g) ?? [])
  expect(links.length).toBeGreaterThan(50)
  const pages = new Map<string, string>()
  for (const link of new Set(links)) {
    const [address = '', anchor] = link.split('#')
    if (!pages.has(address)) {
      const answer = await send(address)
      expect(answer.status, address).toBe(200)
      pages.set(address, answer.text)
    }
    if (anchor !== undefined) expect(pages.get(address), link).toContain(` id="${anchor}"`)
  }
})

test('/llms-full.txt documents every operation with its tools, codes and an example', async () => {
  const answer = await send('/llms-full.txt')
  expectMarkdown(answer)
  const { operations } = await document()
  const entries = answer.text.split(/^### /m)
  for (const { method, path, codes, tools, success, isSessionOnly } of operations) {
    const results = entries.filter((one) => one.includes(`\n\`${method.toUpperCase()} ${path}\``))
    expect(results, `${method} ${path}`).toHaveLength(1)
    for (const name of [...codes, ...tools]) expect(results[0]).toContain(`\`${name}\``)
    expect(results[0]).toContain(`Answers \`${success}\``)
    expect(results[0]!.includes('```sh\ncurl ')).toBe(!isSessionOnly)
    expect(results[0]!.includes('Takes no API key')).toBe(isSessionOnly)
  }
})

test('/llms-full.txt explains each error code and what to do, once', async () => {
  const { text } = await send('/llms-full.txt')
  const { errors } = await document()
  for (const { code, status, meaning, cure } of errors) {
    expect(text.split(`- \`${code}\` (${status}): ${meaning} ${cure}\n`), code).toHaveLength(2)
  }
})

test('/llms-full.txt documents every parameter and field, the limits, and authentication', async () => {
  const { text } = await send('/llms-full.txt')
  const names = membersIn((await send('/openapi.json')).json)
  expect(names.size).toBeGreaterThan(100)
  for (const name of names) expect(text).toContain(`- \`${name}\` (`)
  for (const words of [
    'Authorization: Bearer $HANDBILL_API_KEY',
    '`max_views` (whole number or null)',
    'Free: 5 MB a page or file',
    'data-service',
    '/mcp`',
    '`Retry-After`',
  ]) {
    expect(text).toContain(words)
  }
})

/** The names of all properties of a schema. */
function membersIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties') for (const name of Object.keys(inner)) names.add(name)
    membersIn(inner, names)
  }
  return names
}
