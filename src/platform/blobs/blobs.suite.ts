import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { newSha256 } from '../ids.ts'
import { type BlobContent, BlobDamaged, type Blobs, newBlobKey } from './index.ts'

/** A backend with storage of its own for one test. */
export interface BackendUnderTest {
  blobs: Blobs
  /** Null for a storage that holds no unfinished writes. */
  unfinished: {
    /** Leaves the same files as a process that ends in the middle of a `put`. */
    leave(): Promise<void>
    count(): Promise<number>
  } | null
  close(): Promise<void>
}

const NOT_KEYS = [
  '',
  '.',
  '..',
  '../../etc/passwd',
  `../${'a'.repeat(29)}`,
  `aa/${'a'.repeat(29)}`,
  `${'a'.repeat(31)}/`,
  `${'a'.repeat(31)}\0`,
  `${'a'.repeat(32)}\n`,
  'A'.repeat(32),
  'a'.repeat(31),
  'a'.repeat(33),
]

/** The contract of `Blobs`, which every backend must keep. */
export function describeBlobs(
  name: string,
  start: () => Promise<BackendUnderTest>,
  { leavesUnfinished = true } = {},
): void {
  describe(`blobs on ${name}`, () => {
    let backend: BackendUnderTest
    let blobs: Blobs
    beforeEach(async () => {
      backend = await start()
      blobs = backend.blobs
    })
    afterEach(() => backend.close())

    /** Size and hash of what was put, as their row has them. */
    const rows = new Map<string, { sizeBytes: number; hash: string }>()
    function open(key: string, start: number, end: number, signal?: AbortSignal): Promise<Blob> {
      const { sizeBytes, hash } = rows.get(key) ?? { sizeBytes: end, hash: '' }
      const blob = { key, hash, sizeBytes: Math.max(sizeBytes, end || 0) }
      return blobs.open(blob, { start, end }, signal)
    }
    const read = async (key: string, start: number, end: number) =>
      (await open(key, start, end)).bytes()
    const keys = async () => (await Array.fromAsync(blobs.list())).map(({ key }) => key)
    async function putAt(key: string, content: BlobContent): Promise<void> {
      const hasher = newSha256()
      let sizeBytes = 0
      async function* measured() {
        for await (const chunk of content instanceof Uint8Array ? [content] : content) {
          hasher.update(chunk)
          sizeBytes += chunk.byteLength
          yield chunk
        }
      }
      if (content instanceof Uint8Array) {
        sizeBytes = content.byteLength
        hasher.update(content)
      }
      const hash = once(() => hasher.digest('hex'))
      await blobs.put(key, content instanceof Uint8Array ? content : measured(), hash)
      rows.set(key, { sizeBytes, hash: hash() })
    }
    async function put(content: BlobContent): Promise<string> {
      const key = newBlobKey()
      await putAt(key, content)
      return key
    }
    const countUnfinished = async () => (await backend.unfinished?.count()) ?? 0

    describe('open', () => {
      it('gives the bytes from the start of the range up to, and without, its end', async () => {
        const bytes = patternOf(1000)
        const key = await put(bytes)
        for (const [start, end] of [
          [0, 1000],
          [0, 1],
          [10, 20],
          [500, 1000],
          [999, 1000],
        ] as const) {
          expectSame(await read(key, start, end), bytes.subarray(start, end))
        }
      })

      it('gives an empty body for an empty range, wherever it is', async () => {
        const key = await put(patternOf(10))
        for (const at of [0, 5, 10]) expect(await read(key, at, at)).toHaveLength(0)
        expect(await read(await put(new Uint8Array(0)), 0, 0)).toHaveLength(0)
      })

      it('rejects a range that goes beyond the end of the blob', async () => {
        const key = await put(patternOf(10))
        for (const [start, end] of [
          [0, 11],
          [9, 11],
          [10, 11],
          [11, 11],
          [500, 900],
        ] as const) {
          await expect(open(key, start, end)).rejects.toBeInstanceOf(BlobDamaged)
        }
      })

      it('rejects what is no range', async () => {
        const key = await put(patternOf(10))
        for (const [start, end] of [
          [-1, 5],
          [5, 4],
          [0.5, 5],
          [0, Number.NaN],
          [0, Infinity],
        ] as const) {
          await expect(open(key, start, end)).rejects.toBeInstanceOf(RangeError)
        }
      })

      it('rejects a key that is not there, an empty range of it included', async () => {
        for (const end of [0, 1]) {
          await expect(open(newBlobKey(), 0, end)).rejects.toBeInstanceOf(BlobDamaged)
        }
      })

      it('rejects with the reason of a signal that is aborted already', async () => {
        const key = await put(patternOf(10))
        const signal = AbortSignal.abort(new Error('The visitor left'))
        await expect(open(key, 0, 10, signal)).rejects.toThrow('The visitor left')
      })

      it('gives a body that a response sends through this process', async () => {
        const bytes = patternOf(200_000)
        const key = await put(bytes)
        const body = await open(key, 0, bytes.length)
        const headers = { 'content-type': 'image/png' }
        const server = Bun.serve({
          port: 0,
          hostname: '127.0.0.1',
          fetch: () => new Response(body, { headers }),
        })
        const answer = await fetch(server.url, { redirect: 'manual' })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('location')).toBeNull()
        expect([...answer.headers].join()).not.toContain(key)
        expect(answer.headers.get('content-length')).toBe(String(bytes.length))
        expectSame(await answer.bytes(), bytes)
        await server.stop(true)
      })

      it('opens one blob many times at once', async () => {
        const bytes = patternOf(300_000)
        const key = await put(bytes)
        const starts = Array.from({ length: 20 }, (_, at) => at * 1000)
        const parts = await Promise.all(starts.map((at) => read(key, at, at + 100_000)))
        for (const [at, part] of parts.entries()) {
          expectSame(part, bytes.subarray(starts[at], starts[at]! + 100_000))
        }
      })
    })

    describe('put', () => {
      it('stores bytes, and streams of any length', async () => {
        for (const size of [0, 1, 70_000, 12_000_000]) {
          const bytes = patternOf(size)
          expectSame(await read(await put(bytes), 0, size), bytes)
          expectSame(await read(await put(chunksOf(bytes, 65_536)), 0, size), bytes)
        }
        const unevenly = chunksOf(patternOf(1000), 7)
        expectSame(await read(await put(unevenly), 0, 1000), patternOf(1000))
      })

      it('leaves nothing of a stream that fails', async () => {
        for (const size of [0, 10, 12_000_000]) {
          const key = newBlobKey()
          const failing = failAfter(chunksOf(patternOf(size), 65_536))
          expect(await putAt(key, failing).catch(String)).toBe('Error: The connection broke')
          expect(await blobs.has(key)).toBe(false)
          expect(await keys()).toEqual([])
          expect(await countUnfinished()).toBe(0)
        }
      })

      it('shows nothing under the key before the blob is complete', async () => {
        const key = newBlobKey()
        const { promise: released, resolve: release } = Promise.withResolvers<void>()
        const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
        async function* slow() {
          yield patternOf(100_000)
          begin()
          await released
          yield patternOf(10)
        }
        const putting = putAt(key, slow())
        await begun
        expect(await blobs.has(key)).toBe(false)
        expect(await keys()).toEqual([])
        release()
        await putting
        expect(await blobs.has(key)).toBe(true)
        expect(await keys()).toEqual([key])
      })

      it('stores many blobs at once', async () => {
        const many = Array.from({ length: 40 }, (_, at) => patternOf(1000 + at))
        const stored = await Promise.all(many.map(put))
        for (const [at, bytes] of many.entries()) {
          expectSame(await read(stored[at]!, 0, bytes.length), bytes)
        }
        expect((await keys()).toSorted()).toEqual(stored.toSorted())
      })

      // An object is replaced by the store, and not here; two puts of one key never happen.
      if (leavesUnfinished) {
        it('stores one of two blobs whole under one key', async () => {
          const key = newBlobKey()
          const [zeros, ones] = [new Uint8Array(300_000).fill(0), new Uint8Array(300_000).fill(1)]
          await Promise.all([
            putAt(key, chunksOf(zeros, 10_000)),
            putAt(key, chunksOf(ones, 10_000)),
          ])
          // Either may be the one that stays, whichever ended first here.
          const openAs = ({ length }: Uint8Array, hash: string) =>
            blobs.open({ key, hash, sizeBytes: length }, { start: 0, end: length })
          const reads = [zeros, ones].map(async (put) =>
            (await openAs(put, newSha256().update(put).digest('hex'))).bytes(),
          )
          const bytes = await Promise.any(reads)
          expectSame(bytes, bytes[0] === 0 ? zeros : ones)
          expect(await keys()).toEqual([key])
          expect(await countUnfinished()).toBe(0)
        })
      }
    })

    describe('delete', () => {
      it('removes a blob, and no other', async () => {
        const [gone, left] = [await put(patternOf(10)), await put(patternOf(20))]
        await blobs.delete([gone])
        expect(await blobs.has(gone)).toBe(false)
        await expect(open(gone, 0, 10)).rejects.toBeInstanceOf(BlobDamaged)
        expect(await keys()).toEqual([left])
        expectSame(await read(left, 0, 20), patternOf(20))
      })

      it('removes many at once, those that are not there included', async () => {
        const stored = await Promise.all(Array.from({ length: 20 }, () => put(patternOf(1))))
        const left = await put(patternOf(10))
        await blobs.delete([...stored, newBlobKey()])
        expect(await keys()).toEqual([left])
        await blobs.delete([])
        expect(await keys()).toEqual([left])
      })

      it('does nothing for a key that is not there', async () => {
        await blobs.delete([newBlobKey()])
        const key = await put(patternOf(10))
        await blobs.delete([key])
        await blobs.delete([key])
        expect(await keys()).toEqual([])
      })
    })

    describe('list', () => {
      it('names every blob once, with the time it was written', async () => {
        const before = Date.now()
        const stored = [await put(patternOf(10)), await put(patternOf(10))]
        const listed = await Array.fromAsync(blobs.list())
        expect(listed.map(({ key }) => key).toSorted()).toEqual(stored.toSorted())
        for (const { writtenMs } of listed) {
          expect(writtenMs).toBeGreaterThan(before - 2000)
          expect(writtenMs).toBeLessThan(Date.now() + 2000)
        }
      })

      it('goes on when blobs are deleted meanwhile', async () => {
        const stored = await Promise.all(Array.from({ length: 30 }, () => put(patternOf(1))))
        const seen: string[] = []
        for await (const { key } of blobs.list()) {
          seen.push(key)
          if (seen.length === 1) await blobs.delete(stored)
        }
        expect(stored).toEqual(expect.arrayContaining(seen))
        expect(await keys()).toEqual([])
      })

      async function namesNoUnfinishedWrite() {
        await backend.unfinished!.leave()
        expect(await countUnfinished()).toBe(1)
        expect(await keys()).toEqual([])
      }
      if (leavesUnfinished) it('names no unfinished write', namesNoUnfinishedWrite)
    })

    describe('deleteUnfinished', () => {
      it('removes interrupted writes that began before the time, and no blob', async () => {
        const key = await put(patternOf(10))
        const count = leavesUnfinished ? 2 : 0
        for (let left = 0; left < count; left++) await backend.unfinished!.leave()
        expect(await blobs.deleteUnfinished(Date.now() - 60_000)).toBe(0)
        expect(await countUnfinished()).toBe(count)
        expect(await blobs.deleteUnfinished(Date.now() + 60_000)).toBe(count)
        expect(await countUnfinished()).toBe(0)
        expect(await keys()).toEqual([key])
      })
    })

    for (const key of NOT_KEYS) {
      it(`refuses ${JSON.stringify(key)} as a key, whatever is asked of it`, async () => {
        const acts = [
          () => putAt(key, patternOf(10)),
          () => open(key, 0, 0),
          () => blobs.has(key),
          () => blobs.delete([key]),
          () => blobs.delete([newBlobKey(), key]),
        ]
        for (const act of acts) await expect(act()).rejects.toThrow('Not a blob key')
        expect(await keys()).toEqual([])
        expect(await countUnfinished()).toBe(0)
      })
    }
  })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Bytes of which no two neighbouring parts are equal. */
function patternOf(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8) * 7 + (at >> 16)) & 255
  return bytes
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* failAfter(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
  throw new Error('The connection broke')
}

/** Compares without printing millions of bytes when they differ. */
function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.byteLength).toBe(expected.byteLength)
  expect(Buffer.compare(actual, expected)).toBe(0)
}

/** @param count more than the storage returns in one listing */
export function describeManyBlobs(
  name: string,
  start: () => Promise<BackendUnderTest>,
  count: number,
): void {
  describe(`blobs on ${name}`, () => {
    it('names more blobs than a storage lists in one answer', async () => {
      const { blobs, close } = await start()
      const bytes = patternOf(1)
      const hash = newSha256().update(bytes).digest('hex')
      const keys = Array.from({ length: count }, () => newBlobKey())
      await Promise.all(keys.map((key) => blobs.put(key, bytes, () => hash)))
      const listed = await Array.fromAsync(blobs.list())
      expect(listed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
      await close()
    })
  })
}
