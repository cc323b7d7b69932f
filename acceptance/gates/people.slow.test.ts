import { expect } from 'bun:test'
import { command, ownServer } from '../server.ts'
import { newEmail, own, owner, publishGated, signedIn } from './setup.ts'

own('a guest account can have no API key until it is made a full account', async () => {
  const ann = newEmail()
  const settings = { access: 'people', allowed_emails: [ann], require_signin: true }
  await publishGated(await owner(), settings)
  await signedIn(ann)
  const { env } = ownServer()
  const refused = await command(env, 'key', 'create', ann)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain(`handbill account add ${ann}`)
  expect((await command(env, 'account', 'add', ann, '--plan', 'pro')).code).toBe(0)
  const { stdout } = await command(env, 'account', 'list', '--json')
  const accounts = JSON.parse(stdout) as { email: string; is_guest: boolean; plan: string }[]
  expect(accounts.find(({ email }) => email === ann)).toMatchObject({
    is_guest: false,
    plan: 'pro',
  })
  expect((await command(env, 'key', 'create', ann)).code).toBe(0)
})
