import { expect } from 'bun:test'
import { HOUR_MS, MINUTE_MS, type TestApp } from './app.ts'
import { rowCounts } from './dump.ts'
import type { Owner } from './people.ts'

/** Sweeps often enough to delete everything that is unreferenced. */
export async function sweepAll(app: TestApp): Promise<void> {
  for (let round = 0; round < 4; round++) {
    app.advance(HOUR_MS + MINUTE_MS)
    await app.sweeper.sweep()
    await app.sweeper.sweepOrphans()
  }
}

export async function contentRows(app: TestApp) {
  const {
    blobs,
    manifests,
    manifest_blobs: manifestBlobs,
    gc_candidate_blobs: candidateBlobs,
    gc_candidate_manifests: candidateManifests,
  } = await rowCounts(app)
  return {
    blobs,
    manifests,
    manifest_blobs: manifestBlobs,
    gc_candidate_blobs: candidateBlobs,
    gc_candidate_manifests: candidateManifests,
  }
}
export const NO_ROWS = {
  ...{ blobs: 0, manifests: 0, manifest_blobs: 0 },
  ...{ gc_candidate_blobs: 0, gc_candidate_manifests: 0 },
}

interface Expected {
  owner: Owner
  id: string
  html: string
}

/** The owner and visitors read this content. */
export async function expectReadable(app: TestApp, { owner, id, html }: Expected) {
  const { slug } = await owner.page(id)
  expect(await owner.html(id)).toBe(html)
  expect(await (await app.open(`/p/${slug}`)).text()).toBe(html)
}
