import { readFileSync } from 'node:fs'
import type { Fault, Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'
import { newHeap } from './heap.ts'
import { type Kind, mixOf } from './requests.ts'

const MIB = 1024 * 1024
const CLIENTS = 32
const SAMPLE_MS = 250
/** The run fails after this time, since something else must be broken. */
const MAX_FAILURES = 5
/** How many lines the curve has. */
const LINES = 20
/**
 * How much more memory the last tenth of the requests may take than the tenth before the middle,
 * when caches are nearly full. Of 1,000,000, each that leaves 140 bytes behind exceeds it.
 */
const MAX_GROWTH_BYTES = 64 * MIB
const BAR_BYTES = 8 * MIB
/** How often the heap in use is measured, in equal steps: each stops the server for a moment. */
const HEAP_STEPS = 10
/**
 * How much more of the heap may be in use after the last step than in the middle, with all garbage
 * collected: what the caches of viewers and tokens take until they are full. Of 1,000,000 requests,
 * each that leaves 34 bytes behind exceeds it.
 */
const MAX_HEAP_GROWTH_BYTES = 16 * MIB

interface Sample {
  /** Requests that were answered so far. */
  at: number
  residentBytes: number
}

/** (m) Resident memory, through as many requests as are asked for. */
export const flatMemory: Fault = {
  letter: 'm',
  about: 'memory that stays flat through mixed requests (--requests)',
  async run(tools) {
    const heap = newHeap(tools.folder())
    const node = await startNode(tools.folder(), heap.settings)
    try {
      const send = createSender(await mixOf(node))
      const samples: Sample[] = []
      const inUse: number[] = []
      const timer = setInterval(() => {
        samples.push({ at: send.answered(), residentBytes: residentBytes(node.pid) })
      }, SAMPLE_MS)
      try {
        for (let step = 1; step <= HEAP_STEPS; step++) {
          await send.upTo((tools.requests * step) / HEAP_STEPS)
          inUse.push(await heap.bytesInUse(node.pid))
        }
      } finally {
        clearInterval(timer)
      }
      drawCurve(samples, tools)
      tools.log(`heap in use after each tenth: ${inUse.map(inMib).join(', ')}`)
      return [rowOf(send, samples, inUse)]
    } finally {
      await node.kill()
    }
  },
}

/** Sends requests of all kinds. */
function createSender(kinds: readonly Kind[]) {
  const shares = kinds.reduce((sum, { share }) => sum + share, 0)
  const failures: string[] = []
  let answered = 0

  function next(): Kind {
    let left = Math.random() * shares
    for (const kind of kinds) {
      left -= kind.share
      if (left < 0) return kind
    }
    return kinds[0]!
  }
  async function client(total: number): Promise<void> {
    while (answered < total && failures.length < MAX_FAILURES) {
      const kind = next()
      try {
        const count = await kind.send()
        answered += count
      } catch (err) {
        failures.push(`${kind.name}: ${(err as Error).message}`)
      }
    }
  }
  return {
    failures,
    answered: () => answered,
    /** Until there were so many. */
    async upTo(total: number): Promise<void> {
      await Promise.all(Array.from({ length: CLIENTS }, () => client(total)))
    },
  }
}

function rowOf(
  { answered: count, failures }: ReturnType<typeof createSender>,
  samples: readonly Sample[],
  inUse: readonly number[],
): Row {
  const answered = count()
  const between = (from: number, to: number) =>
    median(
      samples
        .filter(({ at }) => at >= from * answered && at <= to * answered)
        .map((sample) => sample.residentBytes),
    )
  const [middle, end] = [between(0.4, 0.5), between(0.9, 1)]
  const wrong = [...failures]
  // Written so that a run without samples fails as well.
  if (!(end - middle <= MAX_GROWTH_BYTES)) {
    wrong.push(`memory grew from ${inMib(middle)} before the middle to ${inMib(end)} at the end`)
  }
  const [heapMiddle = Number.NaN, heapEnd = Number.NaN] = [inUse[HEAP_STEPS / 2 - 1], inUse.at(-1)]
  if (!(heapEnd - heapMiddle <= MAX_HEAP_GROWTH_BYTES)) {
    wrong.push(`the heap in use grew from ${inMib(heapMiddle)} to ${inMib(heapEnd)}`)
  }
  return {
    fault: 'memory',
    what: 'requests of all kinds',
    answered,
    found: answered - failures.length,
    wrong,
  }
}

function drawCurve(samples: readonly Sample[], { log }: Tools): void {
  const step = Math.max(1, Math.ceil(samples.length / LINES))
  for (let from = 0; from < samples.length; from += step) {
    const some = samples.slice(from, from + step)
    const bytes = median(some.map(({ residentBytes: each }) => each))
    const count = some.at(-1)!.at.toLocaleString('en-US').padStart(11)
    log(`${count} requests ${inMib(bytes).padStart(8)} ${'#'.repeat(bytes / BAR_BYTES)}`)
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MB`
}

/** Memory of the process, its threads included. */
function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}
