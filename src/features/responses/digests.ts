import type { FormControl } from '../../model/form.ts'
import type { Db } from '../../platform/db/index.ts'
import { oldestFirst } from './chunks.ts'
import { createDigest, type Digest, type Split } from './report/index.ts'
import { chunkSize } from './rules.ts'
import type { Counter, ResponseFilter } from './store.ts'

/** What is kept of a page is at most as large as its responses, and nearly always far smaller. */
const KEPT_PAGES = 32
const KEPT_OF_BYTES = 256 * 1024 * 1024

export interface Digested {
  digest: Digest
  /** Of a key in `digest.explodable`; made once. */
  split(key: string): Split
}

/** What is digested, and what it is read with. */
export interface Subject {
  page_id: string
  counter: Counter
  /** Of the HTML that says what the fields are, and that HTML's name. */
  controls: readonly FormControl[]
  content_key: string
}

interface Kept extends Digested {
  made_of: string
  of_bytes: number
}

/**
 * Digests of all that a page has, kept until something changes: the counter, read in the same
 * snapshot as all else, tells. So what is kept cannot disagree with the responses beside it.
 */
export function createDigests() {
  const known = new Map<string, Kept>()
  const under_way = new Map<string, Promise<Digested>>()

  async function make(db: Db, subject: Subject, since?: string): Promise<Digested> {
    const filter: ResponseFilter = { page_id: subject.page_id, since }
    const collector = createDigest(subject.controls)
    for await (const chunk of oldestFirst(db, filter, chunkSize(subject.counter))) {
      for (const response of chunk) collector.add(response)
    }
    const digest = collector.finish()
    const splits = new Map<string, Split>()
    function split(key: string): Split {
      const made = splits.get(key) ?? digest.split(key)
      splits.set(key, made)
      return made
    }
    return { digest, split }
  }

  /** Who asks for the same meanwhile waits for the same. */
  function making(db: Db, subject: Subject, made_of: string): Promise<Digested> {
    const name = `${subject.page_id} ${made_of}`
    const begun = under_way.get(name)
    if (begun !== undefined) return begun
    const made = make(db, subject).finally(() => under_way.delete(name))
    under_way.set(name, made)
    return made
  }

  /** Those that were asked for least lately go first. */
  function keep(page_id: string, kept: Kept): void {
    known.delete(page_id)
    known.set(page_id, kept)
    let of_bytes = 0
    for (const each of known.values()) of_bytes += each.of_bytes
    for (const [id, oldest] of known) {
      if (known.size <= KEPT_PAGES && of_bytes <= KEPT_OF_BYTES) return
      known.delete(id)
      of_bytes -= oldest.of_bytes
    }
  }

  return {
    async ofAll(db: Db, subject: Subject): Promise<Digested> {
      const { page_id, counter, content_key } = subject
      const made_of = `${counter.revision} ${content_key}`
      const kept = known.get(page_id)
      const is_current = kept?.made_of === made_of
      const digested = is_current ? kept : await making(db, subject, made_of)
      keep(page_id, { ...digested, made_of, of_bytes: counter.bytes })
      return digested
    },
    ofThoseSince: (db: Db, subject: Subject, since: string) => make(db, subject, since),
  }
}
