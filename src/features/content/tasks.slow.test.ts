import { expect, test } from 'bun:test'
import { threads } from '../../testing/threads.ts'
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
const htmlOf = (bytes: number) => Buffer.from(ELEMENT.repeat(Math.ceil(bytes / ELEMENT.length)))
const deck = { paths: new Set(['a.html', 'b.html']), entry: 'a.html' }

test('a long row of small work lets other requests in', async () => {
  const bytes = htmlOf(100 * KIB)
  let turns = 0
  const counter = setInterval(() => turns++, 0)
  for (let n = 0; n < 20; n++) {
    await work.run('releaseFile', {
      bytes,
      path: 'a.html',
      mime: 'text/html',
      deck,
      isEntry: false,
    })
  }
  clearInterval(counter)
  expect(turns).toBeGreaterThan(0)
})
