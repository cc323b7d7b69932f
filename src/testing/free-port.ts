/** Below the range from which systems take the ports of outgoing connections and of `port: 0`. */
const [FIRST, LAST] = [12_000, 32_000]

/**
 * A port of 127.0.0.1 on which nothing listens. A server may be stopped and started on it again:
 * the port of a socket that has ended could be that of another process's connection by then.
 */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (isFree(port)) return port
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
