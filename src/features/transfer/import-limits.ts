import { refuse } from '../../model/errors.ts'
import { inMegabytes } from '../../model/plan.ts'
import type { DiskSpace } from '../../platform/checks.ts'

const MB = 1024 * 1024
/** The limit of archives that are received or imported at once, for all accounts together. */
const IMPORTS_AT_ONCE = 4
const RETRY_AFTER_S = 60
/** The space that imports leave free for everything else: a twentieth of the disk, or this. */
const MAX_RESERVE_BYTES = 1024 * MB
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
  /** Reserves space on the disk for an archive. @throws Refusal `archive_too_large` */
  reserveDisk(declaredBytes: number | undefined): Promise<DiskReservation>
  /** @throws Refusal `archive_too_large` where so many bytes of a page have no space now */
  assertFits(bytes: number): Promise<void>
}

/** Space on the disk for an archive, beside that for others that arrive. */
export interface DiskReservation {
  /** Counts bytes before they are written. @throws Refusal `archive_too_large` */
  use(bytes: number): Promise<void>
  /** Gives back what was not used. */
  release(): void
}

/** @param disk the space where archives wait and pages are stored */
export function createImportLimits(disk: () => Promise<DiskSpace>): ImportLimits {
  const running = new Set<string>()
  /** The bytes that are reserved for archives and have not arrived. */
  let reservedBytes = 0

  async function freeBytes(): Promise<number> {
    const { free_bytes: free, total_bytes: total } = await disk()
    return free - Math.min(MAX_RESERVE_BYTES, total / 20) - reservedBytes
  }

  async function assertFits(bytes: number, what: string): Promise<void> {
    const free = Math.max(0, await freeBytes())
    if (bytes <= free) return
    const has = `this server has space for ${inMegabytes(free)}`
    const message = `${what} ${inMegabytes(bytes)}, and ${has}.`
    throw refuse.tooLarge('archive_too_large', message, { limit: free })
  }

  return {
    begin(accountId) {
      if (running.has(accountId)) throw importRunning()
      if (running.size >= IMPORTS_AT_ONCE) throw tooManyImports()
      running.add(accountId)
      return () => running.delete(accountId)
    },
    async reserveDisk(declaredBytes) {
      let unused = 0
      async function reserve(bytes: number): Promise<void> {
        await assertFits(bytes, 'The archive needs')
        unused += bytes
        reservedBytes += bytes
      }
      await reserve(declaredBytes ?? 0)
      return {
        async use(bytes) {
          if (unused < bytes) await reserve(Math.max(bytes, STEP_BYTES))
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
    'This account is importing an archive already. Wait until that has ended, and send it again: ' +
      'pages that are there by then are skipped.',
  )
}

function tooManyImports() {
  return refuse.rateLimited(
    'too_many_imports',
    'This server is importing as many archives as it does at once. Send it again in a minute.',
    { retry_after_s: RETRY_AFTER_S },
  )
}
