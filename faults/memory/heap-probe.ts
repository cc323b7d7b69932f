/** Loaded into the server before its own code: reports how much of its heap is in use. */
import { heapStats } from 'bun:jsc'
import { renameSync, writeFileSync } from 'node:fs'

const REPEATS = 4
const PAUSE_MS = 100
const file = process.env.HEAP_FILE

// Threads load it, too.
if (file !== undefined && Bun.isMainThread) {
  process.on('SIGUSR2', async () => {
    // Objects with a finalizer are freed by the next collection.
    for (let nth = 0; nth < REPEATS; nth++) {
      Bun.gc(true)
      await Bun.sleep(PAUSE_MS)
    }
    writeFileSync(`${file}.new`, String(heapStats().heapSize))
    renameSync(`${file}.new`, file)
  })
}
