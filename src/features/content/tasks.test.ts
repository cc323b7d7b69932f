import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Refusal } from '../../model/errors.ts'
import { threads } from '../../testing/threads.ts'
import { renderedFiles } from './markdown.ts'
import { CONTENT_TASKS } from './tasks.ts'
import { createContentWork } from './work.ts'

const KIB = 1024
const sent: string[] = []
const work = createContentWork({
  run(task, makeInput) {
    sent.push(task)
    return threads.run(task, makeInput)
  },
})

const ELEMENT =
  '<form data-service><input name=a><a href="/b.html">x</a></form><img src=gone.png>\n'
const LONG_IMAGE = Buffer.from(`<img src="data:image/png;base64,${'A'.repeat(2000)}">`)
const htmlOf = (bytes: number) => Buffer.from(ELEMENT.repeat(Math.ceil(bytes / ELEMENT.length)))
const deck = { paths: new Set(['a.html', 'b.html']), entry: 'a.html' }

function inputsOf(bytes: Uint8Array) {
  const file = { path: 'a.html', mime: 'text/html; charset=utf-8' }
  const latin1 = Buffer.from(`<meta charset=latin1>${Buffer.from(bytes)}\xe9`, 'latin1')
  return {
    checkHtml: [
      { bytes, charset: null, name: 'The HTML' },
      { bytes: latin1, charset: { contentType: null }, name: 'The HTML' },
    ],
    editHtml: [{ bytes, edits: [{ find: 'x', replace: 'yy', replace_all: true }], maxBytes: 1e9 }],
    readHtml: [
      { bytes, full: true },
      { bytes: Buffer.concat([bytes, LONG_IMAGE]), full: false },
    ],
    findText: [{ bytes, find: 'gone.png', most: 20 }],
    compareHtml: [
      { bytes, splitAt: 0, maxLines: 5 },
      { bytes, splitAt: Math.floor(bytes.byteLength / 2), maxLines: 400 },
    ],
    releaseFile: [
      { bytes, ...file, deck: null, isEntry: true },
      { bytes, ...file, deck, isEntry: false },
    ],
  } as const
}

describe.each([
  ['small content is worked on at once', 40 * KIB, false],
  ['large content is worked on in a thread', 300 * KIB, true],
])('%s, with the same result', (_name, sizeBytes, inThread) => {
  const bytes = htmlOf(sizeBytes)
  const inputs = inputsOf(bytes)

  test.each(Object.keys(inputs) as (keyof typeof inputs)[])('%s', async (task) => {
    for (const input of inputs[task]) {
      sent.length = 0
      const outcomeOf = async (run: () => unknown) => {
        try {
          return await run()
        } catch (err) {
          return err instanceof Refusal ? { ...err, message: err.message } : err
        }
      }
      const expected = await outcomeOf(() => CONTENT_TASKS[task](input as never))
      const values = new Uint8Array(input.bytes)
      const outcome = await outcomeOf(() => work.run(task, { ...input, bytes: values } as never))
      expect(outcome).toEqual(expected)
      expect(sent).toEqual(inThread ? [task] : [])
      expect(values.byteLength, 'large bytes are moved').toBe(inThread ? 0 : input.bytes.byteLength)
    }
  })

  test('hash', async () => {
    expect(await work.hash(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  })
})

test('a task is ended where it takes too long, and Markdown is rendered one at a time', async () => {
  const begun: [task: string, maxMs: number | undefined][] = []
  const slow = createContentWork({
    async run(task, _makeInput, maxMs) {
      begun.push([task, maxMs])
      await Bun.sleep(20)
      throw new RangeError('A task took too long')
    },
  })
  const bytes = Buffer.alloc(200 * KIB, 'a ')
  const render = () => renderedFiles(slow, { bytes, path: 'a.md', hash: '' }, 'a.html')
  const rendered = Promise.allSettled([render(), render()])
  const check = () => slow.run('checkHtml', { bytes, charset: null, name: 'The HTML' })
  const checked = await Promise.allSettled([check(), check()])
  const maxMs = 10_000 + (200 / 1024) * 1000
  expect(begun.slice(0, 3).sort()).toEqual([
    ['checkHtml', maxMs],
    ['checkHtml', maxMs],
    ['renderMarkdown', maxMs],
  ])
  const busy = { kind: 'unavailable', code: 'server_busy', details: { retry_after_s: 10 } }
  for (const outcome of checked) expect(outcome).toMatchObject({ reason: busy })
  for (const outcome of await rendered) {
    expect(outcome).toMatchObject({ reason: { code: 'invalid_markdown' } })
  }
})
