import type { FormControl } from '../../model/form.ts'
import type { Db } from '../../platform/db/index.ts'
import { oldestFirst } from './chunks.ts'
import { createDigest, type Digest, type Split } from './report/index.ts'
import { chunkSize } from './rules.ts'
import type { Counter, ResponseFilter } from './store.ts'

/**
 * Counted by the size of the responses: a digest is never larger than those it was made of, and
 * nearly always far smaller.
 */
const MAX_KEPT_PAGES = 32
const MAX_KEPT_SOURCE_BYTES = 256 * 1024 * 1024

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
  contentKey: string
}

interface Kept extends Digested {
  /** Of what it was made of: responses and HTML. */
  version: string
  /** The size of the responses it was made of. */
  sourceBytes: number
}

/**
 * Digests of all responses of a page, cached until one changes. The counter's revision tells that,
 * and is read in the same snapshot as the responses: the two can never disagree in one answer.
 */
export function createDigests() {
  const known = new Map<string, Kept>()
  const underWay = new Map<string, Promise<Digested>>()

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

  /** Concurrent requests for the same digest share one computation. */
  function makeOnce(db: Db, subject: Subject, version: string): Promise<Digested> {
    const name = `${subject.page_id} ${version}`
    const begun = underWay.get(name)
    if (begun !== undefined) return begun
    const made = make(db, subject).finally(() => underWay.delete(name))
    underWay.set(name, made)
    return made
  }

  /** Least recently used go first. */
  function keep(pageId: string, kept: Kept): void {
    known.delete(pageId)
    known.set(pageId, kept)
    let sourceBytes = 0
    for (const each of known.values()) sourceBytes += each.sourceBytes
    for (const [id, oldest] of known) {
      if (known.size <= MAX_KEPT_PAGES && sourceBytes <= MAX_KEPT_SOURCE_BYTES) return
      known.delete(id)
      sourceBytes -= oldest.sourceBytes
    }
  }

  return {
    async ofAll(db: Db, subject: Subject): Promise<Digested> {
      const { page_id: pageId, counter, contentKey } = subject
      const version = `${counter.revision} ${contentKey}`
      const kept = known.get(pageId)
      const isCurrent = kept?.version === version
      const digested = isCurrent ? kept : await makeOnce(db, subject, version)
      keep(pageId, { ...digested, version, sourceBytes: counter.bytes })
      return digested
    },
    ofThoseSince: (db: Db, subject: Subject, since: string) => make(db, subject, since),
  }
}
