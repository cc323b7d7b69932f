/** Something that the server depends on fails for a while, and comes back. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { startFaultProxy } from '../../src/testing/fault-proxy.ts'
import { startPostgres } from '../../src/testing/postgres.ts'
import { s3Environment, startS3 } from '../../src/testing/s3-server.ts'
import { startTcpProxy } from '../../src/testing/tcp-proxy.ts'
import type { Fault } from '../fault.ts'
import { runWithOutages } from '../outage-run.ts'
import { missingForDisk, newDisk } from '../small-disk.ts'

const DISK_BYTES = 192 * 1024 * 1024

/** (d) The disk is full. */
export const diskFull: Fault = {
  letter: 'd',
  about: 'a full disk under mixed load, on SQLite, and space again',
  missing: missingForDisk,
  async run(tools) {
    const disk = newDisk(tools.folder(), DISK_BYTES)
    disk.mount()
    try {
      const filler = join(disk.path, 'filler')
      const outage = { name: 'full', begin: () => fill(filler), end: () => rmSync(filler) }
      const plan = { fault: 'disk full', folder: disk.path, settings: {}, outages: [outage] }
      return await runWithOutages(tools, plan)
    } finally {
      disk.unmount()
    }
  },
}

/** Fills the disk to the last byte, with smaller and smaller pieces. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err
    }
  }
  closeSync(file)
}

/** (e) The database refuses connections, answers nothing, or answers wrongly. */
export const databaseOut: Fault = {
  letter: 'e',
  about: 'PostgreSQL down, hung and sending wrong bytes, under mixed load',
  async run(tools) {
    const postgres = await startPostgres()
    const { url } = await postgres.freshDatabase()
    const address = new URL(url)
    await using proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    const settings = { DATABASE_URL: address.href }
    const end = () => proxy.resume()
    const outages = [
      { name: 'down', begin: () => proxy.refuse(), end },
      // Hung connections stay hung after the fault: the server has to notice.
      { name: 'hung', begin: () => proxy.hang(), end },
      { name: 'lost answers', begin: () => proxy.answerWrongly('lost'), end },
      { name: 'garbage', begin: () => proxy.answerWrongly('garbage'), end },
    ]
    const plan = { fault: 'database out', folder: tools.folder(), settings, outages }
    const rows = await runWithOutages(tools, plan)
    await postgres.stop()
    return rows
  },
}

/** (f) The object store refuses, hangs, loses answers and answers wrong bytes. */
export const storeOut: Fault = {
  letter: 'f',
  about: 'an object store that is down, hangs and sends wrong bytes, under mixed load',
  async run(tools) {
    const store = await startS3()
    const proxy = await startFaultProxy(store.port)
    const bucket = await store.newBucket()
    const settings = s3Environment({ ...bucket, endpoint: proxy.endpoint })
    const faults = ['reset', 'busy', 'hang', 'lost-answer', 'wrong-byte', 'truncated'] as const
    const outages = faults.map((fault) => ({
      name: fault,
      begin: () => proxy.always(fault),
      end: () => proxy.always(null),
    }))
    const plan = { fault: 'object store out', folder: tools.folder(), settings, outages }
    const rows = await runWithOutages(tools, plan)
    await proxy.close()
    await store.close()
    return rows
  },
}

/** (g) The mail server accepts no mail. */
export const mailOut: Fault = {
  letter: 'g',
  about: 'a mail server that accepts no mail, under mixed load',
  run: (tools) => {
    const { mails } = tools
    const begin = () => mails.setAccepting(false)
    const outage = { name: 'no mail', begin, end: () => mails.setAccepting(true) }
    const plan = { fault: 'no mail', folder: tools.folder(), settings: {}, outages: [outage] }
    return runWithOutages(tools, plan)
  },
}
