import { expect, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { fc, runs } from '../../testing/property.ts'
import { createPoll } from '../../testing/test-poll.ts'

const TEXTS = ['A', 'B', 'C', 'D', 'E', 'F']
const VOTERS = ['ann', 'bob', 'cleo', 'dan']

type Step = { options: string[] } | { voter: string; nth: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ voter: fc.constantFrom(...VOTERS), nth: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ options: fc.shuffledSubarray(TEXTS, { minLength: 2, maxLength: 4 }) }),
  },
)

/** The rule of the contract, on texts alone: who voted for which text. */
function createModel(options: string[]) {
  const votes = new Map<string, string>()
  let current = options
  const votersOf = (text: string) => [...votes].filter(([, voted]) => voted === text)
  return {
    vote(voter: string, nth: number): string {
      const text = current[nth % current.length]!
      votes.set(voter, text)
      return text
    },
    set(next: string[]): void {
      const gone = current.filter((text) => !next.includes(text))
      const added = next.filter((text) => !current.includes(text))
      const isOneForOne = gone.length === 1 && added.length === 1
      const isInPlace = isOneForOne && current.indexOf(gone[0]!) === next.indexOf(added[0]!)
      const isReworded = isInPlace && next.length === current.length
      if (isReworded && votersOf(added[0]!).length === 0) {
        for (const [voter] of votersOf(gone[0]!)) votes.set(voter, added[0]!)
      }
      current = next
    },
    counts: () => current.map((text) => `${text} ${votersOf(text).length}`).join(', '),
    ofVoter(voter: string): string | null | undefined {
      const text = votes.get(voter)
      return text === undefined || current.includes(text) ? text : null
    },
  }
}

test('whatever is renamed, moved, removed and returned, every vote is for the option it was cast for', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const poll = await createPoll(app, owner, { poll_options: ['A', 'B', 'C'] })
      const model = createModel(['A', 'B', 'C'])
      for (const each of steps) {
        if ('options' in each) {
          model.set(each.options)
          await poll.update({ poll_options: each.options })
        } else await poll.vote(each.voter, model.vote(each.voter, each.nth))
        expect(await poll.counts()).toBe(model.counts())
      }
      for (const voter of VOTERS) {
        const { own_vote: own } = await poll.view(voter)
        expect([voter, own?.option]).toEqual([voter, model.ofVoter(voter)])
      }
      await owner.call('DELETE', `/pages/${poll.id}`)
    }),
    runs(40),
  )
}, 240_000)
