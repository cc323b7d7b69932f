const SLOTS = 1024
const MAX_CACHED_BYTES = 32
/** So many bytes are two numbers of 32 bits: a name up to this length is compared as those. */
const SHORT_BYTES = 8

/**
 * Reads the names of tags and attributes, in lower case. A page repeats the same few, and making a
 * string from bytes costs more than the rest of reading a tag, so each string is cached. A slot of
 * the cache has the last name that hashed to it, which bounds time and memory for any names.
 */
export function createNameReader(buffer: Buffer) {
  const cache = new Array<string>(SLOTS).fill('')
  const shortNames = new Array<string>(SLOTS).fill('')
  const sizes = new Uint8Array(SLOTS)
  const [firsts, seconds] = [new Int32Array(SLOTS), new Int32Array(SLOTS)]

  function readShort(start: number, end: number): string {
    const size = end - start
    const middle = size > 4 ? start + 4 : end
    let [first, second] = [0, 0]
    for (let at = start; at < middle; at++) first = (first << 8) | buffer[at]!
    for (let at = middle; at < end; at++) second = (second << 8) | buffer[at]!
    const slot = (Math.imul(first, 31) ^ Math.imul(second, 17) ^ (first >> 9)) & (SLOTS - 1)
    const isCached = firsts[slot] === first && seconds[slot] === second && sizes[slot] === size
    if (isCached) return shortNames[slot]!
    firsts[slot] = first
    seconds[slot] = second
    sizes[slot] = size
    shortNames[slot] = makeName(buffer, start, end)
    return shortNames[slot]!
  }

  return function readName(start: number, end: number): string {
    if (end - start <= SHORT_BYTES) return readShort(start, end)
    if (end - start > MAX_CACHED_BYTES) return makeName(buffer, start, end)
    let slot = 0
    for (let at = start; at < end; at++) slot = (slot * 31 + buffer[at]!) % SLOTS
    const cached = cache[slot]!
    if (cached.length === end - start && isAt(buffer, start, cached)) return cached
    const name = makeName(buffer, start, end)
    cache[slot] = name
    return name
  }
}

function makeName(buffer: Buffer, start: number, end: number): string {
  return buffer.toString('utf8', start, end).toLowerCase()
}

/** Whether an ASCII name is there, in any case; false for a name with other characters. */
function isAt(buffer: Buffer, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = buffer[start + i]!
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte
    if (lower !== name.charCodeAt(i) || byte > 127) return false
  }
  return true
}
