import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENT_CODES, ERRORS, FORM_CODES, SETTINGS_CODES } from './index.ts'

const SOURCES = join(import.meta.dir, '../..')
const FORMS_GUIDE = join(SOURCES, '../docs/forms.md')

describe('the catalogue of error codes', () => {
  test('has no code that is never used', () => {
    const thrown = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => /(?<!\.test)\.ts$/.test(file) && !/^(model\/error-codes|testing)\//.test(file),
      )
      .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
      .join('\n')
    expect(Object.keys(ERRORS).filter((code) => !thrown.includes(`'${code}'`))).toEqual([])
  })
  test('gives every code a meaning and a cure, in sentences', () => {
    for (const [code, { meaning, cure }] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      for (const words of [meaning, cure]) expect(words, code).toMatch(/^[^a-z\s].+[.]$/)
      expect<string>(meaning).not.toBe(cure)
    }
  })
  test('separates the codes of the API from those of a page’s form', () => {
    const ofApi: string[] = [...CONTENT_CODES, ...SETTINGS_CODES]
    expect(FORM_CODES.filter((code) => ofApi.includes(code))).toEqual([])
    expect(FORM_CODES).toContain('rate_limited')
    expect(FORM_CODES.length).toBe(new Set(FORM_CODES).size)
  })
  test('agrees with docs/forms.md about the codes of forms', () => {
    const rows = readFileSync(FORMS_GUIDE, 'utf8').match(/^\| `[a-z_`, ]+ \|/gm) ?? []
    const named = rows.flatMap((row) => row.match(/(?<=`)[a-z_]+(?=`)/g) ?? [])
    expect(FORM_CODES.filter((code) => !named.includes(code))).toEqual([])
  })
})
