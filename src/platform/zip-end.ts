/** How much of the end of a zip `endsWhole` looks at. */
export const ZIP_END_BYTES = 98

const END = { signature: 0x06054b50, bytes: 22 }
const LARGE_END = { signature: 0x06064b50, bytes: 56 }
const LOCATOR = { signature: 0x07064b50, bytes: 20 }

/**
 * Whether a zip without a comment is complete: nothing at its end was cut off or added. The content
 * is not checked.
 *
 * @param tail its last `ZIP_END_BYTES`, or all of it where it is shorter
 */
export function endsWhole(tail: Uint8Array, sizeBytes: number): boolean {
  const view = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength)
  const at = view.byteLength - END.bytes
  if (at < 0 || view.readUInt32LE(at) !== END.signature) return false
  const [listBytes, listStart] = [view.readUInt32LE(at + 12), view.readUInt32LE(at + 16)]
  if (listStart + listBytes + END.bytes === sizeBytes) return true
  return largeEndsWhole(view.subarray(0, at), sizeBytes - END.bytes)
}

/** Many or large entries are listed in front of an end of their own, which a locator follows. */
function largeEndsWhole(view: Buffer, sizeBytes: number): boolean {
  const locatorAt = view.byteLength - LOCATOR.bytes
  const at = locatorAt - LARGE_END.bytes
  if (at < 0 || view.readUInt32LE(locatorAt) !== LOCATOR.signature) return false
  if (view.readUInt32LE(at) !== LARGE_END.signature) return false
  const [listBytes, listStart] = [view.readBigUInt64LE(at + 40), view.readBigUInt64LE(at + 48)]
  return listStart + listBytes === BigInt(sizeBytes - LOCATOR.bytes - LARGE_END.bytes)
}
