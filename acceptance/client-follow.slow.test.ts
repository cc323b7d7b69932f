/** The command that follows feedback, while its server is restarted and killed. */
import { afterAll, expect, test } from 'bun:test'
import { ownerOf } from './client.ts'
import { shellOf } from './client-shell.ts'
import { person } from './gates/person.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

test('feedback --follow prints each event once while its server is stopped, killed and started again', async () => {
  const env = freshEnvironment()
  let running = await start(env)
  const key = await newKey(env, 'pro')
  const page = await ownerOf(key, env.BASE_URL!).publish({ html: FORM })
  const base = env.BASE_URL!
  const respond = (age: number) => viewer(person(base), base).respond(page, { age })
  const shell = shellOf(key)
  const follow = ['feedback', page.id, '--follow', '--json']
  const child = shell.start(follow, { env: { HANDBILL_URL: base } })
  let printed = ''
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) printed += text
  })()
  const ages = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map(
        (line) => (JSON.parse(line) as { response: { data: { age: number } } }).response.data.age,
      )
  const seen = async (age: number) => {
    for (const until = Date.now() + 30_000; !ages().includes(age); await Bun.sleep(50)) {
      expect(Date.now(), `printed ${ages()}`).toBeLessThan(until)
    }
  }
  await respond(1)
  await seen(1)
  await running.stop()
  running = await start(env)
  await respond(2)
  await seen(2)
  // It dies with an event stored that the command may have heard of, or not.
  await respond(3)
  await running.kill()
  running = await start(env)
  await respond(4)
  await seen(4)
  child.kill('SIGINT')
  await child.exited
  await reading
  expect(ages()).toEqual([1, 2, 3, 4])
  // Nothing is left for the next time.
  const next = await shell.runWith({ env: { HANDBILL_URL: base } }, ...follow.toSpliced(2, 1))
  expect(next.stdout).toBe('')
  expect(await running.stop()).toBe(0)
}, 240_000)
