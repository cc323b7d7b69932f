import type { Sent } from './json.ts'
import { exactNumber } from './numbers.ts'

export const MAX_LEVELS = 32

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly [string, Sent][] = [
  ['null', null],
  ['true', true],
  ['false', false],
]
const QUOTE = 34
const BACKSLASH = 92

/**
 * As `JSON.parse`, but objects are maps, so that their keys stay in order, and long whole numbers
 * keep all their digits. Throws a SyntaxError, or a RangeError beyond `MAX_LEVELS`.
 *
 * @param foundTwice told of a name that one object has twice: the last one stands
 */
export function parseJson(text: string, foundTwice?: (name: string) => void): Sent {
  let at = 0

  function readValue(level: number): Sent {
    const first = text[at]
    if (first === '"') return readString()
    if (first !== '{' && first !== '[') return readPlain()
    if (level >= MAX_LEVELS) throw new RangeError(`More than ${MAX_LEVELS} levels.`)
    return first === '{' ? readObject(level + 1) : readList(level + 1)
  }

  function readObject(level: number): Map<string, Sent> {
    const members = new Map<string, Sent>()
    readSeries('}', () => {
      const key = text[at] === '"' ? readString() : fail()
      skipSpace()
      if (!take(':')) fail()
      skipSpace()
      const value = readValue(level)
      if (members.has(key)) foundTwice?.(key)
      members.set(key, value)
    })
    return members
  }

  function readList(level: number): Sent[] {
    const items: Sent[] = []
    readSeries(']', () => items.push(readValue(level)))
    return items
  }

  function readSeries(end: string, readOne: () => void): void {
    at += 1
    skipSpace()
    if (take(end)) return
    for (;;) {
      readOne()
      skipSpace()
      if (take(end)) return
      if (!take(',')) fail()
      skipSpace()
    }
  }

  /** The platform reads the string itself: what it gives holds on to none of the text around. */
  function readString(): string {
    const start = at
    for (at += 1; text.charCodeAt(at) !== QUOTE; at += 1) {
      if (at >= text.length) fail()
      if (text.charCodeAt(at) === BACKSLASH) at += 1
    }
    at += 1
    return JSON.parse(text.slice(start, at))
  }

  function readPlain(): Sent {
    const start = at
    NUMBER.lastIndex = at
    if (NUMBER.test(text)) {
      at = NUMBER.lastIndex
      return exactNumber(text.slice(start, at))
    }
    for (const [word, value] of WORDS) if (take(word)) return value
    return fail()
  }

  function take(word: string): boolean {
    if (!text.startsWith(word, at)) return false
    at += word.length
    return true
  }

  function skipSpace(): void {
    while (isSpace(text.charCodeAt(at))) at += 1
  }

  function fail(): never {
    throw new SyntaxError(`Not JSON at character ${at}.`)
  }

  skipSpace()
  const value = readValue(0)
  skipSpace()
  return at === text.length ? value : fail()
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
