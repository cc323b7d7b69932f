import { expect, test } from 'bun:test'

/** In a process of its own: what else a process has done decides how it takes memory. */
const PROGRAM = `
  import { createSpool } from '${import.meta.dir}/spool.ts'
  const chunk = new Uint8Array(200_000).fill(1)
  const beforeBytes = process.memoryUsage.rss()
  for (let n = 0; n < 2000; n++) {
    const spool = createSpool({ create: () => Promise.reject(new Error('no file is needed')) })
    if (spool.add(chunk) !== null) throw new Error('it is not in memory')
    await spool.close()
  }
  console.log(process.memoryUsage.rss() - beforeBytes)`

test('what arrived and is not read takes no memory once it is closed', () => {
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', PROGRAM])
  expect(stderr.toString()).toBe('')
  expect(Number(stdout.toString())).toBeLessThan(150e6)
})
