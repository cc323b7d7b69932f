/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** A GET over the client's kept connection, read to its last byte. @throws unless it is a 200 */
export async function read(url: string, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const response = await fetch(url, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status === 200) return bytes
  throw new Error(`${url} answered ${response.status}`)
}
