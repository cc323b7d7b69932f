import { describe, expect, test } from 'bun:test'
import { linesFor } from './lines.ts'

const ALL = linesFor({ baseUrl: 'https://pages.example.com', key: 'sm_secret' })

describe('the lines to paste', () => {
  test('name the server and the key, but for agents that need the address alone', () => {
    for (const { id, text } of ALL) {
      expect(text).toContain('https://pages.example.com')
      expect(text.includes('sm_secret')).toBe(id !== 'address')
    }
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length)
  })
  test('are JSON where they are a file', () => {
    for (const { text } of ALL) {
      if (text.startsWith('{')) expect(Object.keys(JSON.parse(text) as object)).toHaveLength(1)
    }
  })
  test('are commands that a shell can parse', () => {
    for (const { id, text } of ALL) {
      if (id === 'address' || /^[{[]/.test(text)) continue
      expect(Bun.spawnSync(['sh', '-n', '-c', text]).exitCode).toBe(0)
    }
  })
})
