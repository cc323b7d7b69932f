import type { ByteRange } from '../../model/download.ts'

export interface StoredBackup {
  name: string
  sizeBytes: number
}

/**
 * Where scheduled backups are kept: a folder, or a part of a bucket. Other files in it are neither
 * listed nor deleted.
 */
export interface BackupStore {
  /** The name for messages and the log, without secrets. */
  readonly place: string
  /** Stores a new file, which appears under its name once it is complete. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number }>
  /** Reads a file again. @returns its SHA-256 */
  hashOf(name: string, sizeBytes: number): Promise<string>
  /** All backups, the oldest first. */
  list(): Promise<StoredBackup[]>
  /** @returns how long a file is, whatever its name; null where there is none */
  sizeOf(name: string): Promise<number | null>
  /** Reads a part of a file. @throws where it is shorter */
  read(name: string, range: ByteRange): Promise<Uint8Array>
  /** Where a file is on this computer; null for a bucket. */
  pathOf(name: string): string | null
  delete(name: string): Promise<unknown>
  /** Deletes the unfinished backups of killed processes. No backup may be in progress. */
  deleteUnfinished(): Promise<void>
}

/** Why a store failed: what the bucket answered is the cause of its error. */
export function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}

/** The last bytes of a zip without a comment, and what they begin with. */
const ZIP_END_BYTES = 22
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')

/** Whether a backup has its end: one that was cut off has none. A restore checks every byte. */
export async function isComplete(
  store: BackupStore,
  { name, sizeBytes }: StoredBackup,
): Promise<boolean> {
  const start = sizeBytes - ZIP_END_BYTES
  if (start < 0) return false
  const tail = await store.read(name, { start, end: sizeBytes })
  return ZIP_END.equals(tail.subarray(0, ZIP_END.length))
}

const NAME = /^handbill-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/

/** Names sort by time. */
export function backupName(timeMs: number): string {
  return `handbill-${new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '')}Z.zip`
}

/** @returns when it was made, in milliseconds; null for a file that is no backup of ours */
export function backupTime(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? []
  if (day === undefined) return null
  const timeMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(timeMs) ? null : timeMs
}
