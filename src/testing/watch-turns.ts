/** Preloaded into a server, this reports turns of its event loop that block other requests. */
import { dlopen, ptr } from 'bun:ffi'
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 1
/** Shorter turns are not worth a line. */
const REPORTED_MS = 5
const CLOCK_THREAD_CPUTIME_ID = 3

const time = new BigInt64Array(2)
const { symbols: libc } = dlopen('libc.so.6', {
  clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
})

const file = process.env.HANDBILL_TURNS
if (isMainThread && file !== undefined && process.argv.includes('serve')) watch(file)

function watch(reportTo: string): void {
  let [at, cpu] = [performance.now(), threadMs()]
  setInterval(() => {
    const [now, cpuNow] = [performance.now(), threadMs()]
    const turn = { wallMs: now - at - EVERY_MS, cpuMs: cpuNow - cpu }
    ;[at, cpu] = [now, cpuNow]
    if (turn.wallMs < REPORTED_MS) return
    appendFileSync(reportTo, `${JSON.stringify({ at: Date.now(), ...turn })}\n`)
  }, EVERY_MS).unref()
}

/** The processor time of this thread: other programs and other threads do not count. */
function threadMs(): number {
  libc.clock_gettime(CLOCK_THREAD_CPUTIME_ID, ptr(time))
  return Number(time[0]!) * 1000 + Number(time[1]!) / 1e6
}
