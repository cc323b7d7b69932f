import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where packages put the library that stands between a program and the clock. */
const FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/faketime',
  '/usr/lib/aarch64-linux-gnu/faketime',
  '/usr/lib64/faketime',
  '/usr/lib/faketime',
]
const LIBRARY = 'libfaketimeMT.so.1'

function library(): string | undefined {
  const { FAKETIME_LIBRARY: named } = process.env
  return [...(named ? [named] : []), ...FOLDERS.map((folder) => join(folder, LIBRARY))].find(
    (path) => existsSync(path),
  )
}

/** The reason why this machine cannot set a server's clock; null if it can. */
export function missingForClock(): string | null {
  if (library() !== undefined) return null
  return 'it needs libfaketime: the package libfaketime, or its library in FAKETIME_LIBRARY'
}

/**
 * The time of day of a server, which can be set while it runs. Its monotonic clock is not changed.
 */
export function newClock(folder: string) {
  const file = join(folder, 'clock')
  /** @param seconds before or after the true time */
  function set(seconds: number): void {
    // In one step: the server reads it at any time.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  return {
    set,
    /** For the server's environment. */
    settings: {
      LD_PRELOAD: library()!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  }
}
