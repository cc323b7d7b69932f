import { expect, test } from 'bun:test'
import { createSecrets } from '../platform/secrets.ts'
import { ENGINES, testApp } from '../testing/app.ts'
import { createPoll } from '../testing/test-poll.ts'
import type { Runtime } from './runtime.ts'
import { keyFits } from './start-check.ts'

for (const engine of ENGINES) {
  test(`a key that does not open the votes of a poll does not fit, on ${engine}`, async () => {
    await using app = await testApp(engine)
    const fits = (secrets = app.secrets) =>
      keyFits({ app, platform: { ...app, secrets } } as unknown as Pick<
        Runtime,
        'app' | 'platform'
      >)
    const poll = await createPoll(app, await app.owner())
    expect(await fits()).toBeNull()
    await poll.vote('one', 'A')
    expect(await fits()).toBe(true)
    expect(await fits(createSecrets(new Uint8Array(32).fill(9)))).toBe(false)
  })
}
