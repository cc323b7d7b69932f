const NO_STORE = { headers: { 'cache-control': 'no-store' } }

/** `/healthz`: the process answers. `/readyz`: it can serve, and is not on its way out. */
export function createHealth(askDatabase: () => Promise<unknown>) {
  let is_leaving = false

  async function statusNow(): Promise<'ok' | 'stopping' | 'no_database'> {
    if (is_leaving) return 'stopping'
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
      is_leaving = true
    },
  }
}
export type Health = ReturnType<typeof createHealth>
