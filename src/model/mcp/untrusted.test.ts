import { describe, expect, test } from 'bun:test'
import { INJECTIONS } from '../../testing/injections.ts'
import { untrustedBlock } from './results.ts'

const BLOCK = /^[^<]*<untrusted> lines[^<]*\n<untrusted>\n([^<>]*)\n<\/untrusted>$/

describe.each(INJECTIONS.map((text) => [text]))('%j', (text) => {
  test('stays within the block, as a value and as a name, and is the same text there', () => {
    const values = { [text]: text, list: [text] }
    const block = untrustedBlock(JSON.stringify(values))
    const [, json] = BLOCK.exec(block) ?? []
    expect(json, block).toBeDefined()
    expect(JSON.parse(json!)).toEqual(values)
    expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  })
})
