const NO_STORE = { headers: { 'cache-control': 'no-store' } }

/** `/healthz`: the process answers. `/readyz`: it can serve, and is not on its way out. */
export function createHealth(askDatabase: () => Promise<unknown>) {
  let isLeaving = false

  async function statusNow(): Promise<'ok' | 'stopping' | 'no_database'> {
    if (isLeaving) return 'stopping'
    return askDatabase().then(
      () => 'ok',
      () => 'no_database',
    )
  }
  return {
    live: () => Response.json({ status: 'ok' }, NO_STORE),
    async ready(): Promise<Response> {
      const status = await statusNow()
      return Response.json({ status }, { ...NO_STORE, status: status === 'ok' ? 200 : 503 })
    },
    leave() {
      isLeaving = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>
