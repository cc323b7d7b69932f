/**
 * A thread that views a page repeatedly over one connection, and reports how long each view took.
 */
import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 1

const { url } = workerData as { url: string }
let waits: number[] = []

parentPort!.on('message', () => {
  parentPort!.postMessage(waits)
  waits = []
})
for (;;) {
  const began = performance.now()
  const answer = await fetch(url)
  await answer.bytes()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  waits.push(performance.now() - began)
  await Bun.sleep(PAUSE_MS)
}
