import type { App, Platform } from './app.ts'
import type { Family } from './platform/metrics.ts'
import { addProcessMetrics } from './platform/process-metrics.ts'

/** Adds the metrics of the service's parts. The database adds its own. */
export function addServiceMetrics(platform: Platform, app: App): void {
  const { metrics, database } = platform
  addProcessMetrics(metrics, database.engine)
  const families = [
    ...viewFamilies(app),
    ...databaseFamilies(platform),
    ...diskFamilies(platform),
    ...mailFamilies(app),
    ...fileFamilies(platform, app),
  ]
  for (const family of families) metrics.add(family)
}

function viewFamilies({ views }: App): Family[] {
  return [
    {
      name: 'handbill_views_total',
      type: 'counter',
      help: 'Views that this node has counted.',
      read: () => views.totals().counted,
    },
    {
      name: 'handbill_views_waiting',
      type: 'gauge',
      help: 'Views that were counted and are not in the database yet.',
      read: () => views.totals().waiting,
    },
  ]
}

function databaseFamilies({ checks }: Platform): Family[] {
  return [
    {
      name: 'handbill_database_up',
      type: 'gauge',
      help: 'Whether the database answers: 1, or 0.',
      read: () => answers(checks.database(), ANSWER_MS),
    },
    {
      name: 'handbill_database_size_bytes',
      type: 'gauge',
      help: 'What the database takes on its disk.',
      read: () => checks.database(),
    },
  ]
}

function diskFamilies({ checks }: Platform): Family[] {
  return [
    {
      name: 'handbill_disk_free_bytes',
      type: 'gauge',
      help: 'Free space on the disk of DATA_DIR.',
      read: async () => (await checks.disk()).free_bytes,
    },
    {
      name: 'handbill_disk_size_bytes',
      type: 'gauge',
      help: 'The size of the disk of DATA_DIR.',
      read: async () => (await checks.disk()).total_bytes,
    },
  ]
}

function mailFamilies({ mailLists }: App): Family[] {
  return [
    {
      name: 'handbill_outbox_mails',
      type: 'gauge',
      help: 'Mails that were not sent: those that wait, and those that were given up.',
      async read() {
        const { waiting, failed } = await mailLists.countUnsent()
        return [
          { labels: { state: 'waiting' }, value: waiting },
          { labels: { state: 'given_up' }, value: failed },
        ]
      },
    },
  ]
}

function fileFamilies({ blobs }: Platform, { uploads }: App): Family[] {
  return [
    {
      name: 'handbill_files_up',
      type: 'gauge',
      help: 'Whether the storage of large files answers: 1, or 0.',
      read: async () => Number(await blobs.isAvailable()),
    },
    {
      name: 'handbill_uploads_in_progress',
      type: 'gauge',
      help: 'Uploads that arrive now.',
      read: () => uploads.arriving(),
    },
  ]
}

/** Less than a value may take: one that hangs is down, and not unknown. */
const ANSWER_MS = 1500

async function answers(asked: Promise<unknown>, withinMs: number): Promise<0 | 1> {
  let timer: Timer | undefined
  const late = new Promise<0>((resolve) => {
    timer = setTimeout(resolve, withinMs, 0)
  })
  const answer = asked.then(
    () => 1 as const,
    () => 0 as const,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
