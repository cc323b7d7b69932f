import type { FormControl } from '../../model/form.ts'
import type { Db } from '../../platform/db/index.ts'
import { oldestFirst } from './chunks.ts'
import { createDigest, type Digest, type Split } from './report/index.ts'
import { chunkOf } from './rules.ts'
import type { Counter, Matched } from './store.ts'

const PAGES_IN_MEMORY = 32

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

/**
 * Digests of all that a page has, kept until something changes: the counter, read in the same
 * snapshot as all else, tells. So what is kept cannot disagree with the responses beside it.
 */
export function createDigests() {
  const known = new Map<string, Digested & { made_of: string }>()

  async function make(db: Db, subject: Subject, since?: string): Promise<Digested> {
    const matched: Matched = { page_id: subject.page_id, since }
    const collector = createDigest(subject.controls)
    for await (const chunk of oldestFirst(db, matched, chunkOf(subject.counter))) {
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

  return {
    async ofAll(db: Db, subject: Subject): Promise<Digested> {
      const { page_id, counter, content_key } = subject
      const made_of = `${counter.revision} ${content_key}`
      const kept = known.get(page_id)
      const digested = kept?.made_of === made_of ? kept : { ...(await make(db, subject)), made_of }
      known.delete(page_id)
      known.set(page_id, digested)
      if (known.size > PAGES_IN_MEMORY) known.delete(known.keys().next().value!)
      return digested
    },
    ofThoseSince: (db: Db, subject: Subject, since: string) => make(db, subject, since),
  }
}
