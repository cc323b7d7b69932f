/**
 * More than any valid request needs: three for each file of the largest deck. JSON of this size is
 * parsed within some milliseconds.
 */
const MAX_VALUES = 32_000
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON is small enough in structure to be parsed and validated at once. A few megabytes of
 * empty objects or brackets would hold up all other requests for seconds. Takes linear time, and
 * says nothing about whether the JSON is valid.
 */
export function isModestJson(bytes: Uint8Array, maxValues = MAX_VALUES): boolean {
  const { length } = bytes
  let [values, depth] = [0, 0]
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
    if (values > maxValues || depth > MAX_DEPTH) return false
  }
  return true
}

/** The place of the closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
