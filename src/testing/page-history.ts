import { createLocate } from '../features/comments/anchors/index.ts'
import { applyEdits } from '../features/content/edits/edits.ts'
import { createFindPassages, type Manifest, type Splice } from '../features/content/index.ts'
import { findEditPath } from '../features/versions/edits.ts'
import { sha256 } from '../platform/ids.ts'
import { contentWork } from './threads.ts'

/** The history of a page, with the parts of content and versions that anchors need. */
export function createHistory() {
  const files = new Map<string, string>()
  const edits: { edit_no: number; from_hash: string; to_hash: string; splices: Splice[] }[] = []
  const lookUps: { from: string; to: string }[] = []
  const add = (html: string) => {
    const hash = sha256(Buffer.from(html))
    files.set(hash, html)
    return hash
  }
  const locate = createLocate({
    content: {
      async getManifest(hash): Promise<Manifest> {
        const file = { path: 'index.html', mime: 'text/html', hash, size_bytes: 1 }
        return { kind: 'single', entry: 'index.html', file_name: null, files: [file] } as Manifest
      },
      findPassages: createFindPassages({
        bytes: async (hash) => Buffer.from(files.get(hash)!),
        work: contentWork,
        holdMemory: (_bytes, work) => work(),
      }),
    },
    versions: {
      async editsBetween(_pageId, states) {
        lookUps.push(states)
        const path = findEditPath(edits, states)
        // A page's file never goes back here, so no edit is undone.
        return path?.map(({ edit_no }) => edits[edit_no]!.splices) ?? null
      },
    },
  })
  return {
    locate,
    lookUps,
    add,
    edit(before: string, after: string, [find, replace]: [string, string]) {
      const { splices } = applyEdits(Buffer.from(before), [{ find, replace }], {
        maxBytes: 100_000,
      })
      const [from, to] = [add(before), add(after)]
      edits.push({ edit_no: edits.length, from_hash: from, to_hash: to, splices })
    },
  }
}
