import type { Uploads } from '../../features/content/index.ts'
import type { MailLists } from '../../features/mail/index.ts'
import type { Views } from '../../features/views/index.ts'
import type { Blobs } from '../../platform/blobs/index.ts'
import type { Checks } from '../../platform/checks.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Family, Metrics } from '../../platform/metrics.ts'
import { addProcessMetrics } from '../../platform/process-metrics.ts'

export interface MeasuredParts {
  metrics: Metrics
  database: Database
  checks: Checks
  blobs: Blobs
  views: Views
  uploads: Uploads
  mailLists: MailLists
}

/** Adds the metrics of the service's parts. The database adds its own. */
export function addServiceMetrics(parts: MeasuredParts): void {
  const { metrics, database } = parts
  addProcessMetrics(metrics, database.engine)
  const families = [
    ...viewFamilies(parts),
    ...databaseFamilies(parts),
    ...diskFamilies(parts),
    ...mailFamilies(parts),
    ...fileFamilies(parts),
  ]
  for (const family of families) metrics.add(family)
}

function viewFamilies({ views }: MeasuredParts): Family[] {
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

function databaseFamilies({ checks }: MeasuredParts): Family[] {
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

function diskFamilies({ checks }: MeasuredParts): Family[] {
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

function mailFamilies({ mailLists }: MeasuredParts): Family[] {
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

function fileFamilies({ blobs, uploads }: MeasuredParts): Family[] {
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
