/** A Buffer on the same memory, for its search methods. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A range of a file and the text that replaces it. */
export interface Patch {
  start: number
  end: number
  text: string
}

/**
 * @param patches in order and not overlapping
 * @returns the same object where there are none
 */
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

/** The same as `patchBytes`, for text. */
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
