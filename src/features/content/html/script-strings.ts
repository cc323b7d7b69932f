/** The place of a string's text, between its quotes. */
export interface StringPlace {
  start: number
  end: number
}

/** A bracket, or the `${` of a template, that is still open. */
interface Bracket {
  opener: string
  /** Whether it is a part of a value when it is closed: a slash then divides. */
  isValue: boolean
}

const WORD = /[\w$#\\\x80-\uffff]+/y
const CLOSERS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '${': '}' }
/** An expression may follow these words, so a slash after them starts a regular expression. */
const BEFORE_EXPRESSION = new Set([
  ...['await', 'case', 'default', 'delete', 'do', 'else', 'extends', 'in', 'instanceof', 'new'],
  ...['of', 'return', 'throw', 'typeof', 'void', 'yield'],
])
const BEFORE_CONDITION = new Set(['if', 'while', 'for', 'with'])
const BEFORE_BLOCK = new Set(['', ';', ')', '{', '}', '>', 'do', 'else', 'try', 'finally'])

/**
 * Finds the strings of a script, and templates without substitutions, but not what looks like one
 * in a comment, a regular expression or another string. Reads each character once.
 *
 * @returns null for a script that it cannot read to the end
 */
export function findStrings(source: string): StringPlace[] | null {
  const strings: StringPlace[] = []
  const open: Bracket[] = []
  /** The last token: a word, or one character. */
  let last = ''
  let isValue = false

  function took(token: string, endsValue: boolean, end: number): number {
    last = token
    isValue = endsValue
    return end
  }
  function readString(start: number, quote: string): number {
    const end = endOfString(source, start, quote)
    if (end < 0) return -1
    strings.push({ start, end })
    return took(quote, true, end + 1)
  }
  /** @param isFirst false after a substitution */
  function readTemplate(start: number, isFirst: boolean): number {
    const end = endOfTemplatePart(source, start)
    if (end < 0) return -1
    if (source[end] === '`') {
      if (isFirst) strings.push({ start, end })
      return took('`', true, end + 1)
    }
    open.push({ opener: '${', isValue: false })
    return took('{', false, end + 2)
  }
  function openBracket(opener: string, at: number): number {
    const isPart =
      opener === '{' ? !BEFORE_BLOCK.has(last) : opener === '[' || !BEFORE_CONDITION.has(last)
    open.push({ opener, isValue: isPart })
    return took(opener, false, at + 1)
  }
  function closeBracket(closer: string, at: number): number {
    const bracket = open.pop()
    if (bracket === undefined || CLOSERS[bracket.opener] !== closer) return -1
    if (bracket.opener === '${') return readTemplate(at + 1, false)
    return took(closer, bracket.isValue, at + 1)
  }
  function readSlash(at: number): number {
    const comment = endOfComment(source, at)
    if (comment !== 0) return comment
    if (isValue) return took('/', false, at + 1)
    const end = endOfRegex(source, at)
    return end < 0 ? -1 : took('/', true, end)
  }
  function readOther(char: string, at: number): number {
    WORD.lastIndex = at
    const word = WORD.exec(source)?.[0]
    if (word !== undefined) {
      const isName = last === '.' || !(BEFORE_EXPRESSION.has(word) || BEFORE_BLOCK.has(word))
      return took(last === '.' ? '.name' : word, isName, at + word.length)
    }
    if (char <= ' ') return at + 1
    // After a value it stays one (`i++ / 2`); before one (`++i`) there is none yet.
    const isStep = (char === '+' || char === '-') && source[at + 1] === char
    return isStep ? at + 2 : took(char, false, at + 1)
  }
  function read(char: string, at: number): number {
    if (char === '"' || char === "'") return readString(at + 1, char)
    if (char === '`') return readTemplate(at + 1, true)
    if (char === '/') return readSlash(at)
    if (char === '(' || char === '[' || char === '{') return openBracket(char, at)
    if (char === ')' || char === ']' || char === '}') return closeBracket(char, at)
    return readOther(char, at)
  }

  let at = source.startsWith('#!') ? endOfLine(source, 0) : 0
  while (at >= 0 && at < source.length) at = read(source[at]!, at)
  return at < 0 || open.length > 0 ? null : strings
}

/** @returns the place of the closing quote; -1 where the line ends before */
function endOfString(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === quote) return at
    else if (char === '\n') return -1
  }
  return -1
}

/** @returns the place of the closing backtick or of the next `${` */
function endOfTemplatePart(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '`' || (char === '$' && source[at + 1] === '{')) return at
  }
  return -1
}

/** @returns the place after a comment; 0 where none starts here; -1 where it never ends */
function endOfComment(source: string, at: number): number {
  const second = source[at + 1]
  if (second === '/') return endOfLine(source, at)
  if (second !== '*') return 0
  const end = source.indexOf('*/', at + 2)
  return end < 0 ? -1 : end + 2
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end < 0 ? source.length : end
}

/** @returns the place after the closing slash; -1 where the line ends before */
function endOfRegex(source: string, from: number): number {
  let isInClass = false
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '\n') return -1
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === '/' && !isInClass) return at + 1
  }
  return -1
}
