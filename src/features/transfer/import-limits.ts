import { refuse } from '../../model/errors.ts'
import type { RawBody } from '../../model/operation.ts'
import { inMegabytes } from '../../model/plan.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import { createLimiter } from '../../platform/task-queue.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { notAnArchive } from './archive.ts'

const MB = 1024 * 1024
/** Archives that are received or imported at once. */
const IMPORTS_AT_ONCE = {
  perAccount: { most: 2, refusal: importRunning },
  total: { most: 4, refusal: tooManyImports },
}
const RETRY_AFTER_S = 60
/** Of an archive whose size is not declared, space is looked for in steps of this size. */
const STEP_BYTES = 64 * MB

export type ImportLimits = ReturnType<typeof createImportLimits>
type DiskReservation = ReturnType<ImportLimits['reserveDisk']>

/**
 * Limits the resources that imports use.
 *
 * @param space where archives wait and pages are stored
 */
export function createImportLimits(space: Pick<ContentSpace, 'freeBytes'>) {
  const limiter = createLimiter(IMPORTS_AT_ONCE)
  let reservedBytes = 0

  function assertFits(bytes: number, what: string): void {
    const free = Math.max(0, space.freeBytes() - reservedBytes)
    if (bytes <= free) return
    const has = `this server has space for ${inMegabytes(free)}`
    const message = `${what} ${inMegabytes(bytes)}, and ${has}.`
    throw refuse.noSpace('storage_full', message, { limit: free })
  }

  return {
    /** @throws Refusal `import_running`, `too_many_imports` */
    begin: limiter.start,
    /** Reserves space for an archive, beside others that arrive. @throws Refusal `storage_full` */
    reserveDisk(declaredBytes: number | undefined) {
      let unused = 0
      function reserve(bytes: number): void {
        assertFits(bytes, 'The archive needs')
        unused += bytes
        reservedBytes += bytes
      }
      reserve(declaredBytes ?? 0)
      return {
        /** Counts bytes before they are written. @throws Refusal `storage_full` */
        use(bytes: number) {
          if (unused < bytes) reserve(Math.max(bytes, STEP_BYTES))
          unused -= bytes
          reservedBytes -= bytes
        },
        release() {
          reservedBytes -= unused
          unused = 0
        },
      }
    },
    /** @throws Refusal `storage_full` where so many bytes of a page have no space now */
    assertFits: (bytes: number) => assertFits(bytes, 'Its files need'),
  }
}

function importRunning() {
  return refuse.conflict(
    'import_running',
    'This account is importing two archives already. Wait until one of these imports has ended, ' +
      'and send it again: pages that are there by then are skipped.',
    { retry_after_s: RETRY_AFTER_S },
  )
}

function tooManyImports() {
  return refuse.rateLimited(
    'too_many_imports',
    'This server is importing as many archives as it does at once. Send it again in a minute.',
    { retry_after_s: RETRY_AFTER_S },
  )
}

const BEGINNINGS = ['PK\x03\x04', 'PK\x05\x06']
/**
 * After the grace period, an archive must arrive faster: a slow one would block others for days.
 */
const MIN_BYTES_PER_S = 16 * 1024
const GRACE_MS = 60_000

/**
 * Writes an arriving archive to a file. Refuses a body as soon as it is clear that it is no
 * archive.
 *
 * @returns how many bytes there are
 * @throws Refusal `not_an_archive`, `archive_too_large`, `body_timeout`
 */
export async function receive(
  body: RawBody,
  file: Pick<TemporaryFile, 'append'>,
  {
    disk,
    elapsedMs = () => performance.now(),
  }: { disk: Pick<DiskReservation, 'use'>; elapsedMs?: () => number },
): Promise<number> {
  const startMs = elapsedMs()
  let beginning = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (beginning.length < 4) {
      beginning += Buffer.from(chunk.subarray(0, 4 - beginning.length)).toString('latin1')
      assertBeginsAsZip(beginning)
    }
    const ms = elapsedMs() - startMs
    if (ms > GRACE_MS && size < (ms / 1000) * MIN_BYTES_PER_S) throw tooSlow()
    disk.use(chunk.byteLength)
    await file.append(chunk)
  }
  return size
}

function assertBeginsAsZip(beginning: string): void {
  if (BEGINNINGS.some((whole) => whole.startsWith(beginning))) return
  throw notAnArchive('it is no zip')
}

function tooSlow() {
  return refuse.timedOut(
    'body_timeout',
    'The archive arrives too slowly: less than 16 KB a second.',
  )
}
