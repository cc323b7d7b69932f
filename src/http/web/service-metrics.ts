import type { Uploads } from '../../features/content/index.ts'
import type { MailLists } from '../../features/mail/index.ts'
import type { Views } from '../../features/views/index.ts'
import { addProcessMetrics } from '../../platform/metrics.ts'
import { succeedsInTime } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'

export interface MeasuredParts extends Pick<Services, 'metrics' | 'database' | 'checks' | 'blobs'> {
  views: Views
  uploads: Uploads
  mailLists: MailLists
}

/** Adds the metrics of the service's parts. The database adds its own. */
export function addServiceMetrics(parts: MeasuredParts): void {
  const { metrics, database, checks, blobs, views, uploads, mailLists } = parts
  const { add } = metrics
  addProcessMetrics(metrics, database.engine)
  add('handbill_views_total', 'Views that this node has counted.', () => views.totals().counted)
  add(
    'handbill_views_waiting',
    'Views that were counted and are not in the database yet.',
    () => views.totals().waiting,
  )
  add('handbill_database_up', 'Whether the database answers: 1, or 0.', async () =>
    Number(await succeedsInTime(checks.database(), ANSWER_MS)),
  )
  add('handbill_database_size_bytes', 'What the database takes on its disk.', checks.database)
  add(
    'handbill_disk_free_bytes',
    'Free space on the disk of DATA_DIR.',
    async () => (await checks.disk()).free_bytes,
  )
  add(
    'handbill_disk_size_bytes',
    'The size of the disk of DATA_DIR.',
    async () => (await checks.disk()).total_bytes,
  )
  add(
    'handbill_outbox_mails',
    'Mails that were not sent: those that wait, and those that were given up.',
    async () => {
      const { waiting, failed } = await mailLists.countUnsent()
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'given_up' }, value: failed },
      ]
    },
  )
  add('handbill_files_up', 'Whether the storage of large files answers: 1, or 0.', async () =>
    Number(await blobs.isAvailable()),
  )
  add('handbill_uploads_in_progress', 'Uploads that arrive now.', uploads.arriving)
}

/** Less than a value may take: one that hangs is down, and not unknown. */
const ANSWER_MS = 1500
