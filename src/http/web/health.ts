const NO_STORE = { headers: { 'cache-control': 'no-store' } }

export interface HealthDeps {
  pingDatabase(): Promise<unknown>
  /** Whether the storage of large files answers. */
  areFilesAvailable(): Promise<boolean>
  /** How full the disk is. */
  readDisk(): Promise<'ok' | 'low' | 'full'>
  /** Of the backups that the server makes by itself; null where it makes none. */
  readBackup(): { problem: string | null } | null
}

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 only if the database answers
 * and the server is not stopping. It says whether the storage of large files answers, the disk
 * has room and backups are made, and is 200 without them as well: most pages can be served all the
 * same, and those who free the disk need the server.
 */
export function createHealth({ pingDatabase, areFilesAvailable, ...parts }: HealthDeps) {
  let isStopping = false

  async function readStatus(): Promise<'ok' | 'stopping' | 'no_database'> {
    if (isStopping) return 'stopping'
    return pingDatabase().then(
      () => 'ok',
      () => 'no_database',
    )
  }
  return {
    live: () => Response.json({ status: 'ok' }, NO_STORE),
    async ready(): Promise<Response> {
      const [status, hasFiles, disk] = await Promise.all([
        readStatus(),
        areFilesAvailable(),
        parts.readDisk().catch(() => 'unavailable'),
      ])
      const backup = parts.readBackup()
      const body = {
        ...{ status, files: hasFiles ? 'ok' : 'unavailable', disk },
        ...(backup !== null && { backup: backup.problem === null ? 'ok' : 'failing' }),
      }
      return Response.json(body, { ...NO_STORE, status: status === 'ok' ? 200 : 503 })
    },
    markStopping() {
      isStopping = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>
