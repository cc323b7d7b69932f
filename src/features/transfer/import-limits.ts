import { refuse } from '../../model/errors.ts'
import { inMegabytes } from '../../model/plan.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import { createLimiter } from '../../platform/limiter.ts'

const MB = 1024 * 1024
/** Archives that are received or imported at once. */
const IMPORTS_AT_ONCE = {
  perAccount: { most: 2, refusal: importRunning },
  total: { most: 4, refusal: tooManyImports },
}
const RETRY_AFTER_S = 60
/** Of an archive whose size is not declared, space is looked for in steps of this size. */
const STEP_BYTES = 64 * MB

/** Limits the resources that imports use. */
export interface ImportLimits {
  /**
   * Begins an import of an account. Call the function that it returns at the end.
   *
   * @throws Refusal `import_running`, `too_many_imports`
   */
  begin(accountId: string): () => void
  /** Reserves space on the disk for an archive. @throws Refusal `storage_full` */
  reserveDisk(declaredBytes: number | undefined): DiskReservation
  /** @throws Refusal `storage_full` where so many bytes of a page have no space now */
  assertFits(bytes: number): void
}

/** Space on the disk for an archive, beside that for others that arrive. */
export interface DiskReservation {
  /** Counts bytes before they are written. @throws Refusal `storage_full` */
  use(bytes: number): void
  /** Gives back what was not used. */
  release(): void
}

/** @param space where archives wait and pages are stored */
export function createImportLimits(space: Pick<ContentSpace, 'freeBytes'>): ImportLimits {
  const limiter = createLimiter(IMPORTS_AT_ONCE)
  /** The bytes that are reserved for archives and have not arrived. */
  let reservedBytes = 0

  function assertFits(bytes: number, what: string): void {
    const free = Math.max(0, space.freeBytes() - reservedBytes)
    if (bytes <= free) return
    const has = `this server has space for ${inMegabytes(free)}`
    const message = `${what} ${inMegabytes(bytes)}, and ${has}.`
    throw refuse.noSpace('storage_full', message, { limit: free })
  }

  return {
    begin: limiter.start,
    reserveDisk(declaredBytes) {
      let unused = 0
      function reserve(bytes: number): void {
        assertFits(bytes, 'The archive needs')
        unused += bytes
        reservedBytes += bytes
      }
      reserve(declaredBytes ?? 0)
      return {
        use(bytes) {
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
    assertFits: (bytes) => assertFits(bytes, 'Its files need'),
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
