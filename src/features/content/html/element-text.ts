// `noscript` is one of them in a browser that runs scripts.
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'title textarea style xmp iframe noembed noframes noscript script plaintext'.split(' '),
)

const LESS = 60
const SLASH = 47
const BANG = 33
const DASH = 45
const GREATER = 62
const SPACE = 32

/** Whether the content of such an HTML element is text and not markup. */
export function holdsText(name: string): boolean {
  return TEXT_ELEMENTS.has(name)
}

/** @returns the end of an element's text: its end tag, else the end of the document */
export function endOfElementText(buffer: Buffer, from: number, name: string): number {
  if (name === 'plaintext') return buffer.length
  for (let at = buffer.indexOf('</', from); at >= 0; at = buffer.indexOf('</', at + 2)) {
    if (!isTagName(buffer, at + 2, name)) continue
    const escaped = name === 'script' && buffer.subarray(from, at).includes('<!--')
    return escaped ? endOfEscapedScript(buffer, from) : at
  }
  return buffer.length
}

/**
 * A script with `<!--` and then `<script` in it continues past the next `</script>`, until `-->`:
 * the "script data double escaped" state of HTML. Pages with inlined templates have such scripts.
 */
function endOfEscapedScript(buffer: Buffer, from: number): number {
  let state: 'plain' | 'escaped' | 'double' = 'plain'
  for (let at = from; at < buffer.length; at++) {
    const byte = buffer[at]!
    if (byte === GREATER) {
      const closes = buffer[at - 1] === DASH && buffer[at - 2] === DASH && at - 2 >= from
      if (closes) state = 'plain'
    } else if (byte === LESS) {
      const next = buffer[at + 1]
      if (next === SLASH && isTagName(buffer, at + 2, 'script')) {
        if (state !== 'double') return at
        state = 'escaped'
      } else if (state === 'plain' && next === BANG) {
        if (buffer[at + 2] === DASH && buffer[at + 3] === DASH) state = 'escaped'
      } else if (state === 'escaped' && isTagName(buffer, at + 1, 'script')) {
        state = 'double'
      }
    }
  }
  return buffer.length
}

/** Whether the name is there, in any case, followed by a character that ends a tag's name. */
function isTagName(buffer: Buffer, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((buffer[at + i]! | 32) !== name.charCodeAt(i)) return false
  }
  const after = buffer[at + name.length]
  if (after === GREATER || after === SLASH || after === SPACE) return true
  return after !== undefined && after >= 9 && after <= 13 && after !== 11
}
