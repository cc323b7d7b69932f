const SLOTS = 1024
const MAX_KEPT_BYTES = 32

/**
 * Reads the names of tags and attributes, in lower case. A page has the same few again and again,
 * and making a string of bytes costs more than the rest of reading a tag, so each is made once. A
 * slot keeps the last name that fell to it: whatever the names are, time and memory stay bounded.
 */
export function createNameReader(buffer: Buffer) {
  const kept = new Array<string>(SLOTS).fill('')
  return function readName(start: number, end: number): string {
    if (end - start > MAX_KEPT_BYTES) return makeName(buffer, start, end)
    let slot = 0
    for (let at = start; at < end; at++) slot = (slot * 31 + buffer[at]!) % SLOTS
    const known = kept[slot]!
    if (known.length === end - start && isAt(buffer, start, known)) return known
    const name = makeName(buffer, start, end)
    kept[slot] = name
    return name
  }
}

function makeName(buffer: Buffer, start: number, end: number): string {
  return buffer.toString('utf8', start, end).toLowerCase()
}

/** Byte by byte: a name with other than ASCII in it is none that is known. */
function isAt(buffer: Buffer, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = buffer[start + i]!
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte
    if (lower !== name.charCodeAt(i) || byte > 127) return false
  }
  return true
}
