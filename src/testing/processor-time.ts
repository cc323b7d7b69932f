/** How long `run` takes, in milliseconds of processor time: other programs do not count. */
export function processorMs(run: () => void): number {
  const began = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
