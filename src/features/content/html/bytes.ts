/** The same memory, with Buffer's searches. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A stretch of a file and what stands there instead. */
export interface Patch {
  start: number
  end: number
  text: string
}

/** @param patches in order, not overlapping; @returns the same object when there are none */
export function patchBytes(bytes: Uint8Array, patches: readonly Patch[]): Uint8Array {
  if (patches.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of patches) {
    parts.push(bytes.subarray(at, start), Buffer.from(text))
    at = end
  }
  parts.push(bytes.subarray(at))
  return Buffer.concat(parts)
}

/** As `patchBytes`, by characters. */
export function patchText(text: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const patch of patches) {
    parts.push(text.slice(at, patch.start), patch.text)
    at = patch.end
  }
  return parts.join('') + text.slice(at)
}
