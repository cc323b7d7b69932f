import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault, Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'
import { allActivities, check, startWork, waitForAnswers } from '../work.ts'

/** EXT4_IOC_SHUTDOWN, and its flag for a stop at once: what is not on the disk yet is lost. */
const SHUTDOWN = 0x8004587d
const WITHOUT_FLUSH = 2
const IMAGE_BYTES = 512 * 1024 * 1024

/**
 * (c) The power is cut while the server works. Its data folder is on a file system of its own, which
 * stops taking writes from one moment to the next and forgets what it has not written.
 */
export const powerCut: Fault = {
  letter: 'c',
  about: 'power cut under mixed load, on SQLite',
  missing() {
    const isMissing = (program: string) => Bun.which(program) === null
    const programs = ['mkfs.ext4', 'mount', 'umount', 'truncate'].filter(isMissing)
    if (programs.length > 0) return `it needs ${programs.join(', ')}`
    return process.getuid?.() === 0 ? null : 'it needs the right to mount'
  },
  run,
}

async function run(tools: Tools): Promise<Row[]> {
  const { rounds, mails, log } = tools
  const disk = newDisk(tools.folder())
  disk.mount()
  try {
    let node = await startNode(disk.path, { SMTP_URL: mails.url })
    // A power cut may take the last views of pages without a limit: decision 0012.
    const activities = allActivities(mails).filter(({ what }) => what !== 'views')
    for (const activity of activities) await activity.prepare(node)
    for (let round = 1; round <= rounds; round += 1) {
      const work = startWork(activities, [node])
      await waitForAnswers(work, 100 + Math.floor(Math.random() * 300))
      disk.cutPower()
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

/** A file system in a file, whose power can be cut. */
function newDisk(folder: string) {
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(path)
  command('truncate', '-s', String(IMAGE_BYTES), image)
  command('mkfs.ext4', '-q', image)
  return {
    path,
    mount: () => command('mount', '-o', 'loop', image, path),
    unmount: () => command('umount', path),
    cutPower(): void {
      const libc = dlopen('libc.so.6', {
        ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
      })
      const disk = openSync(path, 'r')
      const code = libc.symbols.ioctl(disk, SHUTDOWN, ptr(new Uint32Array([WITHOUT_FLUSH])))
      closeSync(disk)
      libc.close()
      if (code !== 0) throw new Error('The file system could not be stopped')
    },
  }
}

function command(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(words)
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}
