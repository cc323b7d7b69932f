import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { longestTurn, watchedEnvironment } from '../../src/testing/watched-turns.ts'
import type { Disturbance, Scale } from '../disturbance.ts'
import { prepareDisturbances } from '../disturbances.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { seed } from '../seeding.ts'
import { startHandbill } from '../servers.ts'
import { inMs, quantile, shown, spreadOf } from '../stats.ts'

const PAGES = 10_000
const GOAL_MS = 50
const CALM_MS = 1000
const COMPLETE: Scale = { responses: 9000, comments: 9000, uploadBytes: 50e6, hasSweep: true }
const QUICK: Scale = { responses: 5_000, comments: 1000, uploadBytes: 50e6, hasSweep: false }

/** (r) How long actions of others delay views of a page. */
export const stalls: Figure = {
  letter: 'r',
  about: 'views of a page beside what others do: the longest turn of the event loop',
  async measure(bench) {
    const seeded = await seed(bench, PAGES)
    const turns = join(bench.folder('turns'), 'turns')
    await using handbill = await startHandbill(seeded.dataDir, watchedEnvironment(turns))
    bench.log('adding views, responses and comments')
    const scale = bench.isQuick ? QUICK : COMPLETE
    const { viewedUrl, disturbances } = await prepareDisturbances(handbill, seeded, scale)
    using viewer = startViewer(viewedUrl)
    const measured = new Map<string, Measured[]>()
    const calm: Disturbance = { name: '(r) nothing', run: () => Bun.sleep(CALM_MS) }
    for (let round = 0; round <= bench.rounds; round++) {
      bench.log(round === 0 ? 'warming up' : `round ${round}`)
      for (const disturbance of [calm, ...disturbances]) {
        await viewer.takeWaits()
        const turnMs = await longestTurn(turns, disturbance.run)
        const waits = await viewer.takeWaits()
        await disturbance.undo?.()
        if (round === 0) continue
        const rounds = measured.get(disturbance.name) ?? []
        measured.set(disturbance.name, [...rounds, { turnMs, waits }])
      }
    }
    addNotes(bench)
    return rowsOf(measured)
  },
}

interface Measured {
  turnMs: number
  waits: number[]
}

/** Views the page over one connection, from a thread that the other requests do not delay. */
function startViewer(url: string) {
  const worker = new Worker(join(import.meta.dir, '../ordinary-views.ts'), { workerData: { url } })
  return {
    /** How long each view took since the last call. */
    async takeWaits(): Promise<number[]> {
      const { promise, resolve } = Promise.withResolvers<number[]>()
      worker.once('message', resolve)
      worker.postMessage('take')
      return promise
    },
    [Symbol.dispose]: () => void worker.terminate(),
  }
}

function rowsOf(measured: ReadonlyMap<string, Measured[]>): Row[] {
  const [[, calm]] = [...measured] as [[string, Measured[]]]
  return [...measured].map(([name, rounds]) => {
    const turns = spreadOf(rounds.map(({ turnMs }) => turnMs))
    const isCalm = rounds === calm
    return {
      figure: isCalm ? name : `    ${name}`,
      ours: `${shown(turns, inMs)}; ${describeWaits(rounds)}`,
      peer: isCalm ? 'none' : `calm: ${describeWaits(calm)}`,
      value: inMs(turns.max),
      goal: isCalm ? 'none' : `≤ ${GOAL_MS} ms`,
      met: isCalm ? null : turns.max <= GOAL_MS,
    }
  })
}

function describeWaits(rounds: readonly Measured[]): string {
  const waits = rounds.flatMap((each) => each.waits)
  if (waits.length === 0) return 'no view'
  return `view p99 ${inMs(quantile(waits, 0.99))}, longest ${inMs(Math.max(...waits))}`
}

function addNotes({ note }: Bench): void {
  note(
    '(r) is the longest turn of the event loop in processor time of its thread, in each round, and ' +
      'how long views over one connection take meanwhile. The value is the longest of all rounds.',
  )
}
