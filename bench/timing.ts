/** The duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Reads a URL to the last byte over a reused connection. @throws unless the status is 200 */
export async function read(
  url: string,
  headers: Record<string, string> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status === 200) return bytes
  throw new Error(`${url} answered ${response.status}`)
}
