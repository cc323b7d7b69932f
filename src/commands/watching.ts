import { type DiskState, diskState } from '../platform/checks.ts'
import { createClockWatch } from '../platform/clock-watch.ts'
import type { Runtime } from './runtime.ts'

const EVERY_MS = 10 * 1000

const DISK_MESSAGES = {
  ok: 'the disk has space again',
  low: 'the disk is nearly full: free space on the disk of DATA_DIR',
  full: 'the disk is full: free space on the disk of DATA_DIR; deleting pages still works',
}
const DISK_LEVELS = { ok: 'info', low: 'warn', full: 'error' } as const

/**
 * Logs warnings for the operator, such as of a nearly full disk. @returns a function that stops
 * this
 */
export function keepWatching({ platform: { checks, log, metrics } }: Runtime): () => void {
  const clocks = createClockWatch()
  metrics.add({
    name: 'handbill_clock_jumps_total',
    type: 'counter',
    help: 'How often the clock was set by two seconds and more, or the computer slept.',
    read: () => clocks.jumps(),
  })
  let known: DiskState = 'ok'

  async function watchDisk(): Promise<void> {
    const space = await checks.disk().catch(() => null)
    if (space === null) return
    const state = diskState(space)
    if (state !== known) log[DISK_LEVELS[state]](DISK_MESSAGES[state], { ...space })
    known = state
  }
  function watchClocks(): void {
    const jumpMs = clocks.check()
    if (jumpMs === 0) return
    log.warn('the clock of this computer was set, or it slept: links expire by the new time', {
      jump_ms: jumpMs,
    })
  }
  void watchDisk()
  const timer = setInterval(() => {
    watchClocks()
    void watchDisk()
  }, EVERY_MS)
  return () => clearInterval(timer)
}
