import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import type { Fault, Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'
import { missingForDisk, newDisk } from '../small-disk.ts'
import { allActivities, check, startWork, waitForAnswers } from '../work.ts'

/** EXT4_IOC_SHUTDOWN, and its flag for an immediate stop: unflushed data is lost. */
const SHUTDOWN = 0x8004587d
const WITHOUT_FLUSH = 2
const DISK_BYTES = 512 * 1024 * 1024

/**
 * (c) The power is cut while the server works. Its data folder is on a file system of its own,
 * which stops accepting writes at once and loses unflushed data.
 */
export const powerCut: Fault = {
  letter: 'c',
  about: 'power cut under mixed load, on SQLite',
  missing: missingForDisk,
  run,
}

async function run(tools: Tools): Promise<Row[]> {
  const { rounds, mails, log } = tools
  const disk = newDisk(tools.folder(), DISK_BYTES)
  disk.mount()
  try {
    let node = await startNode(disk.path, { SMTP_URL: mails.url })
    // A power cut may take the last views of pages without a limit: decision 0012.
    const activities = allActivities(mails).filter(({ what }) => what !== 'views')
    for (const activity of activities) await activity.prepare(node)
    for (let round = 1; round <= rounds; round += 1) {
      const work = startWork(activities, [node])
      await waitForAnswers(work, 100 + Math.floor(Math.random() * 300))
      cutPower(disk.path)
      await Promise.all([node.kill(), work.stop()])
      disk.unmount()
      disk.mount()
      node = await startNode(disk.path, { SMTP_URL: mails.url, PORT: node.port }, node.key)
      log(`round ${round} of ${rounds}`)
    }
    const rows = await check('power cut', activities, node)
    await node.kill()
    return rows
  } finally {
    disk.unmount()
  }
}

/** Stops the file system at this path. */
function cutPower(path: string): void {
  const libc = dlopen('libc.so.6', {
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  })
  const disk = openSync(path, 'r')
  const code = libc.symbols.ioctl(disk, SHUTDOWN, ptr(new Uint32Array([WITHOUT_FLUSH])))
  closeSync(disk)
  libc.close()
  if (code !== 0) throw new Error('The file system could not be stopped')
}
