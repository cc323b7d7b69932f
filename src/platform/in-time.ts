/**
 * The result, or what `late` answers or throws where that takes longer. Who was asked is not told:
 * the work goes on, and its result is dropped.
 */
export function inTime<T, Late>(
  result: Promise<T>,
  ms: number,
  late: () => Late,
): Promise<T | Awaited<Late>> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([result, timeout.then(late)]).finally(() => clearTimeout(timer))
}

/** Whether it succeeds in time. */
export function succeedsInTime(result: Promise<unknown>, ms: number): Promise<boolean> {
  const succeeded = result.then(() => true)
  return inTime(succeeded, ms, () => false).catch(() => false)
}
