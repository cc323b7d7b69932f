import { expect, test } from 'bun:test'
import { contentWork } from '../../testing/threads.ts'
import { createFindPassages } from './passages.ts'
import type { ContentTasks } from './tasks.ts'
import { createContentWork } from './work.ts'

const quote = (words: string) => ({
  passage: { quote: words, prefix: '', suffix: '' },
  ranges: [],
  elsewhere: 'as-written' as const,
})
const QUERIES = [quote('first words'), quote('not there'), quote('é last & best')]
const htmlOf = (bytes: number) =>
  `<p>first <b>words</b></p><p>${'between them '.repeat(bytes / 13)}</p>\n<p>é last &amp; best</p>`

/** Finds in this HTML, and notes what a thread does and what was read. */
function find(html: string) {
  const inThread: string[] = []
  let reads = 0
  const threads = {
    run(task: string, makeInput: () => Promise<{ input: unknown }>) {
      inThread.push(task)
      return makeInput().then(({ input }) =>
        contentWork.run(task as keyof ContentTasks, input as never),
      )
    },
  }
  const findPassages = createFindPassages({
    bytes: async () => {
      reads += 1
      return new TextEncoder().encode(html)
    },
    work: createContentWork(threads),
    holdMemory: (_bytes, work) => work(),
  })
  const file = { hash: 'h', size_bytes: Buffer.byteLength(html) }
  const ask = (queries = QUERIES) => findPassages(file, queries)
  return { ask, inThread, reads: () => reads }
}

for (const [size, bytes, tasks] of [
  ['small', 1000, []],
  ['large', 1_000_000, ['findPassages']],
] as const) {
  test(`passages of ${size} HTML are found in its bytes, in a thread where it is large`, async () => {
    const html = htmlOf(bytes)
    const { ask, inThread } = find(html)
    const [first, none, last] = await ask()
    const written = Buffer.from(html)
    expect(written.subarray(first!.start, first!.end).toString()).toBe('first <b>words')
    expect(none).toBeNull()
    expect(written.subarray(last!.start, last!.end).toString()).toBe('é last &amp; best')
    expect(inThread).toEqual([...tasks])
  })
}

test('small HTML is read once for all its passages, and of many in large HTML few at once', async () => {
  const small = find(htmlOf(1000))
  await small.ask()
  expect(small.reads()).toBe(1)
  const large = find(htmlOf(1_000_000))
  const results = await large.ask(Array.from({ length: 450 }, () => QUERIES[0]!))
  expect(results).toHaveLength(450)
  expect(new Set(results.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(large.inThread).toHaveLength(3)
})
