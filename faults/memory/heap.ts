import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PROBE = join(import.meta.dir, 'heap-probe.ts')
const POLL_MS = 50
const TIMEOUT_MS = 60_000

/** Reads how much of a server's heap is in use, after a garbage collection. */
export function newHeap(folder: string) {
  const file = join(folder, 'heap')
  return {
    /** For the server's environment. */
    settings: { BUN_OPTIONS: `--preload=${PROBE}`, HEAP_FILE: file },
    async bytesInUse(pid: number): Promise<number> {
      rmSync(file, { force: true })
      process.kill(pid, 'SIGUSR2')
      const untilMs = performance.now() + TIMEOUT_MS
      while (performance.now() < untilMs) {
        await Bun.sleep(POLL_MS)
        const text = readIfThere(file)
        if (text !== null) return Number(text)
      }
      throw new Error('The server did not report how much of its heap is in use')
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
