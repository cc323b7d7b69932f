import { expect, it } from 'bun:test'
import { createWaits } from './waits.ts'

/** An account to which events are added: the page of each, by its number. */
function account() {
  const pages: string[] = []
  const reads: number[] = []
  const deleted = new Set<string>()
  const waits = createWaits({
    readNumbers: async () => new Map([['a', pages.length]]),
    async readPages(_, after) {
      reads.push(after)
      return new Set(pages.slice(after))
    },
    readExisting: async (ids) => new Set(ids).difference(deleted),
  })
  const ended: string[] = []
  const wait = (name: string, pageId: string | null) =>
    waits
      .wait({ accountId: 'a', pageId, after: pages.length, ms: 5000 })
      .then(() => ended.push(name))
  return { pages, reads, deleted, waits, ended, wait }
}

it('an event ends the waits for its page and for the whole account, and no other', async () => {
  const { pages, reads, waits, ended, wait } = account()
  void wait('one', 'one')
  void wait('all', null)
  const other = wait('other', 'two')
  pages.push('one')
  while (waits.count() > 1) await Bun.sleep(5)
  expect(ended.toSorted()).toEqual(['all', 'one'])
  await Bun.sleep(150)
  expect(waits.count()).toBe(1)
  pages.push('three', 'two')
  await other
  // Once for each change, and from where it was read before.
  expect(reads).toEqual([0, 1])
})

it('who waits for the whole account needs no pages read', async () => {
  const { pages, reads, ended, wait } = account()
  const all = wait('all', null)
  pages.push('one')
  await all
  expect([ended, reads]).toEqual([['all'], []])
})

it('who waits is let go when the time is over or the client is gone, and others stay', async () => {
  const { waits, ended, wait } = account()
  const gone = new AbortController()
  const own = { accountId: 'a', pageId: null, after: 0 }
  const over = waits.wait({ ...own, ms: 60 })
  const left = waits.wait({ ...own, ms: 5000, signal: gone.signal })
  void wait('other', null)
  await over
  expect(waits.count()).toBe(2)
  gone.abort()
  await left
  expect([waits.count(), ended]).toEqual([1, []])
  waits.stop()
  await waits.wait({ ...own, ms: 5000 })
  expect(waits.count()).toBe(0)
})

it('who waits for a page is let go once it is deleted, and nobody else', async () => {
  const { deleted, waits, ended, wait } = account()
  const one = wait('one', 'one')
  void wait('two', 'two')
  void wait('all', null)
  deleted.add('one')
  await one
  expect([waits.count(), ended]).toEqual([2, ['one']])
})
