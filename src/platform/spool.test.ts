import { expect, test } from 'bun:test'
import { createSpool } from './spool.ts'

test('what arrived and is not read takes no memory once it is closed', async () => {
  const chunk = new Uint8Array(200_000).fill(1)
  const beforeBytes = process.memoryUsage.rss()
  for (let n = 0; n < 2000; n++) {
    const spool = createSpool({ create: () => Promise.reject(new Error('no file is needed')) })
    expect(spool.add(chunk)).toBeNull()
    await spool.close()
  }
  expect(process.memoryUsage.rss() - beforeBytes).toBeLessThan(150e6)
})
