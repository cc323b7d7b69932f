import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SMTPServer } from 'smtp-server'
import { dataOf, ownerOf, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html, word } from './material.ts'
import { command, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const SLOW = 240_000

test(
  'commands that only read make no data folder',
  async () => {
    const env = freshEnvironment()
    const commands = [
      ['account', 'list'],
      ['account', 'plan', 'a@b.example', 'pro'],
      ['key', 'list', 'a@b.example'],
      ['account', 'add'],
    ]
    for (const words of commands) {
      const { code, stdout, stderr } = await command(env, ...words)
      const status = words.join(' ') === 'account add' ? 2 : 1
      expect({ code, stdout }, words.join(' ')).toEqual({ code: status, stdout: '' })
      if (code === 1) expect(stderr).toContain(`There are no data in ${env.DATA_DIR}`)
    }
    expect(existsSync(env.DATA_DIR!)).toBe(false)
  },
  SLOW,
)

test(
  'the start names the public and the listening address, and links to the set-up at both',
  async () => {
    const env = freshEnvironment()
    const listening = env.BASE_URL!
    const running = await start({ ...env, BASE_URL: listening })
    await Bun.sleep(100)
    expect(running.output()).toContain(`Listening on    ${listening}`)
    expect(running.output().match(/\/setup\//g)).toHaveLength(1)
    await running.stop()
    const child = Bun.spawn([`${import.meta.dir}/../bin/handbill`, 'serve'], {
      env: { ...env, BASE_URL: 'https://pages.example.com' },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of child.stdout) {
      text += decoder.decode(piece, { stream: true })
      if (/setup.*setup\/\S+\n/s.test(text)) break
    }
    child.kill('SIGTERM')
    await child.exited
    expect(text).toContain('Handbill serves https://pages.example.com\n')
    expect(text).toContain(`Listening on    ${listening}\n`)
    expect(text).toContain('  https://pages.example.com/setup/')
    expect(text).toContain(`  ${listening}/setup/`)
  },
  SLOW,
)

test(
  'the first account is an operator on the plan team, by SETUP_EMAIL and by account add',
  async () => {
    const email = `${word('person')}@handbill.example`
    const first = freshEnvironment()
    const added = await command(first, 'account', 'add', email, '--json')
    expect(JSON.parse(added.stdout)).toMatchObject({ plan: 'team', is_operator: true })
    const second = await command(first, 'account', 'add', `x${email}`, '--json')
    expect(JSON.parse(second.stdout)).toMatchObject({ plan: 'free', is_operator: false })
    const env: Record<string, string> = { ...freshEnvironment(), SETUP_EMAIL: email }
    const running = await start(env)
    await Bun.sleep(100)
    const [key] = /\bsm_[0-9A-Za-z]{40}\b/.exec(running.output())!
    const answer = await send(`${env.BASE_URL}/api/v1/account`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(dataOf<object>(answer)).toMatchObject({ email, plan: 'team', is_operator: true })
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)

test(
  'account operator makes and ends operators, and the last one stays',
  async () => {
    const env = freshEnvironment()
    const [first, second] = [word('first'), word('second')].map(
      (name) => `${name}@handbill.example`,
    )
    await command(env, 'account', 'add', first!)
    await command(env, 'account', 'add', second!)
    const refused = await command(env, 'account', 'operator', first!, '--off')
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`${first} is the only operator of this server.`)
    const made = await command(env, 'account', 'operator', second!, '--json')
    expect(JSON.parse(made.stdout)).toMatchObject({ email: second, is_operator: true })
    const ended = await command(env, 'account', 'operator', first!, '--off')
    expect(ended.stdout).toBe(`${first} no longer operates this server.\n`)
    const { stdout } = await command(env, 'account', 'list', '--json')
    const operators = JSON.parse(stdout).map((one: object) => Object.values(one).includes(true))
    expect(operators).toEqual([false, true])
    expect((await command(env, 'account', 'operator', 'nobody@handbill.example')).code).toBe(4)
    expect((await command(env, 'account', 'operator')).code).toBe(2)
    expect((await command(env, 'account', 'plan', first!, 'pro', '--off')).code).toBe(2)
    expect((await command(env, '--help')).stdout).toContain('handbill account operator EMAIL')
  },
  SLOW,
)

test('a 402 says what to do on one’s own server', async () => {
  const owner = ownerOf(server.keys.free)
  const { email } = dataOf<{ email: string }>(await owner.call('GET', '/account'))
  const answer = await owner.create({ html: html('x'), max_views: 1 })
  expectRefusal(answer, 402, 'plan_required')
  expect(answer.text).toContain(`On your own server, run: handbill account plan ${email} pro`)
})

test(
  'healthcheck succeeds where the server is ready, and fails where none is',
  async () => {
    const env = freshEnvironment()
    const none = await command(env, 'healthcheck')
    expect(none.code).toBe(1)
    expect(none.stderr).toContain('does not answer')
    expect(existsSync(env.DATA_DIR!)).toBe(false)
    const running = await start(env)
    const ready = await command(env, 'healthcheck')
    expect(ready.code, ready.stderr).toBe(0)
    const everywhere = await command({ ...env, HOST: '0.0.0.0' }, 'healthcheck', '--json')
    expect(JSON.parse(everywhere.stdout)).toEqual({ ready: true, url: env.BASE_URL })
    await running.stop()
  },
  SLOW,
)

test(
  'mail test sends one mail, and says what the server answered',
  async () => {
    const env = freshEnvironment()
    const without = await command(env, 'mail', 'test', 'ann@example.com')
    expect(without.code).toBe(1)
    expect(without.stderr).toContain('SMTP_URL is not set')
    const received: string[] = []
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('bob') ? new Error('no such user') : null),
      onData(stream, { envelope }, done) {
        received.push(...envelope.rcptTo.map(({ address }) => address))
        stream.resume().on('end', () => done(null, 'queued as 7'))
      },
    })
    smtp.on('error', () => {})
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as { port: number }
    const withMail = { ...env, SMTP_URL: `smtp://127.0.0.1:${port}` }
    const sent = await command(withMail, 'mail', 'test', 'ann@example.com')
    expect(sent.code, sent.stderr).toBe(0)
    expect(sent.stdout).toMatch(/It answered: 250 .*queued as 7/)
    expect(received).toEqual(['ann@example.com'])
    const refused = await command(withMail, 'mail', 'test', 'bob@example.com')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('no such user')
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    expect(existsSync(env.DATA_DIR!)).toBe(false)
  },
  SLOW,
)
