import { expect, test } from 'bun:test'
import type { Manifest } from '../../../model/manifest.ts'
import { createChanges } from './changes.ts'

/** A deck with names that take so many characters. */
function deck(chars: number): Manifest {
  const file = { hash: 'h', mime: 'image/png', size_bytes: 1 }
  return { kind: 'deck', files: [{ ...file, path: 'a'.repeat(chars) }] } as unknown as Manifest
}

test('a comparison is answered also where others have taken its place meanwhile', async () => {
  const slow = Promise.withResolvers<Manifest>()
  const changesBetween = createChanges({
    getManifest: (id) => (id === 'slow' ? slow.promise : Promise.resolve(deck(Number(id)))),
    bytes: () => Promise.reject(new Error('no text is compared')),
    work: { run: () => Promise.reject(new Error('no text is compared')) },
  })
  const first = changesBetween('slow', '1')
  await changesBetween('2', '9000000')
  await changesBetween('3', '9000001')
  slow.resolve(deck(2))
  expect((await first).files.map(({ state }) => state)).toEqual(['added', 'removed'])
})
