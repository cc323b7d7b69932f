import type { BackupSchedule } from '../features/backup/index.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Runtime } from './runtime.ts'

/** Soon after the start: a server that is restarted every hour makes its backups, too. */
const FIRST_MS = 5 * 1000
/** How often to look whether one is due, and to try again after a failure. */
const EVERY_MS = 10 * 60 * 1000
/**
 * The retry while another process has the lease: a sweep ends soon, and a killed process's lease,
 * too.
 */
const BUSY_MS = 10 * 1000

/**
 * Makes the backups that are due. @returns a function that stops this and aborts a running backup
 */
export function keepBackingUp({ backups, platform }: Runtime): { stop(): Promise<void> } {
  if (backups === null) return { stop: async () => {} }
  addMetrics(backups, platform.metrics)
  const stopping = new AbortController()
  let running = Promise.resolve()
  let timer = setTimeout(runAndWait, FIRST_MS)
  function runAndWait(): void {
    running = backups!.runIfDue(stopping.signal).then((hasRun) => {
      if (stopping.signal.aborted) return
      timer = setTimeout(runAndWait, hasRun ? EVERY_MS : BUSY_MS)
    })
  }
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

function addMetrics({ state }: BackupSchedule, metrics: Metrics): void {
  metrics.add({
    name: 'handbill_backup_newest_timestamp_seconds',
    type: 'gauge',
    help: 'When the newest scheduled backup was made.',
    read() {
      const { newestAt } = state()
      return newestAt === null ? null : Date.parse(newestAt) / 1000
    },
  })
  metrics.add({
    name: 'handbill_backup_up',
    type: 'gauge',
    help: '1 while scheduled backups are made, 0 where the last one failed or is missing.',
    read: () => (state().problem === null ? 1 : 0),
  })
}
