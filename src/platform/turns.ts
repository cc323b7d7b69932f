const SLICE_BYTES = 2 * 1024 * 1024

interface Waiting {
  share: number
  resume(): void
}

/**
 * Yields to the event loop until a turn of it has time for more work. Called before each piece of
 * long work, so that many pieces, of one request or of many, do not block other requests together.
 *
 * @param share the part of a turn that the piece takes: 1, if not given, is some milliseconds
 */
export type TakeTurn = (share?: number) => Promise<void>

/** All work shares one scheduler, since there is one event loop. */
export const takeTurn: TakeTurn = createTurns()

/** For tests. */
export function createTurns(): TakeTurn {
  /** The calls that wait for a later turn, in their order. */
  const waiting: Waiting[] = []
  /** The part of this turn that is used. */
  let taken = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isScheduled = false
    taken = 0
    while (waiting.length > 0 && taken + waiting[0]!.share <= 1) {
      const { share, resume } = waiting.shift()!
      taken += share
      resume()
    }
    if (taken > 0) schedule()
  }

  return (share = 1) => {
    const wanted = Math.min(share, 1)
    schedule()
    if (waiting.length === 0 && taken + wanted <= 1) {
      taken += wanted
      return Promise.resolve()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ share: wanted, resume: resolve })
    return promise
  }
}

/**
 * Slices of the bytes, each small enough for one turn of the event loop, and in a turn of its own.
 */
export async function* slicesInTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES)
    await takeTurn(slice.byteLength / SLICE_BYTES)
    yield slice
  }
}

/**
 * The bytes in a buffer of their own, which can be transferred to a thread. Copies only if needed.
 */
export async function movable(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) {
    return new Uint8Array(buffer)
  }
  return copyInTurns(bytes)
}

/** Copying 50 MB at once would block other requests. */
async function copyInTurns(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength)
  let at = 0
  for await (const slice of slicesInTurns(bytes)) {
    copy.set(slice, at)
    at += slice.byteLength
  }
  return copy
}
