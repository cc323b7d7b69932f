import { type Draft, withText } from './draft.ts'

export interface Match {
  path: string
  /** From 1, as the editor counts. */
  line: number
  /** From 0, in the line. */
  column: number
  length: number
  /** The text of the line around it, cut short. */
  before: string
  found: string
  after: string
}

export interface Query {
  text: string
  isCaseSensitive: boolean
}

const AROUND_CHARS = 40
const MAX_FOUND_CHARS = 80

function pattern({ text, isCaseSensitive }: Query): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(escaped, isCaseSensitive ? 'gu' : 'giu')
}

/** The texts that are searched: all HTML files, and the assets that have been opened. */
function texts({ files, assets }: Draft): { path: string; text: string }[] {
  return [
    ...files,
    ...assets.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }])),
  ]
}

/** All places of a text, file by file. @param limit how many are described; all are counted */
export function findAll(draft: Draft, query: Query, limit: number) {
  const matches: Match[] = []
  let total = 0
  const paths = new Set<string>()
  if (query.text === '') return { matches, total, files: 0 }
  for (const { path, text } of texts(draft)) {
    let line = 1
    let counted = 0
    for (const { index: from, 0: found } of text.matchAll(pattern(query))) {
      total += 1
      paths.add(path)
      if (matches.length >= limit) continue
      for (; counted < from; counted += 1) if (text[counted] === '\n') line += 1
      const column = from - lineStartOf(text, from)
      const length = found.length
      matches.push({ path, line, column, length, ...around(text, from, found) })
    }
  }
  return { matches, total, files: paths.size }
}

function lineStartOf(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

function around(text: string, from: number, found: string) {
  const to = from + found.length
  const start = Math.max(lineStartOf(text, from), from - AROUND_CHARS)
  const lineEnd = text.indexOf('\n', to)
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, to + AROUND_CHARS)
  return {
    before: text.slice(start, from).trimStart(),
    found: found.slice(0, MAX_FOUND_CHARS),
    after: text.slice(to, end).trimEnd(),
  }
}

/** Replaces every place in every file. */
export function replaceAll(draft: Draft, query: Query, replacement: string): Draft {
  if (query.text === '') return draft
  return texts(draft).reduce((changed, { path, text }) => {
    const next = text.replace(pattern(query), () => replacement)
    return next === text ? changed : withText(changed, path, next)
  }, draft)
}
