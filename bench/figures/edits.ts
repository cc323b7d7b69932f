import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { editableHtml, markAt } from '../sample-content.ts'
import { newOwner, startHandbill } from '../servers.ts'
import { inMs, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { timed } from '../timing.ts'

const SIZE_BYTES = 4 * 1024 * 1024
const EDITS = 50
const SAMPLES = 20
const WARM_UP = 3
const GOAL_MS = 30
/** More than all samples write. */
const MEMORY_BYTES = 640 * 1024 * 1024
const PUBLISH_GOAL_MS = 5
const NOTE =
  `(c) is the time that a client on the same host waits for one PATCH over a reused ` +
  `connection, median of ${SAMPLES}. The page has ${SIZE_BYTES.toLocaleString('en')} bytes ` +
  'and was sent by POST /uploads. The text of each edit occurs once. Every PATCH stores ' +
  '4 MB durably. Before, a file of 640 MB is written and deleted: memory that a virtual machine ' +
  'has never used would add some 10 ms to each write of 4 MB.'

/** (c) 50 edits of a 4 MB page, beside a plain write of 4 MB. */
export const edits: Figure = {
  letter: 'c',
  about: 'PATCH html with 50 edits on a 4 MB page',
  async measure(bench) {
    const folder = bench.folder('edits')
    await using handbill = await startHandbill(folder)
    const owner = await newOwner(handbill)
    const first = editableHtml(SIZE_BYTES, EDITS, 0)
    const htmlUpload = await owner.upload(first)
    const { id } = await owner.create({ html_upload: htmlUpload })
    const scratch = join(bench.folder('bare'), 'four-megabytes')
    let revision = 0
    touchMemory(join(bench.folder('memory'), 'much'))

    async function edit(publish: boolean): Promise<number> {
      const list = Array.from({ length: EDITS }, (_, mark) => ({
        find: markAt(mark, revision),
        replace: markAt(mark, revision + 1),
      }))
      const ms = await timed(() =>
        owner.call('PATCH', `/pages/${id}/html`, { edits: list, publish }),
      )
      revision += 1
      return ms
    }

    const rows = []
    for (const publish of [false, true]) {
      bench.log(`50 edits on 4 MB${publish ? ', published' : ''}`)
      const ours: number[] = []
      const bare: number[] = []
      for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
        const pair = [await edit(publish), writeDurably(scratch, first)] as const
        if (sample < 0) continue
        ours.push(pair[0])
        bare.push(pair[1])
      }
      const { median } = spreadOf(ours)
      const isGoal = !publish
      rows.push({
        figure: publish
          ? '    the same with publish: true (public when it answers)'
          : `(c) PATCH html, ${EDITS} edits on 4 MB; peer: bare write and fsync of 4 MB`,
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(bare), inMs),
        value: isGoal ? inMs(median) : `${times(ratioOf(ours, bare).median)} of the bare write`,
        goal: isGoal ? `< ${GOAL_MS} ms` : 'none',
        met: isGoal ? median < GOAL_MS : null,
      })
    }
    bench.log('publishing a changed draft')
    const publishes: number[] = []
    const bare: number[] = []
    const little = first.subarray(0, 4096)
    for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
      await edit(false)
      const ours = await timed(() => owner.call('POST', `/pages/${id}/publish`))
      const peer = writeDurably(scratch, little)
      if (sample < 0) continue
      publishes.push(ours)
      bare.push(peer)
    }
    const { median } = spreadOf(publishes)
    rows.push({
      figure: '    publishing the draft alone; peer: bare write and fsync of 4 KB',
      ours: shown(spreadOf(publishes), inMs),
      peer: shown(spreadOf(bare), inMs),
      value: inMs(median),
      goal: `≤ ${PUBLISH_GOAL_MS} ms`,
      met: median <= PUBLISH_GOAL_MS,
    })
    bench.note(NOTE)
    return rows
  },
}

/**
 * Has the kernel use memory for a file, and frees it again. A virtual machine may get each page of
 * its memory from the host at the first use, which takes longer than to write the page.
 */
function touchMemory(file: string): void {
  const piece = new Uint8Array(MEMORY_BYTES / 32).fill(1)
  const handle = openSync(file, 'w')
  for (let i = 0; i < 32; i++) writeSync(handle, piece)
  closeSync(handle)
  rmSync(file)
}

function writeDurably(file: string, bytes: Uint8Array): number {
  const began = performance.now()
  const handle = openSync(file, 'w')
  writeSync(handle, bytes)
  fsyncSync(handle)
  closeSync(handle)
  return performance.now() - began
}
