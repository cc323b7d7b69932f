import { exactness, interleavedRounds, scalingRows } from '../counted-views.ts'
import type { Figure } from '../figure.ts'
import { LOAD_CORE, runOn } from '../processes.ts'
import { htmlOf } from '../sample-content.ts'
import { newOwner, processesOf, residentMB, startHandbill } from '../servers.ts'

const PAGE_BYTES = 10 * 1024
const VIEWERS = 256
const PROCESSES = 2
const GAIN_GOAL = 1.7

/** (t) Two processes on one port beside one. The second has the core of the load. */
export const workers: Figure = {
  letter: 't',
  about: 'views by two processes on one port',
  async measure(bench) {
    await using one = await startHandbill(bench.folder('one'))
    await using two = await startHandbill(bench.folder('two'), { WORKERS: String(PROCESSES) })
    while (!(await allServe(two.url))) await Bun.sleep(20)
    for (const pid of processesOf(two.pid).slice(1)) {
      await runOn(LOAD_CORE, ['taskset', '-a', '-c', '-p', String(LOAD_CORE), String(pid)])
    }
    const html = new TextDecoder().decode(htmlOf(PAGE_BYTES))
    const idle = residentMB(two.pid) - residentMB(one.pid)
    const owners = [await newOwner(one), await newOwner(two)]
    const pages = await Promise.all(owners.map((owner) => owner.create({ html, title: 'Counted' })))
    bench.log(`counted views of one process and of two, ${VIEWERS} connections`)
    const targets = [one, two].map((served, at) => {
      return { served, url: `${served.url}/p/${pages[at]!.slug}` }
    })
    const [alone, both] = await interleavedRounds(bench, targets, VIEWERS)
    const counting = { before: 0, connections: VIEWERS }
    const figure = '(t) two processes on two cores, with the load; peer: one process on one core'
    const scale = { unit: 'process', processes: PROCESSES, goal: GAIN_GOAL }
    return [
      ...scalingRows(figure, [alone!, both!], scale),
      {
        figure: '    memory of an idle worker',
        ours: `${idle.toFixed(0)} MB`,
        peer: '',
        value: `${idle.toFixed(0)} MB`,
        goal: 'none',
        met: null,
      },
      await exactness(owners[1]!, pages[1]!, { ...counting, runs: both! }),
    ]
  },
}

async function allServe(url: string): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return metrics.includes(`handbill_workers_serving ${PROCESSES - 1}\n`)
}
