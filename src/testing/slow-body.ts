/** A request whose body stays incomplete until it is finished: all checks before it are over. */
export function slowRequest(
  url: string,
  { body, ...init }: RequestInit & { body: string; method: string },
) {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const bytes = new TextEncoder().encode(body)
  const stream = new ReadableStream(
    {
      async pull(controller) {
        started.resolve()
        await promise
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request(url, { ...init, body: stream })
  /** Resolves once the body is being read. */
  return { request, reading: started.promise, finish }
}
