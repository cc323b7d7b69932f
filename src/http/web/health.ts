const NO_STORE = { headers: { 'cache-control': 'no-store' } }

export interface HealthDeps {
  pingDatabase(): Promise<unknown>
  /** Whether the storage of large files answers. */
  areFilesAvailable(): Promise<boolean>
}

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 only if the database answers
 * and the server is not stopping. It says whether the storage of large files answers, and is 200
 * without it as well: the storage is the same for every node, and most pages need none of it.
 */
export function createHealth({ pingDatabase, areFilesAvailable }: HealthDeps) {
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
      const [status, hasFiles] = await Promise.all([readStatus(), areFilesAvailable()])
      const body = { status, files: hasFiles ? 'ok' : 'unavailable' }
      return Response.json(body, { ...NO_STORE, status: status === 'ok' ? 200 : 503 })
    },
    markStopping() {
      isStopping = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>
