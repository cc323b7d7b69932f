import { join } from 'node:path'
import type { Bench } from './figure.ts'
import type { Seeded } from './seed.ts'

const BUN = join(import.meta.dir, '..', 'bin', 'bun')

/** Makes a data folder with this many pages, in another process, which frees its memory. */
export async function seed(bench: Bench, pages: number): Promise<Seeded & { dataDir: string }> {
  const dataDir = bench.folder(`seeded-${pages}`)
  bench.log(`seeding ${pages.toLocaleString('en')} pages`)
  const began = performance.now()
  const child = Bun.spawn([BUN, join(import.meta.dir, 'seed.ts'), dataDir, String(pages)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('Seeding failed; its output is above.')
  bench.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { ...(JSON.parse(text) as Seeded), dataDir }
}
