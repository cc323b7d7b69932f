import { refuse } from '../../model/errors.ts'
import type { RawBody } from '../../model/operation.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { notAnArchive } from './archive.ts'
import type { DiskReservation } from './import-limits.ts'

/** The first bytes of a zip, with or without entries. */
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
