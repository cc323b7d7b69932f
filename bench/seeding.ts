import { join } from 'node:path'
import type { Lab } from './lab.ts'
import type { Seeded } from './seed.ts'

const BUN = join(import.meta.dir, '..', 'bin', 'bun')

/** A new data folder with this many pages, in a process of its own: its memory goes with it. */
export async function seed(lab: Lab, pages: number): Promise<Seeded & { dataDir: string }> {
  const dataDir = lab.folder(`seeded-${pages}`)
  lab.say(`seeding ${pages.toLocaleString('en')} pages`)
  const began = performance.now()
  const child = Bun.spawn([BUN, join(import.meta.dir, 'seed.ts'), dataDir, String(pages)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('Seeding failed; what it said is above.')
  lab.say(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { ...(JSON.parse(text) as Seeded), dataDir }
}
