import type { Runtime } from './runtime.ts'

/** Soon after the start: a server that is restarted every hour gets its space back, too. */
const FIRST_SWEEP_MS = 30 * 1000
const SWEEP_EVERY_MS = 10 * 60 * 1000
/** Looks at every stored file, which takes long in an object store. */
const SWEEP_ORPHANS_EVERY_MS = 60 * 60 * 1000

/** Deletes what is no longer needed, from soon after the start. @returns how to stop it */
export function keepSweeping({ app, outbox, platform: { clock, log } }: Runtime): () => void {
  let orphansDueMs = 0
  async function sweepFiles(): Promise<void> {
    const swept = await app.sweeper.sweep()
    const isDue = clock.ms() >= orphansDueMs
    const orphans = isDue ? await app.sweeper.sweepOrphans() : 0
    if (isDue) orphansDueMs = clock.ms() + SWEEP_ORPHANS_EVERY_MS
    if (swept.manifests + swept.blobs + orphans > 0) log.info('swept', { ...swept, orphans })
  }
  const { pages, confirmations, sessions, accountDeletion, throttles, ownerMails } = app
  const { views, analytics } = app
  const sweeps: [what: string, sweep: () => Promise<unknown>][] = [
    ['files', sweepFiles],
    ['imports', pages.sweepImports],
    ['confirmations', confirmations.sweep],
    ['sessions', sessions.sweep],
    ['accounts', accountDeletion.sweep],
    ['throttles', throttles.sweep],
    ['mails to owners', ownerMails.sweep],
    ['views', views.addAbandoned],
    ['analytics', analytics.sweep],
    ['outbox', outbox.sweep],
  ]
  /** Each by itself: an object store that does not answer keeps no other data. */
  async function sweepAll(): Promise<void> {
    for (const [what, sweep] of sweeps) {
      try {
        await sweep()
      } catch (err) {
        log.error('sweeping failed', { what, err })
      }
    }
  }

  let timer = setTimeout(sweepAndWait, FIRST_SWEEP_MS)
  let isStopped = false
  /** One sweep at a time, also where it takes longer than the pause. */
  async function sweepAndWait(): Promise<void> {
    await sweepAll()
    if (!isStopped) timer = setTimeout(sweepAndWait, SWEEP_EVERY_MS)
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
