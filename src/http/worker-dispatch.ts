import { badRequest, isWithoutHost } from './dispatch.ts'
import type { Forward } from './forwarding.ts'
import type { Listener } from './listen.ts'
import type { Asked, RequestRecorder } from './request-recorder.ts'

export interface WorkerDispatchDeps {
  /** The fast path: answers from memory; null for any other request. */
  fastPath(request: Request): Response | Promise<Response> | null
  /** Whether `visitor` can answer the request here. */
  isPublicRequest(request: Request): Promise<boolean>
  visitor(request: Request): Response | Promise<Response>
  forward: Forward
  recorder: Pick<RequestRecorder, 'answered'>
  failed(err: unknown, request: Request): Response
  /** Whether the error says that the main process has to answer: nothing was counted then. */
  isForMain(err: unknown): boolean
}

const RETRY_AFTER_S = '1'

/** Answers requests for public pages in a worker, and forwards all others to the main process. */
export function createWorkerDispatcher(
  deps: WorkerDispatchDeps,
): Pick<Listener, 'fetch' | 'fetchPage'> {
  const { fastPath, isPublicRequest, visitor, forward, recorder, failed, isForMain } = deps

  async function settle(
    request: Request,
    as: Asked,
    answering: Promise<Response | null>,
  ): Promise<Response> {
    try {
      const answer = await answering
      if (answer !== null) return recorder.answered(request, answer, as)
    } catch (err) {
      if (!isForMain(err)) return recorder.answered(request, failed(err, request), as)
    }
    return forwarded(request, 'page')
  }

  async function answerGenerally(request: Request): Promise<Response | null> {
    return (await isPublicRequest(request)) ? visitor(request) : null
  }

  async function forwarded(request: Request, route: 'page' | 'any'): Promise<Response> {
    try {
      return await forward(request, route)
    } catch {
      // The main process has ended, and this one will; or the client has closed the connection.
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': RETRY_AFTER_S }
      return new Response('Service Unavailable\n', { status: 503, headers })
    }
  }

  return {
    fetch: (request) =>
      isWithoutHost(request.url) ? Promise.resolve(badRequest()) : forwarded(request, 'any'),
    fetchPage(request) {
      const beganMs = performance.now()
      if (isWithoutHost(request.url)) return badRequest()
      const as: Asked = { kind: 'page', beganMs }
      try {
        const answer = fastPath(request)
        if (answer instanceof Response) return recorder.answered(request, answer, as)
        return settle(request, as, answer ?? answerGenerally(request))
      } catch (err) {
        return settle(request, as, Promise.reject(err))
      }
    },
  }
}
