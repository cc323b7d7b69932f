import { decodeHTML } from 'entities/decode'
import { bufferOf } from './bytes.ts'
import { attributeText, readTokens } from './tokens.ts'

/** Elements whose content nobody reads as text. */
const HIDDEN = new Set('title script style template noscript iframe noembed noframes'.split(' '))
/** Elements within a line. All others begin a new one. */
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter ' +
    'output progress q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

/**
 * The text of an HTML document as its readers see it, one line for each block. It knows no styles:
 * text that a style hides is among the lines.
 *
 * @param bytes HTML in UTF-8
 */
export function textLines(bytes: Uint8Array): string[] {
  const buffer = bufferOf(bytes)
  const lines: string[] = []
  let line = ''
  /** The open element whose content is left out, and how many of that name are open within. */
  let hidden: { name: string; depth: number } | null = null

  function endLine(): void {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push(text)
    line = ''
  }

  readTokens(buffer, {
    startTag(tag) {
      const { name } = tag
      if (hidden !== null) {
        if (name === hidden.name) hidden.depth += 1
        return
      }
      if (!INLINE.has(name)) endLine()
      if (HIDDEN.has(name)) hidden = { name, depth: 1 }
      if (name === 'img') line += ` ${attributeText(buffer, tag, 'alt') ?? ''} `
    },
    endTag(name) {
      if (hidden !== null) {
        if (name === hidden.name && --hidden.depth === 0) hidden = null
        return
      }
      if (!INLINE.has(name)) endLine()
    },
    text(start, end) {
      if (hidden === null) line += decodeHTML(buffer.toString('utf8', start, end))
    },
  })
  endLine()
  return lines
}
