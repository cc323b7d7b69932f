import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PROBE = join(import.meta.dir, 'heap-probe.ts')
const POLL_MS = 50
const PATIENCE_MS = 60_000

/** What of the heap of a server is in use: what is left after its garbage was collected. */
export function newHeap(folder: string) {
  const file = join(folder, 'heap')
  return {
    /** For the server's environment. */
    settings: { BUN_OPTIONS: `--preload=${PROBE}`, HEAP_FILE: file },
    async bytesInUse(pid: number): Promise<number> {
      rmSync(file, { force: true })
      process.kill(pid, 'SIGUSR2')
      const untilMs = performance.now() + PATIENCE_MS
      while (performance.now() < untilMs) {
        await Bun.sleep(POLL_MS)
        const text = readIfThere(file)
        if (text !== null) return Number(text)
      }
      throw new Error('The server did not tell how much of its heap is in use')
    },
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
