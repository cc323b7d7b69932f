import { expect, test } from 'bun:test'
import { createSecrets } from '../platform/secrets.ts'
import { ENGINES, type TestApp, testApp } from '../testing/app.ts'
import { createPoll } from '../testing/test-poll.ts'
import type { Runtime } from './runtime.ts'
import { keyFits } from './start-check.ts'

for (const engine of ENGINES) {
  const protect: [what: string, make: (app: TestApp) => Promise<unknown>][] = [
    ['vote', async (app) => (await createPoll(app, await app.owner())).vote('one', 'A')],
    [
      'secret of a webhook',
      async (app) =>
        (await app.owner()).ask('POST', '/webhooks', { url: 'https://receiver.example/hook' }),
    ],
  ]
  test.each(protect)(`a key that opens no %s does not fit, on ${engine}`, async (_, make) => {
    await using app = await testApp(engine)
    const fits = (secrets = app.secrets) =>
      keyFits({ app, platform: { ...app, secrets } } as unknown as Pick<
        Runtime,
        'app' | 'platform'
      >)
    await make(app)
    expect(await fits()).toBe(true)
    expect(await fits(createSecrets(new Uint8Array(32).fill(9)))).toBe(false)
  })
}
