import { refuse } from '../model/errors.ts'
import { serveTasks } from '../platform/thread-tasks.ts'

/** The program of the threads in `platform/threads.test.ts`. */
serveTasks({
  double: ({ bytes }: { bytes: Uint8Array }) => ({ bytes: bytes.map((byte) => 2 * byte) }),
  part: ({ bytes }: { bytes: Uint8Array }) => ({ bytes: bytes.subarray(1, 2), whole: bytes }),
  sleep({ ms }: { ms: number }): number {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return ms
  },
  refuse() {
    throw refuse.invalid('bad_path', 'Not this one.', { param: 'files' })
  },
  fail() {
    throw new Error('A bug')
  },
  spin() {
    for (;;);
  },
  /** Takes memory without end, some of it at a time. */
  hoard() {
    const all: Uint8Array[] = []
    for (;;) all.push(new Uint8Array(4_000_000).fill(1))
  },
  crash: () => process.exit(3),
})
