import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'

const ZERO = new Uint8Array(8)

/**
 * Whether commands have written to a database beside its server. Each write leaves another number
 * in a file that every process maps into memory, so the server reads it before each answer from
 * memory: SQLite itself tells no process what another one wrote.
 */
export interface CommandWrites {
  /** The number that the last write left. */
  last(): number
  mark(): void
}

export function openCommandWrites(path: string): CommandWrites {
  const file = openSync(path, 'a', 0o600)
  try {
    // Written, since a hole in the file would need space on the disk later.
    if (fstatSync(file).size < ZERO.length) writeSync(file, ZERO)
  } finally {
    closeSync(file)
  }
  const bytes = Bun.mmap(path, { shared: true })
  const words = new Float64Array(bytes.buffer, bytes.byteOffset, 1)
  return {
    last: () => words[0]!,
    // At random: two commands that add one at the same time could leave one number twice.
    mark() {
      words[0] = Math.random()
    },
  }
}

/** Calls listeners once a command has written: what they have in memory may be out of date. */
export function watchCommands(writes: CommandWrites | undefined) {
  const listeners: (() => void)[] = []
  let seen = writes?.last()
  return {
    add: (listener: () => void) => void listeners.push(listener),
    /** @returns false where one has written since the last call */
    isCurrent(): boolean {
      const last = writes?.last()
      if (last === seen) return true
      seen = last
      for (const listener of listeners) listener()
      return false
    },
  }
}
