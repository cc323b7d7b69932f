import { describe, expect, it } from 'bun:test'
import { createLogSyncs, LogNotDurable } from './sqlite-writes.ts'

function controlled() {
  const begun: PromiseWithResolvers<void>[] = []
  const failures: LogNotDurable[] = []
  const syncs = createLogSyncs({
    sync() {
      const one = Promise.withResolvers<void>()
      begun.push(one)
      return one.promise
    },
    onBegin() {},
    onFailure: (err) => failures.push(err),
  })
  return { begun, failures, syncs }
}

/** Lets everything run that waits for nothing outside. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const stateOf = async (promise: Promise<unknown>) => {
  await turn()
  return Bun.peek.status(promise)
}

describe('syncs of the log', () => {
  it('are waited for by nobody where every commit is on the disk', async () => {
    const { begun, syncs } = controlled()
    expect(syncs.durable()).toBeUndefined()
    syncs.committed()
    begun[0]!.resolve()
    await turn()
    expect(syncs.durable()).toBeUndefined()
    expect(begun).toHaveLength(1)
  })

  it('do not answer for a commit made after they began, and commits share the next one', async () => {
    const { begun, syncs } = controlled()
    syncs.committed()
    const first = syncs.durable()!
    syncs.committed()
    syncs.committed()
    const second = syncs.durable()!
    expect(begun).toHaveLength(1)
    begun[0]!.resolve()
    expect(await stateOf(first)).toBe('fulfilled')
    expect(await stateOf(second)).toBe('pending')
    expect(begun).toHaveLength(2)
    begun[1]!.resolve()
    expect(await stateOf(second)).toBe('fulfilled')
    expect(begun).toHaveLength(2)
  })

  it('are never tried again after one that failed, and no promise resolves', async () => {
    const { begun, failures, syncs } = controlled()
    syncs.committed()
    const first = syncs.durable()!
    syncs.committed()
    const second = syncs.durable()!
    begun[0]!.reject(new Error('EIO'))
    await expect(first).rejects.toBeInstanceOf(LogNotDurable)
    await expect(second).rejects.toBeInstanceOf(LogNotDurable)
    syncs.committed()
    await expect(syncs.durable()).rejects.toBeInstanceOf(LogNotDurable)
    await turn()
    expect(begun).toHaveLength(1)
    expect(failures).toHaveLength(1)
    expect(failures[0]!.cause).toEqual(new Error('EIO'))
  })
})
