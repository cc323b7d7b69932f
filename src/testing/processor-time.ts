/** How long `run` takes, in milliseconds of processor time: other programs do not count. */
export function processorMs(run: () => void): number {
  const began = process.cpuUsage()
  run()
  return since(began)
}

/** The least processor time that `run` takes of several times, once it is warm. */
export async function leastProcessorMs(run: () => Promise<unknown>, times = 20): Promise<number> {
  for (let at = 0; at < times; at++) await run()
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < times; at++) {
    const began = process.cpuUsage()
    await run()
    least = Math.min(least, since(began))
  }
  return least
}

function since(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
