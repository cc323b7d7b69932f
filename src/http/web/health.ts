const NO_STORE = { headers: { 'cache-control': 'no-store' } }

export interface HealthDeps {
  pingDatabase(): Promise<unknown>
  /** Whether the blob store answers. */
  areFilesAvailable(): Promise<boolean>
  /** The fill level of the disk. */
  readDisk(): Promise<'ok' | 'low' | 'full'>
  /** The state of scheduled backups; null if there are none. */
  readBackup(): { problem: string | null } | null
}

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 only if the database answers
 * and the server is not stopping. It also reports whether the blob store
 * answers, the disk has space and backups are made. A failure of these does not change the status:
 * most pages can still be served, and freeing the disk needs the server.
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
