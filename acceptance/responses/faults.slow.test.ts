import { afterAll, expect, test } from 'bun:test'
import { type Answer, dataOf, ownerOf, send } from '../client.ts'
import { newKey, server } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { credentialsIn, FORM, type Receipt, type Report, submission } from './viewer.ts'

afterAll(cleanUp)

const TIMEOUT = 60_000

test.skipIf(!server.own)(
  'a killed server loses no response that it answered',
  async () => {
    const env = freshEnvironment()
    const base = env.BASE_URL!
    let running = await start(env)
    const by = ownerOf(await newKey(env, 'pro'))
    const call = (method: string, path: string, body?: object) =>
      send(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${by.key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const page = dataOf<{ id: string; slug: string }>(
      await call('POST', '/pages', { html: FORM }),
      201,
    )
    const answered: Receipt[] = []
    async function respond(n: number): Promise<void> {
      const credentials = credentialsIn(await send(`${base}/p/${page.slug}`))
      const body = JSON.stringify({ ...submission({ n }), ...credentials })
      const answer: Answer = await send(`${base}/~/responses`, { method: 'POST', body })
      answered.push(dataOf<Receipt>(answer))
    }
    for (let round = 0; round < 3; round++) {
      const sent = Array.from({ length: 60 }, (_, n) => respond(n).catch(() => {}))
      const enough = answered.length + 5 + 15 * round
      while (answered.length < enough) await Bun.sleep(1)
      await running.kill()
      await Promise.all(sent)
      running = await start(env)
    }
    const path = `/pages/${page.id}/responses?limit=1000`
    const { responses, status } = dataOf<Report>(await call('GET', path))
    const stored = new Set(
      responses.map(({ id, submitted_at: submittedAt }) => `${id} ${submittedAt}`),
    )
    const lost = answered.filter(
      ({ id, submitted_at: submittedAt }) => !stored.has(`${id} ${submittedAt}`),
    )
    expect(answered.length).toBeGreaterThan(0)
    expect(lost).toEqual([])
    expect(status.count).toBe(responses.length)
    await running.stop()
  },
  TIMEOUT,
)
