const NO_STORE = { headers: { 'cache-control': 'no-store' } }

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 only if the database answers
 * and the server is not stopping.
 */
export function createHealth(pingDatabase: () => Promise<unknown>) {
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
      const status = await readStatus()
      return Response.json({ status }, { ...NO_STORE, status: status === 'ok' ? 200 : 503 })
    },
    markStopping() {
      isStopping = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>
