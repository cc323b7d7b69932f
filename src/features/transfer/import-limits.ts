import { refuse } from '../../model/errors.ts'
import type { RawBody } from '../../model/operation.ts'
import { inMegabytes } from '../../model/plan.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import { createLimiter } from '../../platform/task-queue.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { notAnArchive } from './archive.ts'

/** Archives that are received or imported at once. */
const IMPORTS_AT_ONCE = {
  perAccount: { most: 2, refusal: importRunning },
  total: { most: 4, refusal: tooManyImports },
}
const RETRY_AFTER_S = 60

export type ImportLimits = ReturnType<typeof createImportLimits>

/**
 * Limits the resources that imports use. What arrives beyond the space is refused as it is written.
 *
 * @param space where archives wait and pages are stored
 */
export function createImportLimits(space: Pick<ContentSpace, 'freeBytes'>) {
  const limiter = createLimiter(IMPORTS_AT_ONCE)
  function assertFits(bytes: number, what: string): void {
    const free = Math.max(0, space.freeBytes())
    if (bytes <= free) return
    const has = `this server has space for ${inMegabytes(free)}`
    const message = `${what} ${inMegabytes(bytes)}, and ${has}.`
    throw refuse.noSpace('storage_full', message, { limit: free })
  }
  return {
    /** @throws Refusal `import_running`, `too_many_imports` */
    begin: limiter.start,
    /** @throws Refusal `storage_full` where an archive of this size has no space now */
    assertArchiveFits: (bytes: number) => assertFits(bytes, 'The archive needs'),
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
  elapsedMs = () => performance.now(),
): Promise<number> {
  const startMs = elapsedMs()
  let beginning = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (beginning.length < 4) {
      beginning += Buffer.from(chunk.subarray(0, 4 - beginning.length)).toString('latin1')
      const isZip = BEGINNINGS.some((whole) => whole.startsWith(beginning))
      if (!isZip) throw notAnArchive('it is no zip')
    }
    const ms = elapsedMs() - startMs
    if (ms > GRACE_MS && size < (ms / 1000) * MIN_BYTES_PER_S) {
      const message = 'The archive arrives too slowly: less than 16 KB a second.'
      throw refuse.timedOut('body_timeout', message)
    }
    await file.append(chunk)
  }
  return size
}
