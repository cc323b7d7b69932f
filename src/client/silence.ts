import { unreachable } from './error.ts'

interface Watched {
  baseUrl: string
  silenceMs: number
  fetch: typeof globalThis.fetch
}

/**
 * Watches one attempt of a call, however long its upload or its answer takes: where nothing has
 * come for a while, the server is asked whether it runs. One that does not answer that either is
 * dead, or is another program.
 */
export function watchSilence({ baseUrl, silenceMs, fetch }: Watched) {
  const silence = new AbortController()
  const failure = new Promise<never>((_, reject) => {
    silence.signal.addEventListener('abort', () => reject(silence.signal.reason))
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  async function ask(): Promise<void> {
    asking = new AbortController()
    const own = asking.signal
    const signal = AbortSignal.any([AbortSignal.timeout(silenceMs / 3), own])
    const hasAnswered = await fetch(`${baseUrl}/healthz`, { signal, redirect: 'manual' }).then(
      ({ body }) => body?.cancel().then(() => true) ?? true,
      () => false,
    )
    // The call has ended meanwhile.
    if (own.aborted) return
    if (hasAnswered) return wait()
    const cause = new Error(`no answer for ${Math.round(silenceMs / 1000)} s`)
    silence.abort(unreachable(baseUrl, cause))
  }

  function wait(): void {
    timer = setTimeout(ask, (silenceMs * 2) / 3)
  }
  if (silenceMs < Number.POSITIVE_INFINITY) wait()

  return {
    /** Rejects with the error. */
    failure,
    /** Ends the request then. Where its answer has begun, its reader would not learn of it. */
    signal: silence.signal,
    stop(): void {
      clearTimeout(timer)
      asking?.abort()
    },
  }
}
