import { expect, it } from 'bun:test'
import { Readable } from 'node:stream'
import { filesInZip } from '../testing/zip.ts'
import { writeZip, type ZipWriter } from './zip.ts'

async function bytesOf(
  addAll: (zip: ZipWriter) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeZip(addAll)) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
const text = (content: string) => async () => Readable.from([Buffer.from(content)])

it('writes entries one after the other, each opened when its turn has come', async () => {
  let open = 0
  let most = 0
  const counted = (content: string) => async () => {
    open += 1
    most = Math.max(most, open)
    const stream = Readable.from([Buffer.from(content)])
    stream.on('end', () => {
      open -= 1
    })
    return stream
  }
  const zip = await bytesOf(async ({ add, addLazily }) => {
    add('a.txt', Buffer.from('first'))
    addLazily('b/é.txt', counted('second'.repeat(1000)))
    addLazily('c.png', counted('third'), { isPacked: true })
  })
  const files = Object.entries(await filesInZip(zip))
  const result = Object.fromEntries(files.map(([path, content]) => [path, content.toString()]))
  expect(result).toEqual({ 'a.txt': 'first', 'b/é.txt': 'second'.repeat(1000), 'c.png': 'third' })
  expect(most).toBe(1)
})

it('keeps nothing of the entries that are written', async () => {
  const contents: WeakRef<object>[] = []
  let left = Infinity
  await bytesOf(async ({ addLazily, write }) => {
    for (let at = 0; at < 200; at++) {
      const content = { text: `entry ${at}` }
      contents.push(new WeakRef(content))
      addLazily(`${at}.txt`, async () => Readable.from([Buffer.from(content.text)]))
      await write(`${at}.bin`, Readable.from([Buffer.from('x')]))
    }
    // A reference ends with the turn of the event loop that made it.
    await Bun.sleep(1)
    Bun.gc(true)
    left = contents.filter((content) => content.deref() !== undefined).length
  })
  expect(left).toBeLessThan(20)
})

it.each([
  [
    'an entry that cannot be opened',
    ({ addLazily }) => {
      addLazily('a.txt', () => Promise.reject(new Error('It is gone.')))
    },
  ],
  [
    'an entry that breaks off',
    ({ addLazily }) => {
      addLazily('a.txt', async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('x')
            throw new Error('It is gone.')
          })(),
        ),
      )
    },
  ],
  ['a name that leads out of the archive', ({ addLazily }) => addLazily('../a.txt', text('x'))],
  ['an absolute name', ({ addLazily }) => addLazily('/a.txt', text('x'))],
  [
    'a failure between entries',
    () => {
      throw new Error('It is gone.')
    },
  ],
] as [string, (zip: ZipWriter) => void][])('breaks off at %s', async (_, addAll) => {
  await expect(bytesOf(async (zip) => addAll(zip))).rejects.toThrow()
})

it('opens no further entry once nobody reads it', async () => {
  const opened: string[] = []
  let signal: AbortSignal | undefined
  const zip = writeZip(async (writer) => {
    signal = writer.signal
    for (const name of ['a', 'b', 'c']) {
      writer.addLazily(name, async () => {
        opened.push(name)
        return Readable.from(
          (async function* () {
            // More than streams hold between each other.
            for (let n = 0; n < 100; n += 1) yield crypto.getRandomValues(Buffer.alloc(65_536))
          })(),
        )
      })
    }
  })
  await zip.next()
  await zip.return(undefined)
  expect(signal?.aborted).toBe(true)
  expect(opened).toEqual(['a'])
})
